"""The bill of materials that ``make dist`` puts beside the archives, in the form of CycloneDX.

python -m reproduction.pipeline.inventory .cache/dist/venv/bin/python
"""

import json
import subprocess
import sys


def inventory(python):
    """List what is installed beside a Python: names, versions, licences, who needs whom.

    Its own addresses are left out: a package is known by its name and version, while addresses are
    those of a registry, of a project's pages, or of a folder on this machine. So is all that
    changes from one run to the next.

    Parameters
    ----------
    python : path-like
        The program.

    Returns
    -------
    text : str
        JSON; `ofer` is the root, and the same packages give the same text.

    Raises
    ------
    RuntimeError
        With what cyclonedx-py says, when it fails.
    """
    command = [sys.executable, "-m", "cyclonedx_py", "environment", python]
    command += ["--output-reproducible", "--no-validate"]
    made = subprocess.run(command, capture_output=True, text=True)
    if made.returncode:
        raise RuntimeError(f"No bill of materials of {python}: {made.stderr.strip()}")
    bill = json.loads(made.stdout)
    for component in [*bill["components"], *bill["metadata"]["tools"]["components"]]:
        component.pop("externalReferences", None)
    (root,) = (component for component in bill["components"] if component["name"] == "ofer")
    bill["components"].remove(root)
    bill["metadata"]["component"] = root
    return json.dumps(bill, indent=1)


if __name__ == "__main__":
    print(inventory(sys.argv[1]))
