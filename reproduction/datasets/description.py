"""What is said of data, wherever they are from."""

from dataclasses import dataclass

__all__ = ["DatasetInfo"]


@dataclass(frozen=True, kw_only=True, eq=False)
class DatasetInfo:
    """What a result table says about its data.

    Attributes
    ----------
    name : str
        Name of the data set, as `dataset_info` knows it.
    title : str
        One line.
    details : str
        What the data are: what a sample, an input and an output is, with units.
    size : str
        How much of what: numbers of samples, inputs and outputs.
    paper : str
        Which of the papers uses such data, and where.
    source : str
        Sentences that say where the data are from, and what reads the originals.
    licence : str
        Under which terms the data may be used.
    citation : str
        What its authors ask to cite.
    fidelity : {"faithful", "substitute"}
        Whether these are the data of the paper (or a part of them), or others of their kind.
    notes : str
        How the data differ from those of the paper.
    """

    name: str
    title: str
    details: str
    size: str
    paper: str
    source: str
    licence: str
    citation: str
    fidelity: str
    notes: str

    def describe(self):
        """Text of a `DESCR`.

        Returns
        -------
        str
            Title, details, size, paper, source, fidelity and terms of use.
        """
        return (
            f"{self.title}\n\n{self.details.strip()}\n\n"
            f"Size: {self.size}.\n"
            f"Paper: {self.paper}.\n"
            f"Source: {self.source}\n"
            f"Fidelity: {self.fidelity}. {self.notes}\n"
            f"Licence: {self.licence}\n"
            f"Citation: {self.citation}\n"
        )
