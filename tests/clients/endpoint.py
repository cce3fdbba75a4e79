"""A model that says what a test wrote down: Anthropic's streaming messages endpoint, on loopback.

A script is a generator: it yields the tool that the model wants used, is sent what came of it, and returns its last
words.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True, slots=True)
class Use:
    """The model wants a tool used."""

    name: str
    input: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Came:
    """What the client hands the model of a tool's use: ``blocks`` as sent, and the ``request`` they came in."""

    blocks: list[Mapping[str, Any]]
    is_error: bool
    request: Mapping[str, Any]

    @property
    def text(self) -> str:
        return "\n".join(block["text"] for block in self.blocks if block["type"] == "text")

    @property
    def images(self) -> list[Mapping[str, Any]]:
        return [block["source"] for block in self.blocks if block["type"] == "image"]


Script = Generator[Use, Came, str]


@dataclass
class ScriptedModel:
    """Plays one script to whoever brings tools; small errands (titles, counts) get small answers."""

    script: Script
    requests: list[Mapping[str, Any]] = field(default_factory=list)
    failure: BaseException | None = None
    _asked: str = ""
    _said: list[Mapping[str, Any]] = field(default_factory=list)
    _turns: int = 0
    _one_at_a_time: threading.Lock = field(default_factory=threading.Lock)

    def reply(self, request: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        """The content blocks of the model's next message."""
        if not request.get("tools"):
            return [_text("A note")]
        with self._one_at_a_time:
            self.requests.append(request)
            result = _result(request)
            if self._said and (result is None or result["tool_use_id"] != self._asked):
                return self._said  # asked again: the client did not like the answer, or did not get it
            self._said = self._next(None if result is None else _came(result, request))
            return self._said

    def _next(self, came: Came | None) -> list[Mapping[str, Any]]:
        try:
            use = next(self.script) if came is None else self.script.send(came)
        except StopIteration as end:
            return [_text(end.value)]
        except Exception as error:  # noqa: BLE001 - whatever a script says is raised where the test is
            self.failure = error
            return [_text(f"the script failed: {error}")]
        self._turns += 1
        self._asked = f"toolu_{self._turns:04}"
        return [{"type": "tool_use", "id": self._asked, "name": use.name, "input": dict(use.input)}]


def _text(text: str) -> Mapping[str, Any]:
    return {"type": "text", "text": text}


def _result(request: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The newest tool result of a conversation, where its last words by the user hold one."""
    said = [message for message in request["messages"] if message["role"] == "user"]
    content = said[-1]["content"]
    blocks = [] if isinstance(content, str) else content
    return next((block for block in reversed(blocks) if block["type"] == "tool_result"), None)


def _came(result: Mapping[str, Any], request: Mapping[str, Any]) -> Came:
    content = result.get("content", [])
    blocks = [_text(content)] if isinstance(content, str) else content
    return Came(blocks, bool(result.get("is_error")), request)


def _events(model: str, blocks: list[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """A message in the words of the streaming protocol."""
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": "msg_0001", "type": "message", "role": "assistant", "model": model, "content": [], "usage": usage}
    yield {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None}}
    for index, block in enumerate(blocks):
        empty: Mapping[str, Any] = {"text": ""} if block["type"] == "text" else {"input": {}}
        if block["type"] == "text":
            delta = {"type": "text_delta", "text": block["text"]}
        else:
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield {"type": "content_block_start", "index": index, "content_block": {**block, **empty}}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    why = "tool_use" if blocks[-1]["type"] == "tool_use" else "end_turn"
    yield {"type": "message_delta", "delta": {"stop_reason": why, "stop_sequence": None}, "usage": usage}
    yield {"type": "message_stop"}


@contextmanager
def serving(script: Script) -> Iterator[tuple[str, ScriptedModel]]:
    """The endpoint's address, and the model behind it. What the script raised is raised at the end."""
    model = ScriptedModel(script)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None: ...

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path.startswith("/v1/messages/count_tokens"):
                self._send("application/json", json.dumps({"input_tokens": 1}))
            elif self.path.startswith("/v1/messages"):
                events = _events(request["model"], model.reply(request))
                lines = (f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
                self._send("text/event-stream", "".join(lines))
            else:
                self.send_error(404)

        def _send(self, kind: str, body: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", model
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    if model.failure is not None:
        raise model.failure
