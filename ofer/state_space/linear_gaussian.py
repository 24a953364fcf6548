"""Linear Gaussian state-space model: filter, smoother and EM over many series."""

from collections.abc import Collection, Iterable, Mapping
from numbers import Integral, Real
from operator import attrgetter
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from ofer.state_space._fixed import check_fixed, check_masks
from ofer.state_space._kalman import (
    NAMES,
    Parameters,
    check_parameters,
    filter_in_pieces,
    kalman_smoother,
    prolong_filtered,
    prolong_smoothed,
)
from ofer.state_space._kalman_em import (
    check_determined,
    count_parameters,
    fit_to_states,
    given_parameters,
    mean_squares,
)
from ofer.state_space._path import Path
from ofer.state_space._starts import TREND, follow, from_a_trend, possible_starts, race
from ofer.state_space.results import FilterResult, ForecastResult, SmootherResult
from ofer.utils.fitting import fit_context
from ofer.utils.products import quiet
from ofer.utils.series import (
    SIZES,
    center,
    check_series,
    check_sizes,
    pack_groups,
    pack_states,
    places_of,
    unpack,
)
from ofer.utils.sklearn_private import Interval, StrOptions
from ofer.utils.typing import ListLike, Seed
from ofer.utils.validation import check_batches, check_names, check_real
from ofer.utils.warning import warn


