"""Where units are evaluated: here, or by the workers of a dask cluster."""

import contextlib
import ctypes
import os
import signal
import socket
import sys

from joblib import parallel_config

__all__ = ["Shared", "computing_on", "process_name"]

_PR_SET_PDEATHSIG = 1  # of linux/prctl.h


class Shared:
    """What all units have in common, so that dask sends it to a worker once.

    dask does so with single arguments that are large and are neither tuples nor dicts.

    Parameters
    ----------
    value : object
        What evaluations are given.
    """

    def __init__(self, value):
        self.value = value

    def __sizeof__(self):
        return 2**20


def process_name():
    """Name of this process among those of all machines.

    Returns
    -------
    name : tuple of str and int
        Host and process id; two hosts may have equal ids.
    """
    return socket.gethostname(), os.getpid()


def _end_with_parent(parent):
    """End this process when its parent does, even if that is killed; loky waits for minutes."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # killed while this process imported what it needs
            os._exit(1)


@contextlib.contextmanager
def computing_on(scheduler):
    """Let joblib's jobs run on a cluster, for as long as the context lasts.

    Parameters
    ----------
    scheduler : str
        Address of its scheduler, such as ``"tcp://127.0.0.1:8786"``; empty for this machine.

    Raises
    ------
    ImportError
        When dask is not installed.
    """
    if not scheduler:
        ending = {"initializer": _end_with_parent, "initargs": (os.getpid(),)}
        with parallel_config(backend="loky", **ending):
            yield
        return
    try:
        from distributed import Client
    except ImportError as error:
        raise ImportError(
            "dask must be installed for a cluster; got none. Try: pip install ofer[dask]"
        ) from error
    with Client(scheduler), parallel_config(backend="dask"):
        yield
