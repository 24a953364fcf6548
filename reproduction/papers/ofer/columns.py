"""What the numbers of the stored tables of OFER can be."""

from reproduction.engine.columns import Chosen, Counted, Number, Size

_STEPS = ("global", *(f"step {i}" for i in range(1, 6)))
_SIZES = (10, 12, 30, 50, 60, 100, 120, 200, 300, 500, 1000)
_CALTECH, _AWA = 5472, 9143  # test pictures
_LEVELS = ("0.5", "0.8", "0.9", "0.95")

COLUMNS = {
    "rrmse": Number(),
    "arrmse": Number(),
    "learning error": Number(),
    "rrmse observed": Number(),
    "rrmse latent": Number(),
    "rrmse of two components": Number(),
    **{f"rrmse {where}": Number() for where in (*_STEPS, *_SIZES)},
    **{f"relative {where}": Number() for where in _STEPS},
    "solved": Counted(200),
    "accuracy": Number(0, 100),
    "rank": Number(0, 100),
    **{
        (f"ofer-{table}", "accuracy"): Counted(_CALTECH, 100)
        for table in (
            "latent-caltech101",
            "latent-curves-caltech101",
            "latent-others-caltech101",
        )
    },
    **{(f"ofer-table-{i}", "accuracy"): Counted(_CALTECH, 100) for i in (11, 13)},
    **{(f"ofer-table-{i}", "accuracy"): Counted(_AWA, 100) for i in (12, 14)},
    ("ofer-latent-svm-awa", "accuracy"): Counted(_AWA, 100),
    "seen": Number(0, 100),
    "unseen": Number(0, 100),
    "harmonic": Number(0, 100),
    "right": Counted(800, 100),
    "n_components": Chosen(),
    "n_states": Chosen(),
    "weak_weight": Chosen(),
    "width_factor": Chosen(),
    "output_width": Chosen(),
    "noise": Chosen(),
    "cost": Chosen((1e-3, 1e-2, 1e-1, 1e3, 1e4)),  # a decade beyond the best
    "n_hidden": Chosen(),
    "learning_rate": Chosen(),
    "features tried": Counted(1280),  # of at most as many features
    "n_outputs": Size(1),
    "n_train": Size(1),
    "n_test": Size(1),
    **{f"coverage {level}": Counted(("n_test", "n_outputs")) for level in _LEVELS},
    **{f"log size {level}": Number(-100, 100) for level in _LEVELS},
    **{f"slab {level}": Number(0, 1) for level in _LEVELS},
}
