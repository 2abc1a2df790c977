"""An HTTP server on a loopback port, run by a test: what all services that tests make stand on."""

from __future__ import annotations

import os
import socket
import struct
import threading
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self


class Loopback:
    """The running server, at `root`; `serve` gets each request in a thread of its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        serve = self.serve

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # a body's parts would wait for each other

            def log_message(self, *_: object) -> None:
                pass

            def do_POST(self) -> None:
                serve(self)

            def do_GET(self) -> None:
                serve(self)

            def do_DELETE(self) -> None:
                serve(self)

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 64

            def handle_error(self, *_: object) -> None:
                pass  # the client was killed or has given up

        self._server = Server(("127.0.0.1", 0), Handler)
        self.root = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    def serve(self, handler: BaseHTTPRequestHandler) -> None:
        """Answer a request."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class Chats(Loopback):
    """A server of chat calls, each with the text of its `question`.

    `calls` are all requests in the order of their arrival, `most` the most that were open at once.
    """

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[Any] = []
        self.most = 0
        self._open = 0

    @property
    def sent(self) -> Counter[str]:
        """How often each question came."""
        return Counter(call.question for call in self.calls)

    def came(self, call: Any) -> None:
        """A call has come; the lock is held."""
        self.calls.append(call)
        self._open += 1
        self.most = max(self.most, self._open)

    def goes(self) -> None:
        """Its answer is made: before the client can know of it and send another."""
        with self._lock:
            self._open -= 1


def reset(handler: BaseHTTPRequestHandler, hard: bool = True) -> None:
    """Break the connection off: by a reset, or by a close in the middle."""
    handler.close_connection = True
    if hard:
        linger = struct.pack("ii", 1, 0)
        handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    else:
        handler.connection.shutdown(socket.SHUT_RDWR)
    os.close(handler.connection.detach())
