"""Where products set flags without a cause, the package is quiet, and nowhere else."""

import inspect
import os
import subprocess
import sys

import numpy as np
import pytest

from ofer.ridge import KernelSolution
from ofer.utils import products

SUCH_A_PROCESSOR = "import warnings; warnings.simplefilter('error'); import tests.ofer.flagging"
LOUD = """
import inspect
from importlib import import_module
from tests.ofer.test_types import PACKAGES
from ofer.utils.products import SPURIOUS, quiet

def layers(function):
    yield function.__code__
    if wrapped := vars(function).get("__wrapped__"):
        yield from layers(wrapped)

def functions(value):
    if inspect.isclass(value):
        for name in dir(value):
            member = getattr(value, name)
            member = member.fget if isinstance(member, property) else member
            member = getattr(member, "__func__", member)
            if not name.startswith("_"):
                yield member
    else:
        yield value

print(SPURIOUS)
door = quiet(lambda: None).__code__
for package in PACKAGES:
    module = import_module(package)
    for name in module.__all__:
        for one in functions(getattr(module, name)):
            ours = inspect.isfunction(one) and inspect.unwrap(one).__module__.startswith("ofer")
            if ours and not getattr(one, "__isabstractmethod__", False):
                if door not in layers(one):
                    print(one.__module__, one.__qualname__)
"""


def on_such_a_processor(program):
    """What a program prints where products set flags, and warnings are errors."""
    command = [sys.executable, "-c", f"{SUCH_A_PROCESSOR}\n{program}"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout.split("\n")


needs_c = pytest.mark.skipif(os.name == "nt", reason="the flags are set by functions of C")


@needs_c
def test_every_public_function_and_method_is_quiet():
    assert on_such_a_processor(LOUD) == ["True", ""]


@needs_c
def test_there_other_products_warn_and_raise_and_ours_do_not():
    program = """
import numpy as np
from ofer import KernelRidgeCV, KernelSystem, NystroemRidgeCV
from ofer.kernels import tanimoto_kernel
X = np.random.default_rng(0).normal(size=(60, 20))
for make in (
    lambda: X @ X.T,
    lambda: KernelRidgeCV().fit(X, X).predict(X),
    lambda: KernelSystem.from_kernel(np.eye(60), alpha=1.0).coordinates,
    lambda: KernelSystem.from_features(X.T).loadings,
    lambda: NystroemRidgeCV(n_components=20).fit(X, X).dual_coef_,
    lambda: tanimoto_kernel(np.packbits(X > 0, axis=1), packed=True),
):
    try:
        make()
        with np.errstate(all="raise"):
            make()
        print("quiet")
    except (RuntimeWarning, FloatingPointError) as error:
        print(error)
"""
    said = on_such_a_processor(program)
    assert said == ["divide by zero encountered in matmul", *5 * ["quiet"], ""]


def test_elsewhere_a_true_overflow_warns(monkeypatch):
    monkeypatch.setattr(products, "SPURIOUS", False)
    predict = products.quiet(inspect.unwrap(KernelSolution.predict))
    with pytest.warns(RuntimeWarning, match="overflow encountered in matmul"):
        predict(KernelSolution(np.full((2, 1), 1e200), np.zeros(1)), np.full((1, 2), 1e200))
