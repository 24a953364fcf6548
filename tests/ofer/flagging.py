"""Import this, and the processor sets flags in products of matrices, though they are right.

The loops of `numpy.matmul` are replaced by ones that compute the same and then divide by zero,
overflow and take the logarithm of a negative number, which sets the flags.
"""

import ctypes

import numpy as np


class _UFunc(ctypes.Structure):
    """The beginning of NumPy's structure of this name."""

    _fields_ = [
        ("head", ctypes.c_byte * object.__basicsize__),
        ("counts", ctypes.c_int * 4),
        ("loops", ctypes.POINTER(ctypes.c_void_p)),
    ]


_LOOP = ctypes.CFUNCTYPE(None, *4 * [ctypes.c_void_p])
_C = ctypes.CDLL(None)
_LOG, _EXP = (
    ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)((name, _C)) for name in ("log", "exp")
)


def _flagging(loop):
    def same(*arguments):
        loop(*arguments)
        _LOG(0.0), _LOG(-1.0), _EXP(1e9)

    return _LOOP(same)


_LOOPS = _UFunc.from_address(id(np.matmul)).loops
_KEPT = {
    i: _flagging(_LOOP(_LOOPS[i])) for i, t in enumerate(np.matmul.types) if t in ("ff->f", "dd->d")
}
for _i, _loop in _KEPT.items():
    _LOOPS[_i] = ctypes.cast(_loop, ctypes.c_void_p).value
