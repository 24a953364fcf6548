import subprocess
import sys


def test_importing_the_package_is_light():
    """It brings numpy, scipy and scikit-learn, and what these bring, and nothing else."""
    heavy = "pandas", "matplotlib", "pooch", "yaml", "ofer.datasets", "ofer.companions"
    code = (
        "import sys, sklearn.base, sklearn.metrics, sklearn.mixture, sklearn.pipeline\n"
        f"known = set(sys.modules)\nimport ofer, ofer.metrics\n"
        f"print([n for n in {heavy!r} if n in sys.modules and n not in known])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
