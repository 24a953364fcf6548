"""Numbers of the pictures that move, for the scripts of the pages."""

import json

import numpy as np
from IPython.display import HTML

__all__ = ["publish", "rounded"]


def publish(picture, figure, numbers):
    """Put numbers into the page, in a text that nobody sees, for the script that moves a figure.

    The script's function below ``window.playground`` has the name of the picture; `figure` is the
    name of the still one, whose place the picture takes.
    """
    kind = f'type="application/json" data-playground="{picture}" data-figure="{figure}"'
    text = json.dumps(numbers).replace("<", "\\u003c")  # or a text could end the element
    return HTML(f"<script {kind}>{text}</script>")


def rounded(values):
    """Nested lists of an array, to four decimals."""
    return np.round(values, 4).tolist()