@quiet
class LinearGaussianSSM(BaseEstimator):
    r"""Linear Gaussian state-space model (Kalman filter and smoother) of many series, fitted by EM.

    Each series :math:`z_1, \ldots, z_T` in :math:`\mathbb R^p` follows a hidden path
    :math:`m_1, \ldots, m_T` in :math:`\mathbb R^d`,

    .. math::

        m_1 \sim \mathcal N(\mu_0, \Sigma_0), \qquad
        m_t = A m_{t-1} + \mathcal N(0, Q), \qquad
        z_t = C m_t + b + \mathcal N(0, R),

    the output model of [1]_, section 3.3, with an offset b. All series share the parameters.
    EM [2]_, [3]_ and an ascent that takes over from it find a local maximum of the sum of their
    log-likelihoods, the best one that they see from several starts.

    Series come as an array of shape (n, T, p), or as a list of arrays (T_i, p) of any lengths. NaN,
    or the mask of a masked array, marks a missing entry. The filter and EM leave out exactly that
    coordinate of its step. What follows the last observed entry of a series says nothing about the
    model: it costs a fit nothing, and has predicted states.

    Parameters
    ----------
    n_states : int
        Number d of states.
    max_iter : int, default=200
        Iterations at most, of the run that is kept: passes over the series. The comparison of
        starts, see Notes, does not depend on it, and comes on top.
    tol : float, default=1e-8
        A fit ends once its next step promises no more log-likelihood than this per observed entry.
    fit_offset : bool, default=True
        Whether to fit offsets. Otherwise they keep their starting values: zero, as in [1]_, unless
        `start` has others.
    observation_noise : {"full", "diagonal"}, default="full"
        Form of the covariance R that is fitted. Where it is diagonal, states explain all
        correlation of columns, as factors do, and p columns cost p variances.
    start : dict of array-like, default=None
        Start of EM, and values that `fit` may hold fixed: the fitted parameters below by their
        names without the underscore. Missing offsets are zero. `from_parameters` sets it; None
        takes the best of several starts from the series, see Notes.
    random_state : int, RandomState instance or None, default=None
        Seeds `sample` and `sample_posterior`; `fit` is deterministic.

    Attributes
    ----------
    transition_matrix_, transition_covariance_ : ndarray of shape (d, d)
        :math:`A` and :math:`Q`.
    observation_matrix_ : ndarray of shape (p, d)
        :math:`C`.
    observation_covariance_ : ndarray of shape (p, p)
        :math:`R`.
    initial_mean_ : ndarray of shape (d,)
        :math:`\mu_0`.
    initial_covariance_ : ndarray of shape (d, d)
        :math:`\Sigma_0`.
    observation_offset_ : ndarray of shape (p,)
        :math:`b`; `offset_` is the same.
    transition_offset_ : ndarray of shape (d,)
        :math:`a` of :math:`m_t = A m_{t-1} + a + \mathcal N(0, Q)`; zero unless states were given,
        or `start` has one.
    loglikelihoods_ : ndarray of shape (1 + number of iterations,)
        Total log-likelihood of the training series at the start and after each iteration; the
        last is that of the fitted model.
    converged_ : bool
        Whether the fit reached `tol`, and no larger variance would gain much.
    n_iter_ : int
        Iterations that raised the likelihood; 0 when the states were observed.
    n_parameters_ : int
        Number of free parameters, see Notes.
    n_skipped_ : int
        Number of training series without an observed entry.
    n_features_in_ : int
        Number p of observations per step.

    Warns
    -----
    UserWarning
        If `fit` skips series without an observed entry.
    ConvergenceWarning
        If a fit is stopped by `max_iter` and its last iteration still gained more than
        1e-5 per observed entry, and 1e-5 of the log-likelihood.

    See Also
    --------
    GaussianMixtureEmbedding : The output model for vectors.

    Notes
    -----
    *Identifiability.* For any invertible G the states :math:`G m_t`, with
    :math:`G A G^{-1}, G Q G^\top, C G^{-1}, G \mu_0, G \Sigma_0 G^\top`, give the same likelihood,
    so fitted states are determined only up to a linear map: compare likelihoods, predictions or
    eigenvalues of A, not single entries. Fitting with the states given has no such freedom.

    *Offset.* In the M-step it is the intercept of the regression of observations on states. With
    bars for means over the steps with an observation, and expectations for missing entries,

    .. math::

        C = \Bigl(\sum \operatorname{E}[(z_t - \bar z)(m_t - \bar m)^\top]\Bigr)
            \Bigl(\sum \operatorname{E}[(m_t - \bar m)(m_t - \bar m)^\top]\Bigr)^{-1}, \qquad
        b = \bar z - C \bar m .

    So units and level change neither states nor forecasts. For given states a drift a is fitted in
    the same way. For hidden states it is redundant unless A has the eigenvalue 1, so it is fitted
    only if `start` has one, and is otherwise zero.

    *Starts.* Without `start` there are four. Each of the first three puts a half of what it does
    not foresee down to noise of the observations, the trend a share as large as that of each order:

    - principal components of the observations, in units of each column's root mean square and
      joined with earlier ones when d > p, stand for the states, and the parameters are fitted to
      them;
    - a trend: the states are levels, the leading principal components, then their slopes, then the
      slopes of these, as many as d needs;
    - an autoregression: least squares of the observations on the earlier ones that d allows, in
      the form of states, with an intercept if offsets are fitted;
    - what at most 40 iterations make of the trend while its A is held, if no series has more than
      500 steps.

    Each takes 15 iterations, the best three take 25 more, and the best two of these go on to 100.
    So the fit is above the four models at which it started, and as a rule above the best trend and
    the best autoregression, which are special cases. It is a local maximum all the same. Of runs
    that arrive at one maximum, up to 0.05 nats, the first is taken. Units of columns do not matter
    to the starts; nor does their level if an offset is fitted, for the fit then works on centred
    observations. In `fit_in_batches` the first batch chooses.

    *Ascent.* EM comes near a maximum in a few iterations, and creeps where states and noise are
    hard to tell apart. So after 15 iterations the fit climbs the log-likelihood itself, by
    limited-memory BFGS [6]_. Its gradient is that of the expected log-likelihood of states and
    observations (Fisher's identity), and costs a pass over the series, as an iteration of EM does.
    Its coordinates are steps in units of the information that is there if the states are seen;
    there a step along the gradient is one of EM, and curvatures lie between zero and one.
    Covariances are products of roots, on top of their floors. Where a variance is nearly zero the
    likelihood is flat along its root. So at the end the fit tries larger variances, and goes on
    from one that is far likelier. The starts that are left take about 150 passes.

    *Fixed parameters.* Those that `fit` holds at their start enter the M-step of the others, which
    stays exact: with A held, Q is the mean outer product of the residuals that this A leaves, with
    b held C is the regression through b, and with :math:`\mu_0` held :math:`\Sigma_0` is the mean
    square around it. So the likelihood cannot decrease, whatever is held. The ascent moves only
    what is free.

    Single entries are held by masks, if `start` has the parameters. The free entries of a matrix
    and its offset are then the weighted least squares given the present covariance, and that
    covariance is the one that they leave: the likelihood cannot decrease either. Of a covariance
    whole blocks are held or free, the entries between them being zeros that are held: a diagonal
    one is held off its diagonal.

    *States without a prior.* A state whose entry on the diagonal of `initial_covariance` is
    infinite has none: the first observations determine it. Likelihood, filter, smoother and EM are
    then the limit of ever larger variances, exactly [5]_, and the likelihood is without the factor
    :math:`\kappa^{-1/2}` of each such variance :math:`\kappa`. Where some state has no prior, `fit`
    holds the moments of the first state. Until a state is determined, the filter's variance of it
    is infinite.

    *Numbers.* Filter and smoother work with square roots of covariances and with rotations
    [4]_, so they invert no covariance of states, which may be singular, and a large prior
    beside small noise costs half of the digits that it costs covariances.

    *Free parameters.* `aic` and `bic` count the entries of all that was fitted, of covariances
    those of a triangle, less the dimension of what leaves all likelihoods and what was held as they
    are. Those are changes of basis :math:`m \mapsto G m + c`, :math:`d^2` dimensions at the
    defaults, and, with more states than columns, changes :math:`Q + X - A X A^\top, \Sigma_0 + X`
    by a symmetric X with :math:`A X C^\top = 0`, which no observation sees, as a rule
    :math:`(d - p) (d - p + 1) / 2` dimensions. So the count is the rank of Fisher's information.
    Where the states were given, there is no such freedom.

    *Floor.* The covariances stay positive definite: :math:`Q` and :math:`\Sigma_0`, and
    :math:`R`, are bounded below by 1e-9 times the diagonal of mean squares of the states (those of
    the start, when they are hidden) and observations, centred if offsets are fitted; of a constant
    column, 1e-9 times the square of its level. Those that are held may be singular.

    *Cost.* No covariance or gain depends on the data. They are computed once for each pattern, a
    length together with the places of missing entries, and reused from where they have reached a
    steady state: where one more step changes them by no more than roundoff (1e-15). With G
    patterns that need S steps to settle, an iteration takes O(G S (d + p)^3) for the recursions
    and O(n T (d + p)^2) for all means, S being T if entries go missing all the time. Memory is
    O(n T (d + p) + G T d^2 + G S d (d + p)). Series of very different lengths are taken apart, so n
    T is about the sum of all steps, up to the last observed entry of each series.

    References
    ----------
    .. [1] Djerrab, Garcia, Sangnier, d'Alché-Buc, "Output Fisher embedding regression",
       Machine Learning 107 (2018), section 3.3.
    .. [2] Shumway, Stoffer, "An approach to time series smoothing and forecasting using the EM
       algorithm", Journal of Time Series Analysis 3 (1982).
    .. [3] Ghahramani, Hinton, "Parameter estimation for linear dynamical systems", technical
       report CRG-TR-96-2, University of Toronto (1996).
    .. [4] Kailath, Sayed, Hassibi, "Linear estimation", Prentice Hall (2000), section 12.3.
    .. [5] Koopman, "Exact initial Kalman filtering and smoothing for nonstationary time series
       models", Journal of the American Statistical Association 92 (1997).
    .. [6] Jamshidian, Jennrich, "Acceleration of the EM algorithm by using quasi-Newton methods",
       Journal of the Royal Statistical Society B 59 (1997).

    Examples
    --------
    Oscillations seen through noise, with a hole in one of them:

    >>> import numpy as np
    >>> from ofer import LinearGaussianSSM
    >>> rng = np.random.default_rng(0)
    >>> phases = rng.uniform(0, 6, size=(50, 1))
    >>> Z = np.sin(0.5 * np.arange(20) + phases)[:, :, None]
    >>> Z += 0.1 * rng.normal(size=Z.shape)
    >>> Z[0, 8:11] = np.nan
    >>> model = LinearGaussianSSM(n_states=2, max_iter=200, tol=1e-4).fit(Z)
    >>> bool(np.all(np.diff(model.loglikelihoods_) > 0))
    True
    >>> smoothed = model.smooth(Z)
    >>> filled = smoothed.means[0, 8:11] @ model.observation_matrix_.T + model.observation_offset_
    >>> hidden = np.sin(0.5 * np.arange(8, 11) + phases[0])
    >>> bool(np.abs(filled[:, 0] - hidden).max() < 0.2)
    True

    What comes next, with its uncertainty:

    >>> future = model.forecast(Z, 3)
    >>> future.covariances.shape
    (50, 3, 1, 1)
    >>> coming = np.sin(0.5 * np.arange(20, 23) + phases)
    >>> lower, upper = future.intervals(0.95)
    >>> bool(np.all((lower[..., 0] < coming) & (coming < upper[..., 0])))
    True

    A random walk seen through noise: two matrices are known, and two variances are not.

    >>> walk = LinearGaussianSSM.from_parameters(
    ...     transition_matrix=[[1.0]],
    ...     transition_covariance=[[1.0]],
    ...     observation_matrix=[[1.0]],
    ...     observation_covariance=[[1.0]],
    ...     initial_mean=[0.0],
    ...     initial_covariance=[[1.0]],
    ...     fit_offset=False,
    ...     tol=1e-4,
    ...     random_state=0,
    ... )
    >>> _, series = walk.sample(20, 50)
    >>> walk = walk.fit(3 * series, fixed=("transition_matrix", "observation_matrix"))
    >>> walk.transition_matrix_
    array([[1.]])
    >>> bool(abs(walk.transition_covariance_[0, 0] - 9) < 1)
    True
    >>> walk.n_parameters_  # two variances, and the two moments of the first state
    4
    >>> walk.sample_posterior(series, 100).shape
    (20, 100, 50, 1)
    """

    _parameter_constraints: ClassVar = {
        "n_states": [Interval(Integral, 1, None, closed="left")],
        "max_iter": [Interval(Integral, 1, None, closed="left")],
        "tol": [Interval(Real, 0, None, closed="left")],
        "fit_offset": ["boolean"],
        "observation_noise": [StrOptions({"full", "diagonal"})],
        "start": [dict, None],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        n_states: int,
        *,
        max_iter: int = 200,
        tol: float = 1e-8,
        fit_offset: bool = True,
        observation_noise: str = "full",
        start: Mapping[str, ArrayLike] | None = None,
        random_state: Seed = None,
    ):
        self.n_states = n_states
        self.max_iter = max_iter
        self.tol = tol
        self.fit_offset = fit_offset
        self.observation_noise = observation_noise
        self.start = start
        self.random_state = random_state

    @classmethod
    def from_parameters(
        cls,
        *,
        transition_matrix: ArrayLike,
        transition_covariance: ArrayLike,
        observation_matrix: ArrayLike,
        observation_covariance: ArrayLike,
        initial_mean: ArrayLike,
        initial_covariance: ArrayLike,
        transition_offset: ArrayLike | None = None,
        observation_offset: ArrayLike | None = None,
        **options: Any,
    ) -> Self:
        """Make a model with given parameters, ready for use, or as a start for `fit`.

        Parameters
        ----------
        transition_matrix, transition_covariance : array-like of shape (d, d)
            A and Q.
        observation_matrix : array-like of shape (p, d)
            C.
        observation_covariance : array-like of shape (p, p)
            R.
        initial_mean : array-like of shape (d,)
            Mean of the first state.
        initial_covariance : array-like of shape (d, d)
            Its covariance. Covariances are symmetric and positive semi-definite. An infinite
            variance, with zeros beside it, leaves that state without a prior, see Notes of the
            class.
        transition_offset : array-like of shape (d,), default=None
            Drift a of the states, which `fit` then fits, unless it is held. None is zero, and stays
            so.
        observation_offset : array-like of shape (p,), default=None
            Offset b; None is zero.
        **options : int, float, bool or RandomState instance
            Other parameters of the class: `max_iter`, `tol`, `fit_offset`, `observation_noise`,
            `random_state`.

        Returns
        -------
        LinearGaussianSSM
            With these as its parameter `start` and, in copies, as its fitted parameters, but with
            nothing that only EM knows: `loglikelihoods_`, `converged_`, `n_iter_`. Its
            `n_parameters_` is 0.

        Raises
        ------
        ValueError
            If a shape is wrong, a number is not finite, or a covariance is not one; the diagonal of
            `initial_covariance` may be infinite.
        """
        arguments = locals()
        start = {name: arguments[name] for name in NAMES if arguments[name] is not None}
        parameters = check_parameters(start)
        p, d = parameters.C.shape
        model = cls(d, start=start, **options)
        model._adopt(parameters)
        model.n_features_in_, model.n_parameters_ = p, 0
        return model

    @fit_context(prefer_skip_nested_validation=True)
    def fit(
        self,
        Z: ListLike,
        states: ListLike | None = None,
        fixed: Collection[str] | Mapping[str, ArrayLike] = (),
    ) -> Self:
        """Estimate the parameters: by EM, or, with given states, by regressions.

        Parameters
        ----------
        Z : array-like of shape (n, T, p) or list of array-like of shape (T_i, p)
            Series of at least two steps; NaN marks a missing entry. Each column has an observed
            one, and the largest of a column is zero or of size 1e-75 to 1e75. A series ends at its
            last observed entry; one without any is skipped.
        states : array-like of shape (n, T, d) or list of array-like, default=None
            The paths, when they are observed: the parameters are then those of plain
            regressions, in closed form, and Z must be complete.
        fixed : collection of str or mapping from str to array-like of bool, default=()
            Parameters that are held at their start, such as ``("transition_matrix",)``: the fitted
            ones by their names without the underscore. With states given, `start` has them. A
            mapping to masks, such as ``{"transition_matrix": [[True, True], [True, False]]}``,
            holds the entries that are True, see Notes of the class; True holds all.

        Returns
        -------
        self : LinearGaussianSSM
        """
        batches, n_skipped = self._check_batches(Z, allow_missing=states is None)
        self._skip(n_skipped, len(Z))
        start, held, masks, level = self._begin(batches, fixed, hidden=states is None)
        batches = [batch.shifted(level) for batch in batches]
        if states is None:
            self._run_em(batches, lambda: batches, start, held, masks, level, whole=True)
        else:
            self.converged_, paths = True, pack_states(states, self.n_states, batches)
            still, diagonal = np.square(level), self._is_diagonal()
            fitted, history = fit_to_states(batches, paths, start, held, still, diagonal)
            self._store(fitted, history, held, level)
        return self

    @fit_context(prefer_skip_nested_validation=True)
    def fit_in_batches(
        self, batches: Iterable[ListLike], fixed: Collection[str] | Mapping[str, ArrayLike] = ()
    ) -> Self:
        """Estimate the parameters from batches of series, in the memory of one batch.

        EM starts from the first batch, which also sets the floors, but of columns that are constant
        in it, and goes through all batches in each iteration, whose sums add up: it is the EM of
        all series together, from that start.

        Parameters
        ----------
        batches : iterable of array-like of shape (n, T, p) or list of array-like
            Batches of series, each as in `fit`; no iterator, since EM goes through them again and
            again. A sequence that reads each batch on demand keeps one in memory.
        fixed : collection of str or mapping from str to array-like of bool, default=()
            What is held at its start, as in `fit`.

        Returns
        -------
        self : LinearGaussianSSM
        """
        first, _ = self._check_batches(check_batches(batches))
        start, held, masks, level = self._begin(first, fixed, hidden=True)
        counts: dict[int, tuple[int, int]] = {}

        def checked():
            for i, Z in enumerate(batches):
                packed, n_skipped = self._check_batches(Z, self.n_features_in_)
                counts[i] = n_skipped, len(Z)
                for batch in packed:
                    yield batch.shifted(level)

        first = [batch.shifted(level) for batch in first]
        self._run_em(first, checked, start, held, masks, level)
        self._skip(*map(sum, zip(*counts.values(), strict=True)))
        return self

    def filter(self, Z: ListLike) -> FilterResult:
        """Kalman filter: mean and covariance of each state, given the observations so far.

        Parameters
        ----------
        Z : array-like of shape (n, T, p) or list of array-like of shape (T_i, p)
            Series, as in `fit`.

        Returns
        -------
        FilterResult
            Moments; all but the log-likelihoods are lists of arrays when Z is a list. Covariances
            that all series share are a read-only view.

        Raises
        ------
        ValueError
            If the series do not fit the model, or a covariance of it is singular.
        """
        batches, parameters, filtered = self._filter(Z)
        moments = [
            prolong_filtered(parameters, batch, one.moments(batch))
            for batch, one in zip(batches, filtered, strict=True)
        ]
        values = _loglikelihoods(batches, filtered)
        return FilterResult._make([*unpack(batches, moments, not _is_array(Z)), values])

    def smooth(self, Z: ListLike) -> SmootherResult:
        """Smoother: mean and covariance of each state, given the whole series.

        Parameters
        ----------
        Z : array-like of shape (n, T, p) or list of array-like of shape (T_i, p)
            Series, as in `fit`.

        Returns
        -------
        SmootherResult
            Moments; lists, views and errors are as in `filter`.
        """
        batches, parameters, filtered = self._filter(Z)
        moments = [
            prolong_smoothed(parameters, batch, kalman_smoother(parameters, batch, one))
            for batch, one in zip(batches, filtered, strict=True)
        ]
        values = _loglikelihoods(batches, filtered)
        return SmootherResult._make([*unpack(batches, moments, not _is_array(Z)), values])

    def forecast(self, Z: ListLike, n_steps: int) -> ForecastResult:
        """Forecast the next observations and states of each series: means and covariances.

        Parameters
        ----------
        Z : array-like of shape (n, T, p) or list of array-like of shape (T_i, p)
            What has been seen of the series, as in `filter`.
        n_steps : int
            How many steps to forecast, at least 1.

        Returns
        -------
        ForecastResult
            Moments, in O(n d (d + p) + G (d^3 + p d (d + p))) per step for G patterns.
        """
        check_real("n_steps", n_steps, at_least=1, integer=True)
        batches, parameters, filtered = self._filter(Z)
        A, Q, C, R, _, _, a, b = parameters
        moments = []
        for batch, result in zip(batches, filtered, strict=True):
            check_determined(batch, result)
            means, covariances, _, _ = prolong_filtered(parameters, batch, result.moments(batch))
            n = np.arange(len(batch.steps))
            mean, covariance = (
                means[batch.steps - 1, n],
                covariances[batch.steps - 1, batch.pattern],
            )
            path = []
            for _ in range(n_steps):
                mean, covariance = mean @ A.T + a, A @ covariance @ A.T + Q
                path.append((mean, covariance))
            moments.append([np.stack(one, axis=1) for one in zip(*path, strict=True)])
        places = places_of(batches)
        means, covariances = (np.concatenate(one)[places] for one in zip(*moments, strict=True))
        return ForecastResult(means @ C.T + b, C @ covariances @ C.T + R, means, covariances)

    def loglikelihood(self, Z: ListLike) -> NDArray:
        """Log-likelihood of each series; `score_samples` is the same.

        Parameters
        ----------
        Z : array-like of shape (n, T, p) or list of array-like of shape (T_i, p)
            Series, as in `fit`.

        Returns
        -------
        ndarray of shape (n,)
            Log-density of the observed entries.
        """
        batches, _, filtered = self._filter(Z)
        return _loglikelihoods(batches, filtered)

    score_samples = loglikelihood  # as mixtures call it
    offset_ = property(attrgetter("observation_offset_"), doc="")  # the class describes it

    def score(self, Z: ListLike, y: object = None) -> float:
        """Mean log-likelihood of a series, in nats, for a search over `n_states`.

        Parameters
        ----------
        Z : array-like of shape (n, T, p) or list of array-like of shape (T_i, p)
            Series, as in `fit`.
        y : None
            Ignored; here for scikit-learn's searches.

        Returns
        -------
        float
            The mean of `loglikelihood`; long series count for more than short ones.
        """
        return float(self.loglikelihood(Z).mean())

    def aic(self, Z: ListLike) -> float:
        """Akaike's information criterion (AIC); lower is better.

        Parameters
        ----------
        Z : array-like of shape (n, T, p) or list of array-like of shape (T_i, p)
            Series, as a rule those of the fit.

        Returns
        -------
        float
            ``2 * n_parameters_ - 2 * loglikelihood(Z).sum()``; Notes of the class say what
            counts as a parameter.
        """
        return float(2 * self.n_parameters_ - 2 * self.loglikelihood(Z).sum())

    def bic(self, Z: ListLike) -> float:
        """Bayesian information criterion (BIC); lower is better.

        Parameters
        ----------
        Z : array-like of shape (n, T, p) or list of array-like of shape (T_i, p)
            Series, as a rule those of the fit.

        Returns
        -------
        float
            ``n_parameters_ * log(n_steps) - 2 * loglikelihood(Z).sum()``, where n_steps is the
            number of steps of all series at which something is observed.
        """
        batches, _, filtered = self._filter(Z)
        n_steps = sum((batch.observed.any(axis=2) * batch.counts).sum() for batch in batches)
        total = _loglikelihoods(batches, filtered).sum()
        return float(self.n_parameters_ * np.log(max(n_steps, 1)) - 2 * total)

    def sample_posterior(
        self, Z: ListLike, n_samples: int = 1, random_state: Seed = None
    ) -> NDArray | list[NDArray]:
        """Draw paths of the states from their posterior, given whole series.

        A path and a series are drawn from the model, and what the smoother makes of the difference
        to the observed series is added to the path [1]_. So a path has the joint distribution of
        all states, of which `smooth` gives moments step by step.

        Parameters
        ----------
        Z : array-like of shape (n, T, p) or list of array-like of shape (T_i, p)
            Series, as in `fit`.
        n_samples : int, default=1
            Number of paths for each series.
        random_state : int, RandomState instance or None, default=None
            Seeds the draws; None takes that of the model.

        Returns
        -------
        ndarray of shape (n, n_samples, T, d) or list of ndarray of shape (n_samples, T_i, d)
            Paths; a list when Z is a list. The cost is that of `smooth` for n_samples times the
            series, but of covariances only once.

        Raises
        ------
        ValueError
            As in `smooth`.

        References
        ----------
        .. [1] Durbin, Koopman, "A simple and efficient simulation smoother for state space time
           series analysis", Biometrika 89 (2002).
        """
        check_real("n_samples", n_samples, at_least=1, integer=True)
        batches, parameters = self._pack(Z)
        n, T = len(Z), max(batch.steps.max() for batch in batches)
        drawn = self._draw(parameters._replace(b=0.0), n * n_samples, T, random_state)
        states, series = (np.swapaxes(one, 0, 1) for one in drawn)
        centred = parameters._replace(mu0=np.zeros_like(parameters.mu0), a=0.0, b=0.0)
        paths = []
        for batch in batches:
            copies = (batch.order[:, None] * n_samples + np.arange(n_samples)).ravel()
            pattern, alive, steps = (
                np.repeat(one, n_samples, axis=-1)
                for one in (batch.pattern, batch.alive, batch.steps)
            )
            gaps = np.repeat(batch.Z, n_samples, axis=1) - series[: len(batch.Z), copies]
            repeated = batch._replace(
                Z=np.where(batch.observed[:, pattern], gaps, 0.0),
                pattern=pattern,
                counts=batch.counts * n_samples,
                order=copies,
                alive=alive,
                steps=steps,
            )
            filtered = filter_in_pieces(centred, repeated)
            check_determined(batch, filtered)
            smoothed = kalman_smoother(centred, repeated, filtered)
            means = prolong_smoothed(centred, repeated, smoothed).means
            paths.append((repeated, states[: len(means), copies] + means))
        packed, moments = zip(*paths, strict=True)
        (joined,) = unpack(list(packed), [[one] for one in moments], not _is_array(Z))
        if _is_array(Z):
            return joined.reshape(n, n_samples, T, -1)
        return [np.stack(joined[i : i + n_samples]) for i in range(0, len(joined), n_samples)]

    def sample(self, n: int, T: int, random_state: Seed = None) -> tuple[NDArray, NDArray]:
        """Draw series from the model.

        Parameters
        ----------
        n : int
            Number of series.
        T : int
            Number of steps.
        random_state : int, RandomState instance or None, default=None
            Seeds the draws; None takes that of the model.

        Returns
        -------
        states : ndarray of shape (n, T, d)
            Paths.
        observations : ndarray of shape (n, T, p)
            Series. With an integer `random_state` every call draws the same, and every machine
            does up to roundoff.
        """
        check_is_fitted(self)
        check_real("n", n, at_least=1, integer=True)
        check_real("T", T, at_least=1, integer=True)
        if np.isinf(self.initial_covariance_).any():
            raise ValueError("initial_covariance must be finite for a draw; got infinite entries.")
        return self._draw(self._parameters(), n, T, random_state)

    def _draw(self, parameters, n, T, random_state):
        """Paths (n, T, d) and series (n, T, p) of a model with these parameters."""
        A, Q, C, R, mu0, Sigma0, a, b = parameters
        rng = check_random_state(self.random_state if random_state is None else random_state)
        states = np.empty((n, T, len(A)))
        Sigma0 = np.where(np.isinf(Sigma0), 0.0, Sigma0)  # the smoother's answer is that for any
        states[:, 0] = mu0 + _noise(rng, Sigma0, n)
        for t in range(1, T):
            states[:, t] = states[:, t - 1] @ A.T + a + _noise(rng, Q, n)
        return states, states @ C.T + b + _noise(rng, R, (n, T))

    def _check_batches(self, Z, n_columns=None, *, allow_missing=True):
        """Check and pack series; the first ones have an observed entry in each column.

        Returns the batches of those with an observed entry, and the number of the others.
        """
        reset = n_columns is None
        series = check_series("Z", Z, n_columns, min_steps=2, allow_missing=allow_missing)
        check_names(self, Z, reset=reset)
        rows = np.concatenate(series)
        seen = np.isfinite(rows)
        empty = np.flatnonzero(~seen.any(axis=0))
        if reset and empty.size:
            raise ValueError(f"Z must have an observed entry in column {empty[0]}; all are NaN.")
        self.n_features_in_ = series[0].shape[1]
        starts = np.cumsum([0, *(len(one) for one in series[:-1])])
        kept = np.logical_or.reduceat(seen.any(axis=1), starts)
        n_skipped = int(np.count_nonzero(~kept))
        if not kept.any():
            return [], n_skipped
        places = np.flatnonzero(kept)
        batches = (
            pack_groups([series[i] for i in places]) if n_skipped else pack_groups(series, rows)
        )
        if reset and max(len(batch.Z) for batch in batches) < 2:
            raise ValueError(
                "Z must have a series with an observed entry after its first step; got none."
            )
        check_sizes("Z", [batch.Z for batch in batches])
        return [batch._replace(order=places[batch.order]) for batch in batches], n_skipped

    def _skip(self, n_skipped, n):
        """Count series without an observed entry, and say so."""
        self.n_skipped_ = n_skipped
        if n_skipped:
            message = f"The fit skips {n_skipped} of {n} series, which have no observed entry."
            warn(message, UserWarning)

    def _begin(self, batches, fixed, hidden):
        """The given start or None, what is held of it, and what is taken from the series.

        What is held are whole fields, and masks for parts of others.

        The start is one for what is left of these: an offset that it has, and that is held, is
        taken from them exactly.
        """
        whole, parts = check_fixed(fixed)
        if parts and (self.start is None or not hidden):
            raise ValueError(
                "fixed must hold whole parameters unless start has them and states are hidden; got "
                f"masks for {[*parts]}."
            )
        held = {Parameters._fields[NAMES.index(name)] for name in whole}
        if held and self.start is None and not hidden:
            raise ValueError(f"fixed must be empty for given states without start; got {fixed!r}.")
        held |= set() if self.fit_offset else {"a", "b"}
        if self.start is None:
            held |= {"a"} if hidden else set()
            return None, held, {}, center(batches) * self.fit_offset
        start = check_parameters(self.start, self.n_states, self.n_features_in_)
        held |= {"a"} if hidden and "transition_offset" not in self.start else set()
        held |= {"mu0", "Sigma0"} if np.isinf(start.Sigma0).any() else set()
        if self._is_diagonal() and hidden and "R" not in held:
            start = start._replace(R=np.diag(np.diagonal(start.R)))
        masks = check_masks(parts, start, held, self._is_diagonal())
        held |= {name for name, mask in masks.items() if mask.all()}
        masks = {name: mask for name, mask in masks.items() if name not in held}
        level = np.where(masks.get("b", "b" in held), start.b, center(batches))
        return start._replace(b=start.b - level), held, masks, level

    def _run_em(self, first, batches, start, held, masks, level, whole=False):
        """Hidden states: EM over `batches()`, from a given start or that of the first ones."""
        squares = mean_squares(batches())
        still = np.where(squares > 0, squares, np.square(level))  # if so in the first batch
        diagonal = self._is_diagonal()

        def given(start):
            start, floors = given_parameters(first, start, held, still, masks)
            return start, floors._replace(diagonal=diagonal)

        if start is not None:
            starts = [given(start)]
        elif (n_steps := sum(batch.alive.sum() for batch in first)) < self.n_states:
            raise ValueError(
                f"n_states must be at most the number of steps of all series, "
                f"{n_steps}; got {self.n_states}."
            )
        else:
            starts = [*possible_starts(first, self.n_states, self.fit_offset, still)]
        starts = [(one, floors._replace(diagonal=diagonal)) for one, floors in starts]
        if diagonal and "R" not in held:
            starts = [
                (one._replace(R=np.diag(np.diagonal(one.R))), floors) for one, floors in starts
            ]
        options = self.max_iter, self.tol, held
        paths = [Path(lambda: first, one, floors, *options) for one, floors in starts]
        if len(paths) > 1 and "A" not in held and (trend := from_a_trend(paths[TREND])):
            paths.append(trend)
        best = race(paths) or paths[0].on(batches)
        path = best if whole else best.on(batches)
        if start is None:
            parameters, history, complaint = path.end()
        else:
            parameters, history, complaint = follow(path, lambda now: given(now)[1])
        self.converged_ = complaint is None
        self._store(parameters, history, held, level, masks)
        if complaint:
            warn(complaint, ConvergenceWarning)

    def _store(self, parameters, history, held, level, masks=None):
        """Set the fitted attributes, those of series from which `level` was taken.

        The masks are for hidden states only.
        """
        self._adopt(parameters._replace(b=parameters.b + level))
        self.loglikelihoods_, self.n_iter_ = np.array(history), len(history) - 1
        self.n_parameters_ = count_parameters(parameters, held, masks, self._is_diagonal())

    def _is_diagonal(self):
        """Whether the covariance of observations that is fitted is diagonal."""
        return self.observation_noise == "diagonal"

    def _adopt(self, parameters: Parameters) -> None:
        """Set the fitted parameters."""
        for name, value in zip(NAMES, parameters, strict=True):
            setattr(self, f"{name}_", value)

    def _parameters(self) -> Parameters:
        """The fitted parameters as the recursions want them."""
        return Parameters(*(getattr(self, f"{name}_") for name in NAMES))

    def _pack(self, Z):
        """Check series against the model, and take its offset from them."""
        check_is_fitted(self)
        check_names(self, Z, reset=False)
        series = check_series("Z", Z, len(self.observation_matrix_), limit=SIZES[1])
        batches = [batch.shifted(self.observation_offset_) for batch in pack_groups(series)]
        return batches, self._parameters()

    def _filter(self, Z):
        """Pack and filter series, by batch."""
        batches, parameters = self._pack(Z)
        return batches, parameters, [filter_in_pieces(parameters, batch) for batch in batches]


def _loglikelihoods(batches, filtered):
    """Log-likelihoods of series in the order of the input."""
    return np.concatenate([one.loglikelihoods for one in filtered])[places_of(batches)]


def _is_array(Z):
    """Whether results are arrays; else they are lists."""
    return isinstance(Z, np.ndarray) and Z.ndim > 1


def _noise(rng, covariance, size):
    """Gaussian draws (size, d), by the symmetric root of the covariance in units of its columns.

    There is one such root, whatever signs and order the eigenvectors have that a machine computes.
    NumPy's `multivariate_normal` draws other numbers with other eigenvectors.
    """
    units = np.sqrt(covariance.diagonal())
    units[units == 0] = 1.0
    values, vectors = np.linalg.eigh(covariance / units / units[:, None])
    values[values < len(values) * np.finfo(float).eps * values[-1]] = 0.0
    root = (vectors * np.sqrt(values)) @ vectors.T
    return units * (rng.standard_normal((*np.atleast_1d(size), len(units))) @ root)
