"""Takes mail on loopback as any mail server does, and keeps it: a witness of what was sent."""

from __future__ import annotations

import socketserver
import threading

_ANSWERS = {"EHLO": "250 here", "HELO": "250 here", "DATA": "354 go on", "QUIT": "221 bye"}


class _Handler(socketserver.StreamRequestHandler):
    """One connection: every command is taken."""

    server: _Server

    def handle(self) -> None:
        self._say("220 here")
        for line in iter(lambda: self.rfile.readline().decode(), ""):
            word = line[:4].strip().upper()
            self._say(_ANSWERS.get(word, "250 ok"))
            if word == "DATA":
                self._take()
            if word == "QUIT":
                return

    def _say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())

    def _take(self) -> None:
        lines = list(iter(lambda: self.rfile.readline().decode().rstrip("\r\n"), "."))
        self.server.mails.append("\n".join(lines))
        self._say("250 taken")


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def __init__(self) -> None:
        self.mails: list[str] = []
        super().__init__(("127.0.0.1", 0), _Handler)


class MailServer:
    """The server, and the mails that arrived."""

    def __init__(self) -> None:
        self._server = _Server()
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    @property
    def mails(self) -> list[str]:
        return list(self._server.mails)

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    def stop(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
