"""An upstream server on loopback, and a small data set to fetch from it."""

import hashlib
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import numpy as np
import pytest

from reproduction.datasets import Dataset, Field, UpstreamFile


def sha256(content):
    return hashlib.sha256(content).hexdigest()


class Upstream:
    """Serves `files` over HTTP and notes what was asked for."""

    def __init__(self):
        self.files = {}
        self.requests = []
        upstream = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                name = self.path.lstrip("/")
                upstream.requests.append(name)
                if name not in upstream.files:
                    self.send_error(404)
                    return
                body = upstream.files[name]
                self.send_response(200)
                self.send_header("Content-Length", len(body))
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
        words = dict.fromkeys(
            ("title", "details", "size", "paper", "source", "licence", "citation", "notes"), "none"
        )
        self.dataset = Dataset(
            **words,
            name="tiny",
            fidelity="faithful",
            spdx="CC0-1.0",
            conversion="Read as numbers.",
            prepared="tiny/tiny.npz",
            checksums={name: sha256(array.tobytes()) for name, array in self.arrays.items()},
            upstream=tuple(
                UpstreamFile(name, url(name), sha256(content))
                for name, content in self.files.items()
            ),
            convert=lambda fetch: {
                "a": np.loadtxt(fetch("a.txt"), dtype="<i4"),
                "b": np.loadtxt(fetch("b.txt"), dtype="<f8"),
            },
            assemble=lambda arrays, *, factor=1.0: {"sum": factor * arrays["b"].sum()},
            fields={
                "sum": Field("float64", (), "sum of the second file"),
                "integers": Field("int64", (3,), "first file", stored="a"),
                "b": Field("float64", (2,), "second file"),
            },
        )

    def change(self, **fields):
        """Declare another data set of the name."""
        self.dataset = replace(self.dataset, **fields)

    def fetch(self, **options):
        return self.dataset.arrays(data_home=self.home, **options)

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
        np.savez_compressed(path, **(self.arrays | arrays))
        return path


@pytest.fixture
def tiny(upstream, tmp_path):
    """`Tiny` in an empty folder, its files served by `upstream`."""
    upstream.files |= Tiny.files
    return Tiny(upstream.url, tmp_path)
