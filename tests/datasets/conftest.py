"""An upstream server on loopback."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest


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
