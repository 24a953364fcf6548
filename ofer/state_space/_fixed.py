"""What a fit of a state-space model holds: whole parameters, or parts of them by masks."""

from collections.abc import Collection, Mapping

import numpy as np

from ofer.state_space._kalman import NAMES, ROUNDOFF, Parameters


def check_fixed(fixed):
    """Names of parameters that are held as a whole, and masks of those of which entries are."""
    masks = dict(fixed) if isinstance(fixed, Mapping) else {}
    listed = isinstance(fixed, Collection) and not isinstance(fixed, str)
    if not listed or any(name not in NAMES for name in fixed):
        raise ValueError(
            f"fixed must be a tuple of names among {NAMES}, or a mapping from them to masks; "
            f"got {fixed!r}."
        )
    if not masks:
        return {*fixed}, {}
    masks = {name: np.asarray(mask) for name, mask in masks.items()}
    for name, mask in masks.items():
        if mask.dtype != bool:
            raise ValueError(
                f"fixed must have masks of True and False; got {mask.dtype} for {name}."
            )
    whole = {name for name, mask in masks.items() if mask.all()}
    return whole, {name: mask for name, mask in masks.items() if mask.any() and name not in whole}


def check_masks(masks, start, held, diagonal):
    """By field, the masks of those that are not held as a whole.

    Raises ValueError for a wrong shape, or where the M-step would not maximise what is free: of
    covariances whole blocks are held or free, and the entries between blocks are held at zero.
    """
    checked = {}
    for name, mask in masks.items():
        field = Parameters._fields[NAMES.index(name)]
        value = getattr(start, field)
        if mask.shape != value.shape:
            raise ValueError(
                f"fixed must have masks of the shapes of the parameters; got {mask.shape} for "
                f"{name} of shape {value.shape}."
            )
        if field in held:
            continue
        checked[field] = mask
        if not name.endswith("covariance"):
            continue
        if field == "R" and diagonal:
            checked[field] = mask = mask | ~np.eye(len(mask), dtype=bool)
        if not _is_in_blocks(mask, value):
            raise ValueError(
                f"fixed must hold whole blocks of {name}, with zeros held between blocks, such as "
                f"off the diagonal; got {mask.tolist()}."
            )
    for matrix, offset, covariance in (("A", "a", "Q"), ("C", "b", "R"), ("mu0", "mu0", "Sigma0")):
        stays = covariance in held or covariance in checked
        if {matrix, offset} & checked.keys() and stays and _is_rigid(getattr(start, covariance)):
            names = [NAMES[Parameters._fields.index(one)] for one in (matrix, covariance)]
            raise ValueError(
                f"fixed must not hold a part of {names[0]} beside a {names[1]} that is singular "
                "but for zeros on its diagonal."
            )
    return checked


def _is_in_blocks(mask, covariance):
    """Whether entries off the free blocks of a covariance are held, and are zero beside them."""
    free = ~mask
    within = np.outer(np.diagonal(free), np.diagonal(free))
    connected = (free.astype(int) @ free) > 0
    return bool(
        (mask == mask.T).all()
        and not free[~within].any()
        and (connected == free)[within].all()
        and not covariance[mask & (np.diagonal(free) | np.diagonal(free)[:, None])].any()
    )


def _is_rigid(covariance):
    """Whether noises that are not zero determine each other."""
    noisy = np.flatnonzero(np.diagonal(covariance))
    block = covariance[np.ix_(noisy, noisy)]
    unit = np.sqrt(np.diagonal(block))
    return len(noisy) > 0 and np.linalg.eigvalsh(block / np.outer(unit, unit))[0] < ROUNDOFF
