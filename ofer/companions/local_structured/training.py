"""Algorithm 1 in the representer form: local updates and outputs, in blocks that can be spread.

The three steps that the paper names for map-reduce are maps over blocks here: the search for
neighbours (`nearest_neighbors`), `update_predictors` and `update_outputs`. The size of a block
does not depend on how many processes there are, so neither do the numbers.
"""

from typing import NamedTuple

import numpy as np
from joblib import delayed
from scipy.sparse import csr_matrix
from sklearn.utils import gen_batches

from ofer.companions.local_structured.inputs import decimal_unit
from ofer.companions.local_structured.neighborhoods import LocalProduct, Neighborhoods
from ofer.companions.local_structured.space import Scores, rows_of

BLOCK_SIZE = 512  # predictors, or samples, at a time


class State(NamedTuple):
    """Predictors and outputs after an iteration, of all predictors or of some."""

    coef: np.ndarray  # (n_pair_rows, n_codes), the a_il in the order of `Neighborhoods.rows`
    shared: np.ndarray  # (n, n_shared), weights of the shared features
    scores: np.ndarray  # (n_pair_rows, n_codes), of predictors on their own neighbourhoods
    y: np.ndarray  # (n_rows,), outputs; of some predictors (n_pair_rows,), those of their pairs


class _Members(NamedTuple):
    """Some unlabelled samples, and their pairs with predictors sample by sample."""

    samples: np.ndarray  # their rows
    lengths: np.ndarray  # rows of each
    owner: np.ndarray  # the sample of each pair
    predictors: np.ndarray  # the predictor of each pair
    rows: np.ndarray  # the rows of all pairs
    sum_pairs: csr_matrix  # adds up what belongs to a sample
    sum_rows: csr_matrix  # and to a row of a sample


class Trainer:
    """Training of local predictors: all that stays the same in its iterations.

    `neighbors` (n, k) are the neighbourhoods, `labelled` (n,) tells which samples keep their
    outputs, C is the weight of the squared norms in the objective, by default a tenth of `size`,
    the mean over all pairs of the sum of k(x, x) over their rows; `parallel`, a
    `joblib.Parallel`, runs the blocks.
    """

    def __init__(self, inputs, neighbors, labelled, space, kernel, C, parallel):
        self.space, self.parallel = space, parallel
        self.neighborhoods = Neighborhoods.of(neighbors, inputs)
        batches = list(gen_batches(len(neighbors), BLOCK_SIZE))
        spans, parts = zip(*map(self.neighborhoods.part, batches), strict=True)
        products = parallel(delayed(LocalProduct)(inputs.rows, part, kernel) for part in parts)
        self.blocks = list(zip(batches, spans, parts, products, strict=True))
        trace = float(sum(product.trace for product in products))
        self.size = trace / neighbors.size if trace > 0 else 1.0
        self.C = 0.1 * self.size if C is None else C
        # Shared features, such as counts of transitions, are in the decimal unit of rows.
        self.square = decimal_unit(trace / len(self.neighborhoods.rows)) ** 2
        unlabelled = np.flatnonzero(~labelled)
        self.members = [
            _members(self.neighborhoods, inputs, unlabelled[batch])
            for batch in gen_batches(len(labelled), BLOCK_SIZE)
            if len(unlabelled[batch])
        ]

    def start(self, y):
        """Predictors that are zero, and the outputs `y`."""
        coef = np.zeros((len(self.neighborhoods.rows), self.space.n_codes_))
        shared = np.zeros((len(self.neighborhoods.neighbors), self.space.n_shared_))
        return State(coef, shared, coef, y)

    def iterate(self, state, eta, y_step):
        """One iteration of algorithm 1: the next state, and the objective (9) before.

        `eta` is the step size; `y_step` says how outputs are updated, None that they are not.
        """
        results = self._map(
            update_predictors, ((*p, eta, self.square) for p in self._problems(state))
        )
        *parts, z, objectives = zip(*results, strict=True)
        coef, shared, scores = map(np.concatenate, parts)
        new = State(coef, shared, scores, state.y)
        if y_step is not None:
            new = new._replace(y=self.update_outputs(new, np.concatenate(z), y_step))
        return new, float(np.sum(objectives))

    def objective(self, state):
        """Value of the objective (9)."""
        problems = ((*problem, None, self.square) for *problem, _ in self._problems(state))
        return float(np.sum(self._map(local_objective, problems)))

    def update_outputs(self, state, z, y_step):
        """The outputs after the step (16), or the one that lowers the objective."""

        def problem(members):
            shared, lengths = state.shared[members.predictors], members.lengths[members.owner]
            scores = Scores(state.scores[members.rows], shared, lengths)
            return self.space, members, scores, state.y[members.samples], z[members.rows], y_step

        results = self._map(update_outputs, map(problem, self.members))
        y = state.y.copy()
        for members, outputs in zip(self.members, results, strict=True):
            y[members.samples] = outputs
        return y

    def _map(self, function, arguments):
        """Apply a function to each block; to a single one without asking for help."""
        arguments = list(arguments)
        if len(arguments) == 1:
            return [function(*arguments[0])]
        return self.parallel(delayed(function)(*some) for some in arguments)

    def _problems(self, state):
        """Subproblems of each block of predictors."""
        for batch, span, pairs, product in self.blocks:
            y = state.y[pairs.rows]
            predictors = State(state.coef[span], state.shared[batch], state.scores[span], y)
            yield self.space, self.C, pairs.pair_lengths, predictors, product


