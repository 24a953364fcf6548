"""What a data set is: all that differs between two loaders, as data, and the one that loads."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from reproduction import paths
from reproduction.datasets.cache import (
    DataUnavailableError,
    data_folders,
    find_damage,
    keep_prepared,
    read_prepared,
)
from reproduction.datasets.cache import data_home as find_home
from reproduction.datasets.upstream import UpstreamFile, fetch_upstream

__all__ = ["Dataset", "DatasetInfo", "Field"]


class Field(NamedTuple):
    """What one attribute of fetched data holds.

    Attributes
    ----------
    dtype : str
        Type of its numbers as numpy names it, or ``"str"``.
    shape : tuple of int or None
        Its shape; None where a length differs from item to item.
    text : str
        One line: what it is, with its unit.
    kind : {"array", "csr", "list", "table"}, default="array"
        An ndarray; a sparse matrix; a list of `shape[0]` items, each of the shape that follows;
        or a DataFrame.
    stored : str, default=None
        The stored array that it is; None is the one of the same name.
    """

    dtype: str
    shape: tuple[int | None, ...]
    text: str
    kind: str = "array"
    stored: str | None = None

    @property
    def form(self):
        """Kind, type and shape in words."""
        shape = " x ".join("?" if n is None else str(n) for n in self.shape)
        kind = "" if self.kind == "array" else f"{self.kind} of "
        return f"{kind}{self.dtype}, {shape}"

    def describe(self, name):
        """Give the line of a `DESCR`.

        Parameters
        ----------
        name : str
            Name of the attribute.

        Returns
        -------
        str
            Name, kind, type, shape and meaning.
        """
        return f"    {name} ({self.form}): {self.text}"


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


def _as_stored(arrays):
    """No field is made: all are stored arrays."""
    return {}


@dataclass(frozen=True, kw_only=True, eq=False)
class Dataset(DatasetInfo):
    """A data set, and how it is loaded.

    What it is called, is and may be used for is said by the attributes of `DatasetInfo`.

    Attributes
    ----------
    spdx : str
        The licence by its SPDX identifier, or ``LicenseRef-`` and the name of a file in
        ``LICENSES``; `licence` says the same in words, and who says so.
    conversion : str
        Sentences that say how the stored arrays were made from the originals.
    kept_out : str, default=""
        Why the prepared file is not in ``data`` of the checkout; empty where it is.
    prepared : str
        Path of the prepared file below a folder of data, for example ``"nci60/nci60.npz"``. Any
        other than an ``.npz`` file is one stored array of bytes, under the name of the file.
    checksums : dict of str to str
        The stored arrays, and the sha256 of each one's bytes in C order. The bytes of the
        ``.npz`` itself depend on how it was compressed, so they are not compared.
    fields : dict of str to Field
        What is returned, in order.
    upstream : tuple of UpstreamFile, default=()
        The files it is converted from; none where they cannot be downloaded one by one, so that
        the prepared file has to be there.
    convert : callable, default=None
        ``convert(fetch)`` returns the stored arrays as a dict; ``fetch(name)`` returns the path of
        the upstream file `name`, checked. It may leave out arrays that no upstream file holds:
        what it returns is then used but not kept. Not needed without upstream files.
    assemble : callable, default=none made
        ``assemble(arrays)`` makes a dict of fields out of stored arrays; those that it leaves out
        are stored arrays, cast to the declared type. It may have options, for `fetch`.

    Examples
    --------
    >>> from reproduction.datasets.tables.nci60 import NCI60
    >>> NCI60.fields["Y"].shape
    (2228, 59)
    >>> molecules = NCI60.fetch()  # doctest: +SKIP
    """

    spdx: str
    conversion: str
    prepared: str
    checksums: Mapping[str, str]
    fields: Mapping[str, Field]
    kept_out: str = ""
    upstream: tuple[UpstreamFile, ...] = ()
    convert: Callable | None = None
    assemble: Callable = field(default_factory=lambda: _as_stored)  # no method of the class

    def describe(self):
        """Text of a `DESCR`.

        Returns
        -------
        str
            As of `DatasetInfo`, and a line on each field.
        """
        lines = [one.describe(name) for name, one in self.fields.items()]
        return "\n".join([super().describe(), "Fields:", *lines, ""])

    def fetch(self, *, data_home=None, download_if_missing=True, **options):
        """Load the data: from the prepared file, or else from upstream files.

        Parameters
        ----------
        data_home : str or path-like, default=None
            Folder of the data, see `data_home`.
        download_if_missing : bool, default=True
            Whether missing upstream files may be downloaded; if not, they are an error. Without
            effect where there are none.
        **options
            Arguments of `assemble`, where it has any.

        Returns
        -------
        sklearn.utils.Bunch
            The declared fields, `DESCR` (what the data are, terms of use, and how they differ
            from the paper's) and `checksums` (sha256 of the stored arrays).

        Raises
        ------
        DataUnavailableError
            If there is neither a prepared file nor every upstream file.
        DamagedDataError
            If a prepared file is damaged.
        TypeError
            If `data_home` is not a path or an option is unknown.
        """
        from sklearn.utils import Bunch  # takes a second, and who asks for folders needs none

        arrays = self.arrays(data_home=data_home, download_if_missing=download_if_missing)
        made = self.assemble(arrays, **options)
        fields = {
            name: made[name]
            if name in made
            else np.asarray(arrays[one.stored or name], dtype=one.dtype)
            for name, one in self.fields.items()
        }
        return Bunch(**fields, DESCR=self.describe(), checksums=dict(self.checksums))

    def prepared_file(self, *, data_home=None):
        """Where the prepared file is.

        Parameters
        ----------
        data_home : str or path-like, default=None
            As of `fetch`.

        Returns
        -------
        pathlib.Path or None
            The first that is there in one of `data_folders`.
        """
        paths = [folder / self.prepared for folder in data_folders(data_home)]
        return next(filter(os.path.exists, paths), None)  # none where one may not look

    def arrays(self, *, data_home=None, download_if_missing=True):
        """Stored arrays: prepared, or else converted from upstream files.

        1. The first prepared file in one of `data_folders` is used when its arrays have the
           pinned checksums; other contents are an error, since the file may be the user's own
           and is not overwritten.
        2. Otherwise the upstream files are taken from ``raw/`` in `data_home`, or downloaded into
           it, and converted. The arrays are checked in the same way and kept as the prepared
           file. Where that cannot be written (a read-only folder, a full disk) the result is the
           same, and the next call converts again.
        3. A data set without upstream files has its prepared file or is an error.

        Parameters
        ----------
        data_home : str or path-like, default=None
            As of `fetch`.
        download_if_missing : bool, default=True
            As of `fetch`.

        Returns
        -------
        dict of str to ndarray
            The arrays.

        Raises
        ------
        DataUnavailableError, DamagedDataError
            As from `fetch`.
        """
        path = self.prepared_file(data_home=data_home)
        if path is not None:
            return read_prepared(path, self.checksums, advice=self._advice(path))
        if not self.upstream:
            raise DataUnavailableError(
                f"{self.name} is missing, and cannot be made from a download: put {self.prepared} "
                "into the folder OFER_DATA. See the page Data."
            )
        arrays = self.convert_upstream(data_home=data_home, download_if_missing=download_if_missing)
        if arrays.keys() == self.checksums.keys():
            keep_prepared(find_home(data_home) / self.prepared, arrays)
        return arrays

    def _advice(self, path):
        if path.is_relative_to(paths.CHECKOUT):
            name = path.relative_to(paths.CHECKOUT)
            return f"Restore it: git checkout -- {name}, or unpack the project anew."
        if self.upstream:
            return "Delete it to have it made again, or set OFER_DATA to another folder."
        return "Set OFER_DATA to a folder with an undamaged one."

    def upstream_at_hand(self, *, data_home=None):
        """Whether there are upstream files, and none has to be downloaded.

        Parameters
        ----------
        data_home : str or path-like, default=None
            As of `fetch`.

        Returns
        -------
        bool
            Their contents are not looked at.
        """
        folder = self._raw(data_home)
        return bool(self.upstream) and all((folder / file.name).is_file() for file in self.upstream)

    def _raw(self, data_home):
        return (find_home(data_home) / self.prepared).parent / "raw"

    def convert_upstream(self, *, data_home=None, download_if_missing=True):
        """Stored arrays, converted from upstream files whether a prepared file is there or not.

        Parameters
        ----------
        data_home : str or path-like, default=None
            As of `fetch`.
        download_if_missing : bool, default=True
            As of `fetch`.

        Returns
        -------
        dict of str to ndarray
            The arrays that follow from the upstream files, checked.

        Raises
        ------
        DataUnavailableError
            If an upstream file is missing, or the arrays are others.
        """
        folder = self._raw(data_home)
        files = {file.name: file for file in self.upstream}

        def fetch(name):
            return fetch_upstream(
                files[name], folder, dataset=self.name, download_if_missing=download_if_missing
            )

        arrays = self.convert(fetch)
        if damage := find_damage(arrays, self.checksums):
            raise DataUnavailableError(
                f"{self.name} was converted from its upstream files, and {damage}. Other versions "
                "of the libraries may convert otherwise. See the page Data."
            )
        return arrays

    def unavailable_reason(self, *, download=False, data_home=None):
        """Why the data cannot be loaded, or None if they can.

        They are loaded, so the answer agrees with what `fetch` would do (and costs as much).

        Parameters
        ----------
        download : bool, default=False
            Whether what is missing may be downloaded.
        data_home : str or path-like, default=None
            Folder of the data, see `data_home`.

        Returns
        -------
        str or None
            The error message of `fetch`.

        Raises
        ------
        DamagedDataError
            If a prepared file is damaged: that is no reason to do without.
        """
        try:
            self.fetch(data_home=data_home, download_if_missing=download)
        except DataUnavailableError as error:
            return str(error)
        return None
