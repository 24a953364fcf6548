"""Table 8: weak labels on apparent personality traits (section 6.4.1)."""

import warnings

import numpy as np

from ofer import GaussianMixtureEmbedding, KernelRidgeCV
from ofer.embeddings import CollapsedComponentWarning
from ofer.metrics import arrmse, rrmse
from reproduction.engine.declaration import Experiment
from reproduction.papers.ofer.personality_traits import kernels, load_clips, take_split

__all__ = ["EXPERIMENT", "SharedRidge", "evaluate", "fit_imputed", "fit_weak"]

PARAMETERS = {
    "n_components": [1, 2, 3, 4, 6, 8],
    "em": {"tol": 1e-5, "max_iter": 2000},
}
N_WEAK = {
    "m-KRR centred": 0,
    "OFER-GMM": 0,
    "wOFER+644": 644,
    "wOFER+1288": 1288,
    "wOFER+2500": 2500,
    "m-KRR imputed+2500": 2500,
    "m-KRR known+2500": 2500,
}


class SharedRidge:
    """Centred kernel ridge regressions of many targets on one kernel matrix, decomposed once.

    Every number of components has targets of its own, but all have the same inputs. O(n^3) for
    the decomposition, as in `ofer.KernelRidgeCV`, and O(n^2) for a target.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        Kernel matrix.
    """

    def __init__(self, K):
        self._K = K

    def fit(self, Y):
        """Fit a `KernelRidgeCV`, Y of shape (n, n_targets)."""
        return KernelRidgeCV(kernel="precomputed").fit(self._K, Y)


def evaluate(data, method, setting, split):
    """Errors of one method on one split of one task.

    Parameters
    ----------
    data : sklearn.utils.Bunch
        As from `reproduction.papers.ofer.personality_traits.load_clips`.
    method : str
        One of the experiment's methods.
    setting : str
        The task; the splits are those of Table 7.
    split : int
        Number of the split.

    Returns
    -------
    dict of str to float
        The metrics "rrmse" and "arrmse"; where there is a mixture, the chosen "n_components" and
        the "rrmse" with two, "rrmse of two components".
    """
    clips = take_split(data.Y, setting, split)
    Y, truth = data.Y[clips.labelled], data.Y[clips.test]
    if method == "mean":
        return _errors(truth, np.tile(Y.mean(axis=0), (len(truth), 1)), Y)
    Y_weak = data.Y[clips.weak[: N_WEAK[method]]]
    seen = np.concatenate([clips.labelled, clips.weak[: N_WEAK[method]]])
    K, K_test = kernels(data.counts, seen, clips.test, n_labelled=len(Y))
    everything = SharedRidge(K)
    if method in ("m-KRR centred", "m-KRR known+2500"):
        return _errors(truth, everything.fit(np.vstack([Y, Y_weak])).predict(K_test), Y)
    labelled = SharedRidge(K[: len(Y), : len(Y)])
    found = {}
    for n_components in PARAMETERS["n_components"]:
        mixture = _fit_mixture(n_components, Y, seed=split)
        gamma = mixture.predict_proba(Y_weak) if len(Y_weak) else np.empty((0, n_components))
        if method == "m-KRR imputed+2500":
            found[n_components] = fit_imputed(everything, mixture, Y, gamma, K_test)
        else:
            found[n_components] = fit_weak(everything, labelled, mixture, Y, gamma, K_test)
    best = min(found, key=lambda count: rrmse(Y, found[count][0]))
    return {
        **_errors(truth, found[best][1], Y),
        "n_components": float(best),
        "rrmse of two components": rrmse(truth, found[2][1]),
    }


def fit_weak(everything, labelled, mixture, Y, gamma, K_test):
    """OFER-GMM with weak labels, as `ofer.OutputFisherRegressor` does it.

    Parameters
    ----------
    everything : SharedRidge
        On labelled and then weak clips.
    labelled : SharedRidge
        On labelled clips.
    mixture : GaussianMixtureEmbedding
        Fitted to the labelled outputs.
    Y : ndarray of shape (n, d)
        Labelled outputs.
    gamma : ndarray of shape (n_weak, C)
        Responsibilities of the weak clips.
    K_test : ndarray of shape (n_test, n + n_weak)
        Kernel of test clips with labelled and weak ones.

    Returns
    -------
    unseen : ndarray of shape (n, d)
        Leave-one-out predictions of the labelled outputs, with the mixture held fixed.
    predicted : ndarray of shape (n_test, d)
        Predictions.
    """
    n, H = len(Y), mixture.transform(Y)
    of_membership, of_mean = (mixture.blocks_[name] for name in ("membership", "mean"))
    weak = mixture.encode_membership(gamma)
    membership = everything.fit(np.vstack([H[:, of_membership], weak]))
    mean = labelled.fit(H[:, of_mean])
    unseen = H - np.hstack([membership.loo_residuals_[:n], mean.loo_residuals_])
    predicted = np.hstack([membership.predict(K_test), mean.predict(K_test[:, :n])])
    return mixture.inverse_transform(unseen), mixture.inverse_transform(predicted)


def fit_imputed(everything, mixture, Y, gamma, K_test):
    """Plain ridge regression, with the mean of its components as the output of a weak clip.

    Parameters and returned values are those of `fit_weak`.
    """
    model = everything.fit(np.vstack([Y, gamma @ mixture.means_]))
    return Y - model.loo_residuals_[: len(Y)], model.predict(K_test)


def _fit_mixture(n_components, Y, *, seed):
    mixture = GaussianMixtureEmbedding(n_components, random_state=seed, **PARAMETERS["em"])
    with warnings.catch_warnings():
        # Eight components for a hundred clips: the leave-one-out error punishes a collapse.
        warnings.simplefilter("ignore", CollapsedComponentWarning)
        return mixture.fit(Y)


def _errors(truth, predicted, Y):
    return {"rrmse": rrmse(truth, predicted), "arrmse": arrmse(truth, predicted, y_train=Y)}


EXPERIMENT = Experiment(
    id="ofer-table-08",
    title="Table 8: apparent personality traits with weak labels",
    load=load_clips,
    evaluate=evaluate,
    methods=("mean", *N_WEAK),
    settings=("1", "2", "1 random"),
    n_splits=10,
    parameters=PARAMETERS,
    datasets=("first_impressions",),
    check_settings=("1",),
    check_methods=("mean", "m-KRR centred", *(name for name in N_WEAK if "OFER" in name)),
)
