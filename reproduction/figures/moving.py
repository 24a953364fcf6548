"""Numbers of the pictures that move, for the scripts of the pages."""

import json

import numpy as np
from IPython.display import HTML

__all__ = ["publish", "rounded"]


def publish(picture, figure, numbers):
    """Put numbers into the page, for the script that makes a figure move.

    Parameters
    ----------
    picture : str
        Name of the script's function below ``window.playground``.
    figure : str
        Name of the still figure, whose place the picture takes.
    numbers : dict
        What the function is given; JSON-able.

    Returns
    -------
    IPython.display.HTML
        A text in the page that nobody sees.
    """
    kind = f'type="application/json" data-playground="{picture}" data-figure="{figure}"'
    text = json.dumps(numbers).replace("<", "\\u003c")  # or a text could end the element
    return HTML(f"<script {kind}>{text}</script>")


def rounded(values):
    """Nested lists of an array, to four decimals.

    Parameters
    ----------
    values : array-like
        Numbers.

    Returns
    -------
    list
    """
    return np.round(values, 4).tolist()
