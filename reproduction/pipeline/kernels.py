"""Kernels that talk to their notebook through files.

A kernel is told its ports before it opens them, and another process may take one meanwhile.
jupyter_client finds `SocketProvisioner` by its entry point, see ``pyproject.toml``, and takes it
where the environment names it, see `ENVIRONMENT` of `reproduction.pipeline.execute`.
"""

import atexit
import tempfile
from functools import cache
from itertools import count

from jupyter_client.provisioning import LocalProvisioner

__all__ = ["SocketProvisioner"]

_NUMBERS = count()


class SocketProvisioner(LocalProvisioner):
    """Starts a kernel as usual, with files for its sockets."""

    async def pre_launch(self, **kwargs):
        """Name the files, which are gone when the kernel is."""
        self.parent.transport = "ipc"
        self.parent.ip = f"{_folder()}/{next(_NUMBERS)}"
        return await super().pre_launch(**kwargs)


@cache
def _folder():
    """Folder of sockets, whose paths may have no more than 104 letters on macOS."""
    folder = tempfile.TemporaryDirectory(prefix="kernels-")
    atexit.register(folder.cleanup)
    return folder.name
