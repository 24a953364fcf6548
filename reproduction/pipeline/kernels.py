"""Kernels that begin as copies of a process in which the libraries are already loaded.

Loading numpy, scipy, pandas, scikit-learn and matplotlib takes a second of a processor, and every
chapter does so twice, for the build and for the tests. Here a process loads them once, does nothing
else, and is forked for each kernel (the forkserver of `multiprocessing`). Nothing of the project is
loaded in it, and a kernel shares nothing with another one.

jupyter_client finds `ForkedProvisioner` by its entry point, see ``pyproject.toml``, and takes it
where the environment names it, see `reproduction.pipeline.execute`.
"""

import atexit
import multiprocessing
import os
import signal
from functools import cache
from multiprocessing import forkserver

from jupyter_client.provisioning import LocalProvisioner

__all__ = ["NAME", "ForkedProvisioner"]

NAME = "forked"
_LOADED = ["ipykernel.kernelapp", "matplotlib.pyplot", "pandas", "scipy.stats", "sklearn.utils"]


class ForkedProvisioner(LocalProvisioner):
    """Starts a kernel as a fork of a process that has loaded the libraries."""

    async def launch_kernel(self, cmd, **kwargs):
        """Start the kernel of a command ``[python, "-m", "ipykernel_launcher", *arguments]``."""
        self.process = _Forked(cmd[3:], kwargs.get("env") or dict(os.environ), kwargs.get("cwd"))
        self.pid = self.pgid = self.process.pid
        self.cwd = kwargs.get("cwd")
        return self.connection_info


class _Forked:
    """A kernel's process, as `subprocess.Popen` would show it."""

    stdin = stdout = stderr = None

    def __init__(self, arguments, environment, folder):
        target = _begin, (arguments, environment, folder)
        self._process = _context().Process(target=target[0], args=target[1])
        self._process.start()
        self.pid = self._process.pid

    def poll(self):
        return self._process.exitcode

    def wait(self):
        self._process.join()
        return self._process.exitcode

    def send_signal(self, number):
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self):
        self.send_signal(signal.SIGTERM)

    def kill(self):
        self.send_signal(signal.SIGKILL)


@cache
def _context():
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_LOADED)
    # It would end by itself, but nobody would wait for it, and know what it has taken.
    atexit.register(forkserver._forkserver._stop)
    return context


def _begin(arguments, environment, folder):
    """Become the kernel."""
    os.setsid()  # signals to the kernel reach its own children, and no others
    os.environ.clear()
    os.environ.update(environment)
    os.environ["JPY_PARENT_PID"] = str(os.getppid())  # the kernel ends with that process
    if folder is not None:
        os.chdir(folder)
    import pandas as pd
    from ipykernel import kernelapp

    pd.set_option("display.max_columns", 20)  # loaded without IPython, it takes this for a terminal
    kernelapp.launch_new_instance(argv=arguments)
