"""A conditional variational autoencoder of outputs, the deep rival that section 6.5 names."""

from numbers import Integral, Real
from typing import ClassVar, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils import check_random_state, gen_batches
from sklearn.utils.validation import check_is_fitted, validate_data

from ofer.utils.fitting import fit_context
from ofer.utils.sklearn_private import Interval

__all__ = ["ConditionalAutoencoder"]

DECAYS = 0.9, 0.999  # of Adam's means of gradients and of their squares
GAIN = 1e-3  # that counts, of the first mean loss


class ConditionalAutoencoder(MultiOutputMixin, RegressorMixin, BaseEstimator):
    r"""Regression by a conditional variational autoencoder.

    A latent variable z stands between input and output [1]_. Three networks give the means and
    variances of the normal distributions :math:`p(z \mid x)` and :math:`q(z \mid x, y)`, and the
    mean of :math:`p(y \mid x, z)`. They maximise the bound of the log-likelihood

    .. math::

        \mathbb{E}_{q(z \mid x, y)} \log p(y \mid x, z)
            - \mathrm{KL}\left(q(z \mid x, y) \,\|\, p(z \mid x)\right) .

    Each network has one hidden layer of rectified units. Outputs are standardised, and have unit
    variance given x and z. A prediction takes the mean of :math:`p(z \mid x)` for z.

    References
    ----------
    .. [1] Sohn, Lee, Yan, "Learning structured output representation using deep conditional
       generative models", NIPS 2015, equation (4).
    """

    _parameter_constraints: ClassVar[dict] = {
        "n_latent": [Interval(Integral, 0, None, closed="left")],
        "n_hidden": [Interval(Integral, 1, None, closed="left")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "batch_size": [Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "n_iter_no_change": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_latent=8,
        *,
        n_hidden=128,
        learning_rate=1e-3,
        batch_size=100,
        max_iter=2000,
        n_iter_no_change=50,
        random_state=None,
    ):
        self.n_latent = n_latent
        self.n_hidden = n_hidden
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.max_iter = max_iter
        self.n_iter_no_change = n_iter_no_change
        self.random_state = random_state

    @fit_context(prefer_skip_nested_validation=True)
    def fit(self, X, y):
        """Train the three networks."""
        X, y = validate_data(self, X, y, multi_output=True, y_numeric=True, dtype=np.float64)
        Y = y.reshape(len(y), -1)
        self._shape = y.shape[1:]
        self._origin, self._unit = Y.mean(axis=0), Y.std(axis=0)
        self._unit[self._unit == 0.0] = 1.0
        Y = (Y - self._origin) / self._unit
        rng = check_random_state(self.random_state)
        d, D, h, k = X.shape[1], Y.shape[1], self.n_hidden, self.n_latent
        sizes = (d, h, 2 * k), (d + D, h, 2 * k), (d + k, h, D)
        self._networks = Networks(*[_start(rng, *one) for one in sizes])
        adam = _Adam(self._networks, self.learning_rate)
        losses, best, at = [], np.inf, 0
        for epoch in range(self.max_iter):
            order, loss = rng.permutation(len(X)), 0.0
            for batch in gen_batches(len(X), self.batch_size):
                rows = order[batch]
                noise = rng.standard_normal((len(rows), k))
                value, gradients = minus_bound(self._networks, X[rows], Y[rows], noise)
                adam.step(gradients)
                loss += value * len(rows) / len(X)
            losses.append(loss)
            if loss < best - GAIN * abs(losses[0]):
                best, at = loss, epoch
            if epoch - at >= self.n_iter_no_change:
                break
        self.loss_curve_, self.n_iter_ = np.array(losses), len(losses)
        self.converged_ = epoch - at >= self.n_iter_no_change
        return self

    def predict(self, X):
        """Predict the outputs."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        z = _run(self._networks.prior, X)[1][:, : self.n_latent]
        decoded = _run(self._networks.decoder, np.hstack([X, z]))[1]
        return (self._origin + self._unit * decoded).reshape(len(X), *self._shape)


class Layers(NamedTuple):
    """A network with one hidden layer, or the derivatives in its weights."""

    inner: np.ndarray
    inner_offset: np.ndarray
    outer: np.ndarray
    outer_offset: np.ndarray


class Networks(NamedTuple):
    """The three networks of the model."""

    prior: Layers
    recognition: Layers
    decoder: Layers


def minus_bound(networks, X, Y, noise):
    """Minus the mean bound of the log-likelihood, up to a constant, and its derivatives."""
    n, d = X.shape
    both = np.hstack([X, Y])
    hidden_p, out_p = _run(networks.prior, X)
    hidden_q, out_q = _run(networks.recognition, both)
    (mean_p, log_p), (mean_q, log_q) = np.hsplit(out_p, 2), np.hsplit(out_q, 2)
    deviation = np.exp(0.5 * log_q)
    given = np.hstack([X, mean_q + deviation * noise])
    hidden_y, decoded = _run(networks.decoder, given)
    gap = decoded - Y
    ratio, shift = np.exp(log_q - log_p), (mean_q - mean_p) * np.exp(-log_p)
    square = (mean_q - mean_p) * shift
    value = 0.5 * (np.square(gap).sum() + (log_p - log_q + ratio + square - 1.0).sum())

    of_decoder, pull = _derive(networks.decoder, given, hidden_y, gap)
    pull = pull[:, d:]
    slope_q = np.hstack([pull + shift, 0.5 * (pull * noise * deviation + ratio - 1.0)])
    slope_p = np.hstack([-shift, 0.5 * (1.0 - ratio - square)])
    gradients = Networks(
        _derive(networks.prior, X, hidden_p, slope_p)[0],
        _derive(networks.recognition, both, hidden_q, slope_q)[0],
        of_decoder,
    )
    return value / n, Networks(*[Layers(*[one / n for one in part]) for part in gradients])


def _start(rng, n_inputs, n_hidden, n_outputs):
    """Weights that keep the scale of what passes, and give outputs near zero."""
    inner = rng.standard_normal((n_inputs, n_hidden)) * np.sqrt(2.0 / n_inputs)
    outer = rng.standard_normal((n_hidden, n_outputs)) * 0.1 * np.sqrt(1.0 / n_hidden)
    return Layers(inner, np.zeros(n_hidden), outer, np.zeros(n_outputs))


def _run(layers, X):
    """Hidden units and outputs."""
    hidden = np.maximum(X @ layers.inner + layers.inner_offset, 0.0)
    return hidden, hidden @ layers.outer + layers.outer_offset


def _derive(layers, X, hidden, slope):
    """Derivatives in weights and in inputs, given those in the outputs."""
    back = (slope @ layers.outer.T) * (hidden > 0.0)
    of_weights = Layers(X.T @ back, back.sum(axis=0), hidden.T @ slope, slope.sum(axis=0))
    return of_weights, back @ layers.inner.T


class _Adam:
    """Steps of Adam, which change the networks in place."""

    def __init__(self, networks, rate):
        self._arrays, self._rate, self._n = [a for part in networks for a in part], rate, 0
        self._means = [np.zeros_like(a) for a in self._arrays]
        self._squares = [np.zeros_like(a) for a in self._arrays]

    def step(self, gradients):
        """One step down."""
        self._n += 1
        first, second = (1.0 - decay**self._n for decay in DECAYS)
        slopes = [slope for part in gradients for slope in part]
        for a, slope, mean, square in zip(
            self._arrays, slopes, self._means, self._squares, strict=True
        ):
            mean += (1.0 - DECAYS[0]) * (slope - mean)
            square += (1.0 - DECAYS[1]) * (slope**2 - square)
            a -= self._rate * (mean / first) / (np.sqrt(square / second) + 1e-8)
