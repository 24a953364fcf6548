"""What a paper leaves open in a table, and where the table of each reading stands."""

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Dimension", "Readings"]


@dataclass(frozen=True, kw_only=True)
class Dimension:
    """One thing that a paper leaves open, or says in two ways.

    Parameters
    ----------
    name : str
        Such as ``"kernel"``.
    words : str
        The paper's words, or that it has none.
    options : tuple of str
        What these words allow, the default first.
    why : str
        Why the default is the default.
    """

    name: str
    words: str
    options: tuple[str, ...]
    why: str

    def __post_init__(self):
        for field_name in ("name", "words", "why"):
            value = getattr(self, field_name)
            if not (isinstance(value, str) and value):
                raise ValueError(f"{field_name} must be a string that is not empty; got {value!r}.")
        options = self.options
        if not isinstance(options, tuple) or len({*options}) < max(2, len(options)):
            raise ValueError(f"options must be a tuple of two or more strings; got {options!r}.")


@dataclass(frozen=True, kw_only=True)
class Readings:
    """The readings of one table, which the methods of another one follow.

    The experiment that declares this has the settings, metrics, splits and samples of the table
    that it reads, or some of them. A claim on that table can then be decided in each reading: rows
    of the methods named here are those of the reading, the others stay as they are.

    Parameters
    ----------
    of : str
        Id of the table that is read.
    dimensions : tuple of Dimension
        What its paper leaves open.
    choices : tuple of tuple of str
        The readings that are computed, an option of each dimension in each; the default first.
    labels : mapping of str to str
        By label of a method in the table that is read, its label here, with names of dimensions in
        braces where their options stand. Where the options are the default ones and no method has
        that label, the rows of the table that is read are those of the reading.
    missing : tuple of str, default=()
        Methods of the table that is read which a reading changes, and which are not computed here.
        A claim that compares them is not decided in these readings.

    Examples
    --------
    >>> kernel = Dimension(
    ...     name="kernel", words="no word", options=("linear", "Gaussian"), why="the simplest",
    ... )
    >>> readings = Readings(
    ...     of="toy-table-01", dimensions=(kernel,), choices=(("linear",), ("Gaussian",)),
    ...     labels={"KRR": "m-KRR, {kernel}"},
    ... )
    >>> readings.methods(("Gaussian",), known=["m-KRR, Gaussian"])
    {'KRR': 'm-KRR, Gaussian'}
    """

    of: str
    dimensions: tuple[Dimension, ...]
    choices: tuple[tuple[str, ...], ...]
    labels: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] = ()

    def __post_init__(self):
        if not (self.dimensions and self.labels):
            raise ValueError(f"readings of {self.of} must have dimensions and labels.")
        if both := [method for method in self.missing if method in self.labels]:
            raise ValueError(f"missing must name other methods than labels; got {both[0]!r}.")
        default = tuple(dimension.options[0] for dimension in self.dimensions)
        if not self.choices or self.choices[0] != default:
            raise ValueError(
                f"choices must begin with the default, {default}; got {self.choices[:1]}."
            )
        if len({*self.choices}) < len(self.choices):
            raise ValueError(f"choices must not repeat a reading; got {self.choices}.")
        for choice in self.choices:
            known = len(choice) == len(self.dimensions)
            if not known or any(
                option not in dimension.options
                for option, dimension in zip(choice, self.dimensions, strict=True)
            ):
                raise ValueError(
                    f"choices must have an option of each of "
                    f"{[dimension.name for dimension in self.dimensions]}; got {choice}."
                )

    def methods(self, choice, known):
        """Labels of the methods of a reading.

        Parameters
        ----------
        choice : tuple of str
            One of `choices`.
        known : collection of str
            Methods of the experiment.

        Returns
        -------
        labels : dict of str to str
            By label in the table that is read, the one here; without those whose rows stay.

        Raises
        ------
        ValueError
            If a method is not known under options that are not the default.
        """
        options = {d.name: option for d, option in zip(self.dimensions, choice, strict=True)}
        named = {method: label.format_map(options) for method, label in self.labels.items()}
        default = {d.name: d.options[0] for d in self.dimensions}
        for method, label in named.items():
            if label not in known and label != self.labels[method].format_map(default):
                raise ValueError(f"methods must have {label!r}, of a reading of {self.of}.")
        return {method: label for method, label in named.items() if label in known}
