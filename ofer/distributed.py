"""Fits to blocks of samples on several machines; needs dask, ``pip install ofer[dask]``."""

from copy import deepcopy
from itertools import islice

import dask
import dask.array as da
import numpy as np
from distributed import Client, Future, as_completed, default_client
from scipy import sparse
from sklearn.base import BaseEstimator, clone
from threadpoolctl import threadpool_limits

from ofer.utils.sklearn_private import HasMethods, safe_indexing

__all__ = ["fit"]

PILOT_ROWS, PILOT_BLOCKS = 10_000, 16
CONTRACT = ["partial_fit", "merge", "without_samples"]


def fit(
    model: BaseEstimator, X: object, y: object, *, client: Client | None = None
) -> BaseEstimator:
    """Fit a model to blocks of samples on the workers of a dask cluster.

    Up to 10,000 samples, drawn from 16 blocks evenly over the data, give what is fixed first: the
    centres, and the output model of OFER. Then each block is summed over where it is, a worker's
    sums are merged there, and those of the workers in the end. Two blocks for each thread are
    under way at a time, so that no worker ever holds many. When a worker is lost, the blocks that
    it had summed over are computed again, and no others.

    Parameters
    ----------
    model : estimator
        With the methods `partial_fit`, `merge` and `without_samples`: `NystroemRidgeCV`, or
        `OutputFisherRegressor` with one. Not changed.
    X, y : dask array, dask dataframe, or sequence of blocks
        Inputs and targets, cut into the same blocks of samples. Those of a sequence are arrays or,
        better, delayed: what reads or makes a block is then run by the worker, while arrays pass
        through the scheduler. The blocks that the pilot samples are from are computed twice. A
        dataframe needs `dask.dataframe`, which needs pyarrow.
    client : distributed.Client, default=None
        Client of the cluster; None is the current one.

    Returns
    -------
    estimator
        The fitted model: the same, up to roundoff, as `partial_fit` on one machine with the same
        centres and output model, block after block in any order.

    Raises
    ------
    TypeError, ValueError
        If the model lacks a method, or X and y have other numbers of blocks.

    Notes
    -----
    Run one thread per worker, and as many workers as there are cores:
    ``dask worker tcp://... --nworkers auto --nthreads 1``. A task keeps numerical libraries at one
    thread. A worker needs the memory of two blocks and of some m x m matrices, for m centres.

    Examples
    --------
    >>> from distributed import Client  # doctest: +SKIP
    >>> import dask.array as da  # doctest: +SKIP
    >>> import ofer.distributed  # doctest: +SKIP
    >>> X = da.random.normal(size=(10**7, 20), chunks=(10**4, 20))  # doctest: +SKIP
    >>> with Client(n_workers=2, threads_per_worker=1) as client:  # doctest: +SKIP
    ...     model = ofer.distributed.fit(ofer.NystroemRidgeCV(), X, X[:, :2] ** 2)
    """
    if not HasMethods(CONTRACT).is_satisfied_by(model):
        raise TypeError(
            f"model must have the methods {', '.join(CONTRACT)}, as NystroemRidgeCV has; "
            f"got {model!r}."
        )
    client = default_client() if client is None else client
    blocks = _pair(X, y)
    start = client.submit(deepcopy, _begin(client, model, blocks), pure=False)

    def total(block):
        return client.submit(_add, start, *client.compute(block), pure=False)

    by_worker: dict[str | None, Future] = {}
    waiting = iter(blocks)
    under_way = as_completed(map(total, islice(waiting, 2 * sum(client.nthreads().values()))))
    for done in under_way:
        if done.status != "finished":
            done.result()  # raises
        for block in islice(waiting, 1):
            under_way.add(total(block))
        holder = next(iter(client.who_has([done])[done.key]), None)  # none if it was just lost
        before = by_worker.get(holder)
        by_worker[holder] = done if before is None else _merged(client, before, done, holder)
    parts = list(by_worker.values())
    while len(parts) > 1:
        pairs = zip(parts[::2], parts[1::2], strict=False)
        parts = [_merged(client, *pair) for pair in pairs] + parts[len(parts) // 2 * 2 :]
    return parts[0].result()


def _pair(X, y):
    """Pairs of a block of X and one of y, delayed or as they are given."""
    if isinstance(X, da.Array) and isinstance(y, da.Array) and not np.isnan(X.chunks[0]).any():
        y = y.rechunk({0: X.chunks[0]})
    parts = []
    for array in (X, y):
        if isinstance(array, da.Array):
            array = array.rechunk(dict.fromkeys(range(1, array.ndim), -1))
            parts.append(array.to_delayed().ravel().tolist())
        else:
            parts.append(list(array.to_delayed() if dask.is_dask_collection(array) else array))
    sizes = [len(part) for part in parts]
    if sizes[0] != sizes[1] or not sizes[0]:
        raise ValueError(
            f"X and y must have the same blocks, at least one; got {sizes[0]} and {sizes[1]}."
        )
    return list(zip(*parts, strict=True))


def _begin(client, model, blocks):
    """Fix what the first samples of a model fix, by samples from several blocks."""
    chosen = np.unique(np.linspace(0, len(blocks) - 1, PILOT_BLOCKS).astype(int))
    share = -(-PILOT_ROWS // len(chosen))
    drawn = [client.submit(_draw, *client.compute(blocks[i]), share, i) for i in chosen.tolist()]
    X, y = (_stack(part) for part in zip(*client.gather(drawn), strict=True))
    return clone(model).partial_fit(X, y).without_samples()


def _draw(X, y, n_rows, seed):
    """Some rows of a block."""
    n = X.shape[0]
    rows = np.random.default_rng(seed).choice(n, min(n, n_rows), replace=False)
    return safe_indexing(X, rows), safe_indexing(y, rows)


def _stack(parts):
    """Rows of several blocks together."""
    if sparse.issparse(parts[0]):
        return sparse.vstack(parts, format="csr")
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)
    import pandas as pd

    return pd.concat(parts)


def _add(start, X, y):
    """A model that has seen one block."""
    with threadpool_limits(1, user_api="blas"):
        return deepcopy(start).partial_fit(X, y) if X.shape[0] else start


def _merged(client, first, second, worker=None):
    """Future of what two models have seen together; on the worker that has them, if it lives."""
    where = {} if worker is None else {"workers": [worker], "allow_other_workers": True}
    return client.submit(_merge, first, second, pure=False, **where)


def _merge(first, second):
    return deepcopy(first).merge(second)  # a task leaves what it is given as it is
