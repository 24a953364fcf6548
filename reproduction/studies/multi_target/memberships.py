"""What would be gained if the component of each output were known."""

from ofer import GaussianMixtureEmbedding, KernelRidgeCV, OutputFisherRegressor
from ofer.kernels import median_bandwidth
from ofer.metrics import arrmse

__all__ = ["fit_live", "judge_memberships"]


def fit_live(data, n_components, seed=0):
    """Fit OFER with a number of components to the training part of a split."""
    gamma = 1.0 / (2.0 * median_bandwidth(data.X, random_state=seed) ** 2)
    mixture = GaussianMixtureEmbedding(n_components, random_state=seed)
    ridge = KernelRidgeCV("fixed", kernel="rbf", gamma=gamma)
    return OutputFisherRegressor(mixture, ridge, block_wise=True).fit(data.X, data.Y)


def judge_memberships(task, seed=0):
    """Errors with and without the true memberships of test outputs, and how many are predicted."""
    one, two = (fit_live(task, n, seed) for n in (1, 2))
    truth = two.embedding_.predict_proba(task.Y_test)
    guess = two.predict_membership(task.X_test)
    H = two.predict_embedding(task.X_test)
    H[:, :2] = truth
    predicted = {
        "one component": one.predict(task.X_test),
        "two": two.predict(task.X_test),
        "two, memberships known": two.embedding_.inverse_transform(H),
    }
    errors = {name: arrmse(task.Y_test, Y, y_train=task.Y) for name, Y in predicted.items()}
    return errors | {
        "component right": (guess.argmax(axis=1) == truth.argmax(axis=1)).mean(),
        "most frequent": truth.mean(axis=0).max(),
    }
