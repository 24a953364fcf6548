"""Apparent personality traits (section 6.4.1): the words of clips as kernel matrices."""

from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics.pairwise import linear_kernel

from reproduction.engine.table import Task
from reproduction.papers.ofer.personality_traits import take_split

__all__ = ["draw"]


def draw(data, setting, split):
    """Draw the labelled clips of a task and its test clips, as in Table 7."""
    clips = take_split(data.Y, setting, split)
    weigh = TfidfTransformer(sublinear_tf=True).fit(data.counts[clips.labelled])
    X, X_test = (weigh.transform(data.counts[part]) for part in (clips.labelled, clips.test))
    return Task(
        X=linear_kernel(X, dense_output=True),
        Y=data.Y[clips.labelled],
        X_test=linear_kernel(X_test, X, dense_output=True),
        Y_test=data.Y[clips.test],
        seed=split,
        objects=clips.test,
    )
