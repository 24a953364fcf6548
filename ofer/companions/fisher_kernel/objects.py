"""Structured objects: checked, and packed into batches of chains or graphs."""

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from ofer.companions._checks import check_unmasked, join_labels
from ofer.companions.fisher_kernel.chains import Chains
from ofer.companions.fisher_kernel.graphs import Graphs
from ofer.companions.fisher_kernel.row_reductions import indicator
from ofer.utils.labels import plain
from ofer.utils.validation import check_range

BATCH_CHAINS = 256
STEP = 1000  # nodes of a batch of chains that take as long as one more step
BATCH_NODES = 50_000  # nodes in a batch of graphs


class Objects(NamedTuple):
    """Checked objects: nodes one after the other, and edges between rows of them, or None."""

    nodes: np.ndarray  # (N, d) float or (N,) int
    sizes: np.ndarray  # (n,)
    edges: np.ndarray | None  # (E, 2)
    width: int  # columns, or number of symbols


class Batch(NamedTuple):
    """Objects that are computed together."""

    nodes: np.ndarray  # (N, d), in the frame; or (N,) symbols
    design: csr_array  # (N, n m), the features of each node in the columns of its object
    structure: Chains | Graphs
    places: np.ndarray  # (n,), the objects' places in the input


class Unseen(NamedTuple):
    """Structures without their nodes: each length of chains once, and graphs as they are."""

    structure: Chains | Graphs
    places: np.ndarray  # of objects in the input
    like: np.ndarray  # the item of the structure that each of these is like

    def sum_moves(self, moves):
        """Sums (m, ...) of arrays (n, ...) of all objects, over those that are like an item."""
        rows = moves[self.places]
        sums = indicator(self.like, len(self.structure.sizes)) @ rows.reshape(len(rows), -1)
        return sums.reshape(-1, *moves.shape[1:])


class Packed(NamedTuple):
    """Structured objects in batches."""

    batches: list
    unseen: list
    frame: tuple  # the shift that was taken from the nodes, and what they were divided by
    spread: float  # root mean square of the framed nodes' columns; 1 for symbols
    n_objects: int
    n_nodes: int


def check_objects(objects, kind, width=None):
    """Structured objects, checked: a message names the object that is none.

    The class of the emissions, `kind`, says what nodes are; `width` is the number of columns or of
    symbols that is required, if any.
    """
    if isinstance(objects, str | bytes | dict) or not isinstance(objects, Collection):
        raise TypeError(f"objects must be a list of arrays or of graphs; got {type(objects)!r}.")
    if len(objects) == 0:
        raise ValueError("objects must hold at least one object; got none.")
    check_unmasked(objects=objects)
    graphs = isinstance(objects[0], tuple)
    nodes, edges = [], []
    for i, item in enumerate(objects):
        if isinstance(item, tuple) != graphs:
            raise TypeError(
                f"objects must be all chains or all graphs; objects[0] is a "
                f"{'graph' if graphs else 'chain'}, objects[{i}] is not."
            )
        if graphs:
            if len(item) != 2:
                raise ValueError(
                    f"objects[{i}] must be a pair (nodes, edges); got a tuple of {len(item)}."
                )
            edges.append(_check_edges(i, item[1]))
            item = item[0]
        nodes.append(kind.check_nodes(f"objects[{i}]", item))
        if len(nodes[-1]) == 0:
            raise ValueError(f"objects[{i}] must have at least one node; got none.")
    sizes = np.array([len(one) for one in nodes])
    joined, width, bad, rule = kind.join(nodes, width)
    if bad.any():
        row = np.flatnonzero(bad)[0]
        ends = np.cumsum(sizes)
        i = np.searchsorted(ends, row, side="right")
        node = row - (ends[i] - sizes[i])
        raise ValueError(f"objects[{i}] must hold {rule}; got {joined[row]} at node {node}.")
    check_range("objects", joined)
    return Objects(joined, sizes, _join_edges(edges, sizes) if graphs else None, width)


def check_classes(y, n_objects):
    """Classes of objects, at least two; the code of each object's class, and how often each is."""
    y = check_labels(y)
    if len(y) != n_objects:
        raise ValueError(f"y must have one class for each of {n_objects} objects; got {len(y)}.")
    classes, codes, counts = np.unique(y, return_inverse=True, return_counts=True)
    if len(classes) < 2:
        raise ValueError(f"y must have at least two classes; got {classes.tolist()}.")
    return classes, codes, counts


def check_labels(y):
    """Classes (n,), of one type."""
    check_unmasked(y=y)
    y = join_labels("y", [y]) if isinstance(y, list | tuple) else y
    y = column_or_1d(plain(y))
    y = join_labels("y", [y]) if y.dtype == object else y
    check_classification_targets(y)
    return y


