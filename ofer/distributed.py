"""Fits to batches of samples on several machines; needs dask, ``pip install ofer[dask]``."""

from collections.abc import Sequence
from copy import deepcopy
from functools import partial
from itertools import islice

import dask
import dask.array as da
import numpy as np
from dask.delayed import Delayed
from dask.optimization import cull
from dask.utils import ensure_dict
from distributed import Client, Future, as_completed, default_client
from sklearn.base import BaseEstimator, clone
from threadpoolctl import threadpool_limits

from ofer.utils.absent import stack_rows, take
from ofer.utils.products import quiet
from ofer.utils.sklearn_private import HasMethods, num_samples

__all__ = ["fit"]

PILOT_ROWS, PILOT_BATCHES = 10_000, 16
CONTRACT = ["partial_fit", "merge", "without_samples"]


@quiet
def fit(
    model: BaseEstimator,
    X: object,
    y: object,
    sample_weight: object = None,
    *,
    client: Client | None = None,
) -> BaseEstimator:
    """Fit a model to batches of samples on the workers of a dask cluster.

    Up to 10,000 samples, drawn from 16 batches evenly over the data, give what is fixed first: the
    centres, and the output model of OFER. Then each batch is summed over where it is, a worker's
    sums are merged there, and those of the workers in the end. Two batches for each thread are
    under way at a time, so that no worker ever holds many. When a worker is lost, the batches that
    it had summed over are computed again; of the others only those that are under way may be.

    Parameters
    ----------
    model : estimator
        With the methods `partial_fit`, `merge` and `without_samples`: `NystroemRidgeCV`, or
        `OutputFisherRegressor` with one. Not changed.
    X, y : dask array, dask dataframe, or sequence of batches
        Inputs and targets, cut into the same batches of samples. Batches of a sequence are arrays
        or, better, delayed: then the worker reads or makes a batch, while arrays pass through the
        scheduler. The batches that the pilot samples are from are computed twice. A dataframe needs
        `dask.dataframe`, which needs pyarrow.
    sample_weight : like y, default=None
        Weights, cut into the same batches; samples of weight zero are absent.
    client : distributed.Client, default=None
        Client of the cluster; None is the current one.

    Returns
    -------
    estimator
        The fitted model: the same, up to roundoff, as `partial_fit` on one machine with the same
        centres and output model, batch after batch in any order.

    Raises
    ------
    TypeError, ValueError
        If the model lacks a method, X, y or sample_weight is one array, they have other numbers
        of batches, a batch has other columns than were given, or no sample has a positive weight.

    Notes
    -----
    Run one thread per worker, and as many workers as there are cores:
    ``dask worker tcp://... --nworkers auto --nthreads 1``. A task keeps numerical libraries at one
    thread. A worker needs the memory of two batches and of some m x m matrices, for m centres.

    Anyone who reaches a scheduler or a worker can run any code there, and by default connections
    are not encrypted. So use ``tcp://`` only in networks that you trust, such as this machine's
    own. With `distributed.security.Security` both sides ask for a certificate and encrypt what they
    send, and addresses begin with ``tls://``: ``Client("tls://...",
    security=Security(require_encryption=True, tls_ca_file=..., tls_client_cert=...,
    tls_client_key=...))``, or ``security = Security.temporary()`` for a `LocalCluster` and its
    client, which needs the package cryptography.

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
    data = {"X": X, "y": y} | ({} if sample_weight is None else {"sample_weight": sample_weight})
    batches, check = _pair(data), partial(_check, {k: _columns(v) for k, v in data.items()})
    start = client.submit(deepcopy, _begin(client, model, batches, check), pure=False)

    def total(batch):
        return client.submit(_add, start, check, *client.compute(batch), pure=False)

    by_worker: dict[str | None, Future] = {}
    waiting = iter(batches)
    under_way = as_completed(map(total, islice(waiting, 2 * sum(client.nthreads().values()))))
    for done in under_way:
        if done.status != "finished":
            done.result()  # raises
        for batch in islice(waiting, 1):
            under_way.add(total(batch))
        holder = next(iter(client.who_has([done])[done.key]), None)  # none if it was just lost
        before = by_worker.get(holder)
        by_worker[holder] = done if before is None else _merged(client, before, done, holder)
    parts = list(by_worker.values())
    while len(parts) > 1:
        pairs = zip(parts[::2], parts[1::2], strict=False)
        parts = [_merged(client, *pair) for pair in pairs] + parts[len(parts) // 2 * 2 :]
    return parts[0].result()


def _pair(data):
    """Batches of all data, {name: batches}, side by side: delayed, or as they are given."""
    for name, batches in data.items():
        if not dask.is_dask_collection(batches) and not isinstance(batches, Sequence):
            raise TypeError(
                f"{name} must be a dask array, a dask dataframe or a list of batches; got one "
                f"{type(batches).__name__}. Cut it into batches, or call the fit of the model."
            )
    chunks = [batches.chunks[0] for batches in data.values() if isinstance(batches, da.Array)]
    alike = len(chunks) == len(data) and not np.isnan(np.concatenate(chunks)).any()
    parts = [_batches(batches, chunks[0] if alike else None) for batches in data.values()]
    if len(sizes := {len(part) for part in parts}) > 1 or 0 in sizes:
        counts = ", ".join(f"{len(part)} of {name}" for name, part in zip(data, parts, strict=True))
        raise ValueError(
            f"{', '.join(data)} must have the same batches, at least one; got {counts}."
        )
    return list(zip(*parts, strict=True))


def _batches(data, chunks):
    """Batches of samples; delayed, each with its own part of the graph and no more."""
    if not dask.is_dask_collection(data):
        return list(data)
    if isinstance(data, da.Array):
        rows = {} if chunks is None else {0: chunks}
        data = data.rechunk(dict.fromkeys(range(1, data.ndim), -1) | rows)
    # Columns are chosen where they are read. Further optimisation may join parts of a frame, and
    # those of X are then not those of y.
    frame = not isinstance(data, da.Array)
    parts = np.ravel((data.simplify() if frame else data).to_delayed(optimize_graph=not frame))
    graph = ensure_dict(parts[0].__dask_graph__()) if parts.size else {}
    return [Delayed(part.key, cull(graph, part.key)[0]) for part in parts]


def _columns(data):
    """Names of the columns of a dask frame, the name of a series, or None if they are not known."""
    if not dask.is_dask_collection(data) or isinstance(data, da.Array):
        return None
    return [*data.columns] if data.ndim > 1 else data.name


def _check(columns, *batch):
    """Raise ValueError unless the batch has the columns that were given."""
    for (name, expected), values in zip(columns.items(), batch, strict=True):
        if expected is not None:
            names = [*values.columns] if values.ndim > 1 else values.name
            if names != expected:
                raise ValueError(
                    f"{name} must have the columns {expected} in each batch; got {names}."
                )


def _begin(client, model, batches, check):
    """Fix what the first samples of a model fix, by samples from several batches."""
    chosen = np.unique(np.linspace(0, len(batches) - 1, PILOT_BATCHES).astype(int))
    share, drawn = -(-PILOT_ROWS // len(chosen)), []
    others = np.setdiff1d(np.arange(len(batches)), chosen)  # if those have next to no samples
    for some in np.split(np.append(chosen, others), np.arange(len(chosen), len(batches), 16)):
        futures = [
            client.submit(_draw, share, i, check, *client.compute(batches[i]))
            for i in some.tolist()
        ]
        drawn += [part for part in client.gather(futures) if part is not None]
        if sum(num_samples(part[0]) for part in drawn) >= 2:
            pilot = [*zip(*drawn, strict=True)]
            for name, parts in zip(("X", "y"), pilot, strict=False):
                if len(shapes := {np.shape(part)[1:] for part in parts}) > 1:
                    raise ValueError(
                        f"{name} must have rows of one shape in all batches; got {sorted(shapes)}."
                    )
            return clone(model).partial_fit(*map(stack_rows, pilot)).without_samples()
    raise ValueError("X must have samples of positive weight, at least two; got fewer.")


def _draw(n_rows, seed, check, *batch):
    """Some rows of a batch, of positive weight; None if there are none."""
    check(*batch)
    seen = np.arange(num_samples(batch[0]))
    if len(batch) > 2:
        seen = seen[np.asarray(batch[2]).ravel() > 0]
    rows = np.random.default_rng(seed).choice(seen, min(len(seen), n_rows), replace=False)
    return [take(part, rows) for part in batch] if len(rows) else None


def _add(start, check, *batch):
    """A model that has seen one batch."""
    check(*batch)
    with threadpool_limits(1, user_api="blas"):
        return deepcopy(start).partial_fit(*batch) if num_samples(batch[0]) else start


def _merged(client, first, second, worker=None):
    """Future of what two models have seen together; on the worker that has them, if it lives."""
    where = {} if worker is None else {"workers": [worker], "allow_other_workers": True}
    return client.submit(_merge, first, second, pure=False, **where)


def _merge(first, second):
    return deepcopy(first).merge(second)  # a task leaves what it is given as it is
