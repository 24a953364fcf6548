"""What the numbers of the stored tables that answer later papers, and of the guide, can be."""

from reproduction.engine.columns import Number

COLUMNS = {
    "f1": Number(0, 100),
    "se": Number(0, 100),
    "lead": Number(-100, 100),
    "behind": Number(-100, 100),
    **{f"{name} se": Number(0, 100) for name in ("f1", "lead", "behind")},
    "error": Number(),
    "mse": Number(),
    "alpha": Number(choice=True),
    "gamma": Number(choice=True),
    "r2": Number(-100, 1),
    "accuracy": Number(0, 1),
    "warned": Number(0, 1, whole=True),
    "n": Number(1, whole=True),
}