def _check_edges(i, edges):
    """Array (E, 2) of one graph's edges."""
    edges = np.asarray(edges)
    if edges.size == 0:
        return np.empty((0, 2), dtype=int)
    if edges.ndim != 2 or edges.shape[1] != 2 or edges.dtype.kind not in "iu":
        raise ValueError(
            f"objects[{i}] must have edges of shape (n_edges, 2), integers; "
            f"got shape {edges.shape} of {edges.dtype}."
        )
    return edges.astype(int)


def _join_edges(edges, sizes):
    """Edges of all graphs as pairs of rows of the node array."""
    counts = np.array([len(one) for one in edges])
    owner = np.repeat(np.arange(len(sizes)), counts)
    joined = np.concatenate(edges)
    outside = ((joined < 0) | (joined >= sizes[owner][:, None])).any(axis=1)
    _raise_edge(outside, joined, owner, "join nodes that it has", sizes)
    _raise_edge(joined[:, 0] == joined[:, 1], joined, owner, "join two different nodes", sizes)
    rows = joined + (np.cumsum(sizes) - sizes)[owner][:, None]
    low, high = np.sort(rows, axis=1).T
    _, first = np.unique(low * sizes.sum() + high, return_index=True)
    repeated = np.ones(len(rows), dtype=bool)
    repeated[first] = False
    _raise_edge(repeated, joined, owner, "name each pair of nodes once", sizes)
    return rows


def _raise_edge(bad, edges, owner, rule, sizes):
    """Raise ValueError for the first bad edge."""
    if bad.any():
        e = np.flatnonzero(bad)[0]
        raise ValueError(
            f"objects[{owner[e]}] must have edges that {rule}; got {tuple(edges[e].tolist())} "
            f"in a graph of {sizes[owner[e]]} nodes."
        )


def pack(objects, emission):
    """Batches of checked objects: of chains of like length, or of graphs."""
    nodes, sizes, edges, _ = objects
    shift, unit, spread = emission.frame(nodes)
    if edges is None:
        order = np.argsort(-sizes, kind="stable")
        cuts = _cuts(sizes[order])
    else:
        order = np.arange(len(sizes))
        cuts = np.flatnonzero(np.diff(np.cumsum(sizes) // BATCH_NODES)) + 1
    starts = np.cumsum(sizes) - sizes
    batches = []
    for places in np.split(order, cuts):
        counts = sizes[places]
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        rows = np.repeat(starts[places], counts) + within
        structure = (
            Chains(counts) if edges is None else _sub_graphs(counts, edges, rows[0], rows[-1])
        )
        framed = (nodes[rows] - shift) / unit if nodes.dtype.kind == "f" else nodes[rows]
        batches.append(Batch(framed, _design(framed, structure, emission), structure, places))
    if edges is None:
        unlike, like = np.unique(-sizes, return_inverse=True)
        unseen = [Unseen(Chains(-unlike), np.arange(len(sizes)), like)]
    else:
        unseen = [Unseen(one.structure, one.places, np.arange(len(one.places))) for one in batches]
    return Packed(batches, unseen, (shift, unit), spread, len(sizes), len(nodes))


def _cuts(lengths):
    """Where batches of chains end, given their decreasing lengths.

    The longest of a batch decides what it costs, so shorter ones get one of their own where the
    nodes that this saves are more than `STEP` times the steps that it adds.
    """
    changes, cuts = np.flatnonzero(np.diff(lengths)) + 1, [0]
    while cuts[-1] < len(lengths):
        first, end = cuts[-1], min(cuts[-1] + BATCH_CHAINS, len(lengths))
        places = changes[np.searchsorted(changes, first, "right") : np.searchsorted(changes, end)]
        gains = (lengths[first] - lengths[places]) * (end - places) - STEP * lengths[places]
        cuts.append(places[gains.argmax()] if gains.max(initial=0) > 0 else end)
    return cuts[1:-1]


def _design(nodes, structure, emission):
    """Sparse (N, n m) matrix of the features of nodes, in the columns of the node's object."""
    columns, values = emission.features(nodes)
    columns = columns + emission.n_features * structure.owner[:, None]
    ends = values.shape[1] * np.arange(len(nodes) + 1)
    shape = len(nodes), emission.n_features * len(structure.sizes)
    return csr_array((values.ravel(), columns.ravel(), ends), shape=shape)


def _sub_graphs(sizes, edges, first, last):
    """Graphs whose nodes are the rows from `first` to `last`."""
    inner_edges = edges[(edges[:, 0] >= first) & (edges[:, 0] <= last)]
    return Graphs(sizes, inner_edges - first)
