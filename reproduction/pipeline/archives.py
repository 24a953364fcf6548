"""Archives of the two distributions: the same sources give the same bytes.

python -m reproduction.pipeline.archives dist
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from reproduction.paths import CHECKOUT

__all__ = ["build_archives"]

# 1980, where the times of zip files begin.
EPOCH = "315532800"
# The second distribution lies in a folder of the first, which it names.
_ELSEWHERE = re.compile(r"^(package-dir|where) = .*\n", re.MULTILINE)


def build_archives(target, *kinds):
    """Build both distributions from copies, so that nothing is left in the checkout.

    Parameters
    ----------
    target : path-like
        Folder of the archives.
    *kinds : str
        Options of ``build``, such as ``"--wheel"``. None are wheels and source archives.

    Raises
    ------
    RuntimeError
        With what ``build`` says, when it fails.
    """
    target = Path(target).resolve()
    with tempfile.TemporaryDirectory() as folder:
        for package in ("ofer", "reproduction"):
            copy = Path(folder, f"{package}-source")
            ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
            shutil.copytree(CHECKOUT / package, copy / package, ignore=ignored)
            settings = CHECKOUT / ("" if package == "ofer" else package) / "pyproject.toml"
            text = _ELSEWHERE.sub("", settings.read_text(encoding="utf-8"))
            (copy / "pyproject.toml").write_text(text, encoding="utf-8")
            for name in ("LICENSE", "README.md"):
                shutil.copy(CHECKOUT / name, copy)
            command = [sys.executable, "-m", "build", "--no-isolation", *kinds]
            done = subprocess.run(
                [*command, "--outdir", target, copy],
                env={**os.environ, "SOURCE_DATE_EPOCH": EPOCH},
                capture_output=True,
                text=True,
            )
            if done.returncode:
                raise RuntimeError(f"{package} was not built.\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    build_archives(*sys.argv[1:])
