"""Run tasks of `reproduction.pipeline.dodo`: ``python -m reproduction.pipeline [doit's words]``."""

import sys

from doit.cmd_base import ModuleTaskLoader
from doit.doit_cmd import DoitMain

from reproduction.pipeline import dodo
from reproduction.pipeline.command import run


def main():
    """Run doit on the tasks."""
    return DoitMain(ModuleTaskLoader(dodo)).run(sys.argv[1:])


if __name__ == "__main__":
    run(main)
