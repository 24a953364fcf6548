"""What commands share: one at a time works in a checkout, and with it ends all that it began.

Processes of a command know each other by their folder for temporary files, which is in the
environment of each. A guard waits until the command has ended, however it did, ends the others, and
removes the folder. It holds the lock of the command so long.
"""

import contextlib
import fcntl
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

from reproduction.paths import CHECKOUT

__all__ = ["ignore_interrupts", "run"]

_LOCK = CHECKOUT / ".cache" / "command.lock"
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run(main, *, alone=True):
    """Call the main function of a command, and end this process with its code.

    An interrupt ends what was begun, then raises `KeyboardInterrupt` in `main`, and the command
    ends without waiting for threads. Where `alone` is true, the command stops at once if another
    works in the checkout. Whatever cannot be written is told in a line.
    """
    try:
        with _only_one() if alone else contextlib.nullcontext() as lock, _guarded(lock):
            try:
                code = main()
            except KeyboardInterrupt:
                _end_all(os.environ["TMPDIR"])  # what has begun since the signal
                print("Interrupted. The same command continues.", file=sys.stderr, flush=True)
                os._exit(130)
    except OSError as error:
        if error.filename is None:
            raise
        words = f"{error.filename} cannot be written ({error.strerror})."
        if Path(error.filename).is_relative_to(_LOCK.parent):
            words += " The folder .cache may be removed: the commands fill it again."
        print(words, file=sys.stderr)
        code = 1
    sys.exit(code)


@contextlib.contextmanager
def _only_one():
    """Hold the lock of the checkout, as a file, or exit with a sentence on who has it."""
    _LOCK.parent.mkdir(exist_ok=True)
    with _LOCK.open("a+", encoding="utf-8") as file:
        while not _locked(file):
            file.seek(0)
            number, _, words = file.read().partition(" ")
            if not number or psutil.pid_exists(int(number)):
                sys.exit(
                    f"Another command works in this checkout (process {number}: {words}). "
                    "Run this one when it has ended."
                )
            time.sleep(0.1)  # its guard ends its processes
        file.truncate(0)
        file.write(f"{os.getpid()} {shlex.join(sys.orig_argv)}")
        file.flush()
        yield file


def _locked(file):
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextlib.contextmanager
def _guarded(lock):
    """Have a guard for this process, and end what it has begun when there is a signal."""
    folder = tempfile.mkdtemp(prefix="ofer-")
    guard = subprocess.Popen(
        [sys.executable, "-m", __name__, folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=[lock.fileno()] if lock else [],
        start_new_session=True,  # a signal to all processes of a terminal does not reach it
    )
    os.environ["TMPDIR"] = tempfile.tempdir = folder
    os.environ["PYTHONWARNINGS"] = "ignore:resource_tracker"  # which says how much it removes

    def interrupt(number, frame):
        for one in _SIGNALS:  # a second one does not wait: the guard does the rest
            signal.signal(one, lambda *_: os._exit(130))
        _end_all(folder)
        raise KeyboardInterrupt

    for number in _SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:  # as nohup asks
            signal.signal(number, interrupt)
    with guard.stdin:
        yield


def ignore_interrupts():
    """Leave the interrupt of a terminal to the command, in a worker that begins with it blocked."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _end_all(folder):
    """Kill the processes with this folder for temporary files, and those that they begin."""
    while found := [*_running(folder)]:
        for process in found:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
        time.sleep(0.02)  # who began one waits for it, and learns what has become of it


def _running(folder):
    """Processes with a folder for temporary files.

    Without trackers of resources: they end after the last process, and remove what it has left.
    """
    for process in psutil.process_iter(["environ", "cmdline", "status"]):
        environment, words = process.info["environ"] or {}, " ".join(process.info["cmdline"] or [])
        ended = process.info["status"] == psutil.STATUS_ZOMBIE
        if environment.get("TMPDIR") == folder and not ended and "resource_tracker" not in words:
            yield process


def _guard(folder):
    """Wait for the end of the command, which holds the other end of standard input."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    sys.stdin.buffer.read()
    _end_all(folder)
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    _guard(sys.argv[1])
