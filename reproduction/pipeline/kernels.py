"""Kernels that begin as copies of a process in which the libraries are already loaded.

Loading numpy, scipy, pandas, scikit-learn and matplotlib takes a second of a processor, and every
chapter does so twice, for the build and for the tests. Here a server loads them once and forks for
each kernel. It loads nothing of the project, runs no thread, and kernels share nothing else.

jupyter_client finds `ForkedProvisioner` by its entry point, see ``pyproject.toml``, and takes it
where the environment names it, see `ENVIRONMENT` of `reproduction.pipeline.execute`.
"""

import atexit
import gc
import json
import os
import signal
import subprocess
import sys
import tempfile
from functools import cache
from importlib import import_module
from itertools import count

from jupyter_client.provisioning import LocalProvisioner

__all__ = ["ForkedProvisioner"]

_NUMBERS = count()
_LOADED = ("matplotlib.pyplot", "scipy.stats", "sklearn.datasets", "sklearn.ensemble")
_LOADED += ("sklearn.cluster", "sklearn.compose", "sklearn.kernel_ridge", "sklearn.mixture")


class ForkedProvisioner(LocalProvisioner):
    """Starts a kernel as a fork of a server that has loaded the libraries."""

    async def pre_launch(self, **kwargs):
        """Let the kernel talk through files: another process may take a port meanwhile."""
        self.parent.transport = "ipc"
        self.parent.ip = f"{_folder()}/{next(_NUMBERS)}"
        return await super().pre_launch(**kwargs)

    async def launch_kernel(self, cmd, **kwargs):
        """Start the kernel of a command ``[python, "-m", "ipykernel_launcher", *arguments]``."""
        environment = kwargs.get("env") or dict(os.environ)
        self.process = _Forked(_server().fork(cmd[3:], environment, str(kwargs.get("cwd") or ".")))
        self.pid = self.pgid = self.process.pid
        self.cwd = kwargs.get("cwd")
        return self.connection_info


class _Forked:
    """A process that the server waits for, as `subprocess.Popen` would show it."""

    stdin = stdout = stderr = None

    def __init__(self, pid):
        self.pid, self.returncode = pid, None

    def poll(self):
        if self.returncode is None:
            try:
                os.kill(self.pid, 0)
            except ProcessLookupError:
                self.returncode = 1  # nobody asks which
        return self.returncode

    def wait(self):  # as others call it when it has ended
        return self.poll()

    def send_signal(self, number):
        os.kill(self.pid, number)

    def terminate(self):
        self.send_signal(signal.SIGTERM)

    def kill(self):
        self.send_signal(signal.SIGKILL)


@cache
def _server():
    return _Server()


@cache
def _folder():
    """Folder of sockets, whose paths may not be long."""
    folder = tempfile.TemporaryDirectory(prefix="kernels-")
    atexit.register(folder.cleanup)
    return folder.name


class _Server:
    """The process that is forked. It ends with this one, which waits for it."""

    def __init__(self):
        command = [sys.executable, "-m", __name__]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self._process = subprocess.Popen(command, text=True, **pipes)
        atexit.register(self._end)

    def fork(self, arguments, environment, folder):
        """Begin a kernel, and return the number of its process."""
        self._process.stdin.write(json.dumps([arguments, environment, folder]) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def _end(self):
        with self._process as process:
            process.stdin.close()


def serve():
    """Fork for each line of standard input."""
    import pandas as pd
    from ipykernel import kernelapp

    for name in _LOADED:
        import_module(name)
    pd.set_option("display.max_columns", 20)  # loaded without IPython, it takes this for a terminal
    gc.freeze()  # what is loaded stays
    signal.signal(signal.SIGCHLD, _reap)
    for line in sys.stdin:
        arguments, environment, folder = json.loads(line)
        if pid := os.fork():
            print(pid, flush=True)
            continue
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()  # signals to a kernel reach its own children, and no others
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        os.environ.clear()
        os.environ.update(environment, JPY_PARENT_PID=str(os.getppid()))  # with which it ends
        os.chdir(folder)
        kernelapp.launch_new_instance(argv=arguments)
        return


def _reap(number, frame):
    """Wait for kernels that have ended, so that they are gone for those who ask."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


if __name__ == "__main__":
    serve()
