"""An upstream server on loopback, and a small data set to fetch from it."""

import hashlib
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import numpy as np
import pytest

from reproduction.datasets import (
    Dataset,
    Field,
    UpstreamFile,
    data_home,
    dataset_info,
    unavailable_reason,
)


def sha256(content):
    return hashlib.sha256(content).hexdigest()


class Upstream:
    """Serves `files` over HTTP and notes what was asked for.

    `declared` overrides the Content-Length of a file; `before_answer` is called in the thread of
    each request.
    """

    def __init__(self):
        self.files = {}
        self.declared = {}
        self.requests = []
        self.before_answer = lambda: None
        upstream = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                name = self.path.lstrip("/")
                upstream.requests.append(name)
                upstream.before_answer()
                if name not in upstream.files:
                    self.send_error(404)
                    return
                body = upstream.files[name]
                self.send_response(200)
                self.send_header("Content-Length", upstream.declared.get(name, len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()

    def url(self, name):
        return f"http://127.0.0.1:{self.server.server_port}/{name}"

    def stop(self):
        """Free the port, so that a connection to it is refused."""
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def upstream(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    upstream = Upstream()
    yield upstream
    upstream.stop()


class Tiny:
    """A data set of two files below the address that `url(name)` gives, cached in `home`."""

    files = {"a.txt": b"1 2 3\n", "b.txt": b"4 5\n"}  # noqa: RUF012 - never changed
    arrays = {"a": np.array([1, 2, 3], "<i4"), "b": np.array([4.0, 5.0])}  # noqa: RUF012

    def __init__(self, url, home):
        self.home = home
        self.dataset = Dataset(
            name="tiny",
            title="Five numbers",
            details="What they count is forgotten.",
            size="3 and 2 numbers",
            paper="none",
            source="They are in a drawer.",
            licence="public domain",
            citation="none",
            fidelity="faithful",
            notes="None.",
            spdx="CC0-1.0",
            conversion="Read as numbers.",
            prepared="tiny/tiny.npz",
            checksums={name: sha256(array.tobytes()) for name, array in self.arrays.items()},
            upstream=tuple(
                UpstreamFile(name, url(name), sha256(content))
                for name, content in self.files.items()
            ),
            convert=self.convert,
            assemble=self.assemble,
            fields={
                "sums": Field("float64", (2,), "sum of each file"),
                "integers": Field("int64", (3,), "first file", stored="a"),
                "b": Field("float64", (2,), "second file"),
            },
        )

    @staticmethod
    def convert(fetch):
        return {
            "a": np.loadtxt(fetch("a.txt"), dtype="<i4"),
            "b": np.loadtxt(fetch("b.txt"), dtype="<f8"),
        }

    @staticmethod
    def assemble(arrays, *, factor=1.0):
        return {"sums": factor * np.array([arrays["a"].sum(), arrays["b"].sum()])}

    def fetch(self, convert=None, **options):
        dataset = replace(self.dataset, convert=convert) if convert else self.dataset
        return dataset.arrays(data_home=self.home, **options)

    def check(self, arrays):
        """Assert that these are the arrays."""
        assert arrays.keys() == self.arrays.keys()
        for name, array in arrays.items():
            np.testing.assert_array_equal(array, self.arrays[name], strict=True)

    def listing(self):
        """All files below the folder, so that a forgotten temporary file is seen."""
        return {p.relative_to(self.home).as_posix() for p in self.home.rglob("*") if p.is_file()}

    def put_raw(self, **contents):
        folder = self.home / "tiny" / "raw"
        folder.mkdir(parents=True)
        for name, content in (self.files | contents).items():
            (folder / name).write_bytes(content)

    def put_prepared(self, **arrays):
        path = self.home / "tiny" / "tiny.npz"
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(path, **arrays)
        return path


@pytest.fixture
def tiny(upstream, tmp_path):
    """`Tiny` in an empty folder, its files served by `upstream`."""
    upstream.files |= Tiny.files
    return Tiny(upstream.url, tmp_path)


# Declarations


@pytest.fixture
def put(tmp_path, monkeypatch):
    """Function that puts arrays where a data set looks, and returns it, expecting them.

    Text instead of arrays is put as the file itself.
    """

    def put(dataset, text=None, **arrays):
        path = tmp_path / dataset.prepared
        path.parent.mkdir()
        if text is None:
            np.savez(path, **arrays)
            contents = {name: array.tobytes() for name, array in arrays.items()}
        else:
            path.write_bytes(text.encode())
            contents = {path.name: text.encode()}
        monkeypatch.setenv("OFER_DATA", str(tmp_path))
        return replace(dataset, checksums={name: sha256(c) for name, c in contents.items()})

    return put


@pytest.fixture
def need():
    """Function that skips the test unless the prepared file of a data set is there.

    Only a missing file is a reason: a damaged one, or another checksum in the code, is a failure.
    """

    def need(name):
        if dataset_info(name).prepared_file() is None:
            pytest.skip(unavailable_reason(name) or f"{name} is not prepared")

    return need


@pytest.fixture
def unprepared(tmp_path):
    """Function that returns a data folder with the real upstream files of a data set only."""

    def unprepared(name):
        dataset = dataset_info(name)
        raw = (data_home() / dataset.prepared).parent / "raw"
        if not dataset.upstream_at_hand():
            pytest.skip(f"the upstream files of {name} are not at hand")
        folder = (tmp_path / dataset.prepared).parent
        folder.mkdir()
        (folder / "raw").symlink_to(raw)
        return tmp_path

    return unprepared