def step_sizes(eta0, C, n_iter):
    """Step sizes (n_iter,), whose sum has no bound as their number grows."""
    return eta0 / (1.0 + eta0 * C * np.arange(n_iter))


def _members(neighborhoods, inputs, samples):
    """The pairs of some samples."""
    k = neighborhoods.neighbors.shape[1]
    member = neighborhoods.neighbors.ravel()
    place = np.full(len(inputs.lengths), -1)
    place[samples] = np.arange(len(samples))
    pairs = np.flatnonzero(place[member] >= 0)
    pairs = pairs[np.argsort(place[member[pairs]], kind="stable")]
    owner, lengths = place[member[pairs]], inputs.lengths[samples]
    rows = rows_of(lengths, owner)
    return _Members(
        rows_of(inputs.lengths, samples),
        lengths,
        owner,
        pairs // k,
        rows_of(neighborhoods.pair_lengths, pairs),
        _indicators(owner, len(samples)),
        _indicators(rows, lengths.sum()),
    )


def _indicators(group, n_groups):
    """Matrix (n_groups, n) of ones; its products are the sums of each group, in one order."""
    n = len(group)
    return csr_matrix((np.ones(n), (group, np.arange(n))), shape=(n_groups, n))


def local_objective(space, C, lengths, state, z=None, square=1.0):
    """Sum of the terms of the objective (9) of some predictors.

    `lengths` (n_pairs,) has the rows of each of their pairs with a sample; `z` are the outputs of
    equation (17), if they are known; `square` is that of the unit of shared features.
    """
    scores = _pair_scores(lengths, state)
    z = space.decode_augmented(scores, state.y) if z is None else z
    squares = np.vdot(state.coef, state.scores) + np.vdot(state.shared, state.shared) / square
    k = len(lengths) // len(state.shared)
    return space.margin(scores, state.y, z).sum() / k + 0.5 * C * squares


def update_predictors(space, C, lengths, state, product, eta, square=1.0):
    """Steps (b) to (d) of algorithm 1 for some predictors, with `lengths` as above.

    Returns their `coef`, `shared` and `scores` after the step, the outputs of equation (17), and
    the sum of the terms of the objective (9) before the step.
    """
    k, y = len(lengths) // len(state.shared), state.y
    z = space.decode_augmented(_pair_scores(lengths, state), y)
    objective = local_objective(space, C, lengths, state, z, square)
    coef, shared = (1.0 - eta * C) * state.coef, (1.0 - eta * C) * state.shared
    # Where z is y, as for most pairs before long, nothing is added.
    pairs = np.flatnonzero(space.losses(y, z, lengths))
    moved = rows_of(lengths, pairs)
    codes_y, shared_y = space.features(y[moved], lengths[pairs])
    codes_z, shared_z = space.features(z[moved], lengths[pairs])
    coef[moved] += (eta / k) * (codes_y - codes_z)
    step = np.zeros((len(lengths), shared.shape[1]))
    step[pairs] = shared_y - shared_z
    shared += (eta * square / k) * step.reshape(len(shared), k, -1).sum(axis=1)
    return coef, shared, product(coef), z, objective


def _pair_scores(lengths, state):
    """Scores of all pairs of some predictors, k a predictor."""
    k = len(lengths) // len(state.shared)
    return Scores(state.scores, np.repeat(state.shared, k, axis=0), lengths)


def update_outputs(space, members, scores, y, z, y_step):
    """Step (f) of algorithm 1 for some unlabelled samples: their new outputs (n_rows,).

    Of their pairs with predictors, `scores` are the `Scores` and `z` the outputs of equation (17);
    `y` are the outputs of the samples so far.
    """
    sums = members.sum_rows @ scores.rows, members.sum_pairs @ scores.shared
    totals = Scores(*sums, members.lengths)
    if y_step == "literal":
        return space.literal_step(totals, z, members.owner)
    return space.upper_bound_step(scores, totals, y, members.owner)
