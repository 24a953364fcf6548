"""What the numbers of the stored tables of OFER can be."""

from reproduction.engine.columns import Number

_SIZES = (10, 12, 30, 50, 60, 100, 120, 200, 300, 500, 1000)
_LEVELS = ("0.5", "0.8", "0.9", "0.95")

COLUMNS = {
    "rrmse": Number(),
    "arrmse": Number(),
    "learning error": Number(),
    "rrmse observed": Number(),
    "rrmse latent": Number(),
    "rrmse of few": Number(),
    **{f"rrmse {size}": Number() for size in _SIZES},
    "solved": Number(0, 1),
    "deviation": Number(),
    "pre-image share": Number(),
    "block loss": Number(),
    "chosen over true": Number(),
    **dict.fromkeys(("beaten", "others near zero", "not convex", "above zero"), Number(0, 1)),
    "accuracy": Number(0, 100),
    "accuracy by angle": Number(0, 100),
    "iterations": Number(1, whole=True),
    "converged": Number(0, 1, whole=True),
    "rank": Number(0, 100),
    "right": Number(0, 100),
    "used": Number(0, 1, whole=True),
    "n_components": Number(1, whole=True, choice=True),
    "n_neighbours": Number(1, whole=True, choice=True),
    "n_clusters": Number(1, whole=True, choice=True),
    "n_hidden": Number(1, whole=True, choice=True),
    "weak_weight": Number(choice=True),
    "width_factor": Number(choice=True),
    "cost": Number(choice=True),
    "learning_rate": Number(choice=True),
    "features tried": Number(0, 1, choice=True),
    "n_outputs": Number(1, whole=True),
    "n_train": Number(1, whole=True),
    "n_test": Number(1, whole=True),
    **{f"coverage {level}": Number(0, 1) for level in _LEVELS},
    **{f"log size {level}": Number(-100, 100) for level in _LEVELS},
    **{f"slab {level}": Number(0, 1) for level in _LEVELS},
    **{f"{name}_{level}": Number(0, 1) for name in ("rate", "power") for level in ("05", "001")},
    **{f"detectable_{level}": Number() for level in ("05", "001")},
    "standard error": Number(),
}
