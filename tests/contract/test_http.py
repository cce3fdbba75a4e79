"""The MCP server over HTTP: the same tools, and nothing for whoever has no business here."""

from __future__ import annotations

import asyncio
import re
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from deskhand.daemon.client import attach
from deskhand.daemon.protocol import Hello
from deskhand.mcp_server import http
from deskhand.types.errors import DeskhandError
from tests.contract.forking import forked
from tests.contract.test_mcp import DELETE, ERAS, SAVE, SURPRISE, Person, end_owner, journal, text_of

HELLO = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
}  # fmt: skip
ACCEPT = {"Accept": "application/json, text/event-stream"}


@dataclass(frozen=True)
class Served:
    """A running server."""

    port: int
    token: str
    folder: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}", **ACCEPT}

    def post(self, headers: dict[str, str], content: bytes | None = None) -> httpx2.Response:
        with httpx2.Client(timeout=20) as client:
            if content is not None:
                return client.post(self.url, headers=headers, content=content)
            return client.post(self.url, headers=headers, json=HELLO)

    def connection(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=http.SECONDS + 10)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all of these tests; it and the owner that it started end with them."""
    folder = tmp_path_factory.mktemp("served") / "d"
    folder.mkdir(mode=0o700)
    command = forked("tests.contract.fake_mcp", str(folder), "--http")
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stderr is not None
    said = ""
    while (found := re.search(r"serving http://127\.0\.0\.1:(\d+)/mcp", said)) is None:
        line = process.stderr.readline()
        assert line, said
        said += line
    yield Served(int(found[1]), (folder / "token").read_text().strip(), folder)
    process.terminate()
    out, _ = process.communicate(timeout=20)
    asyncio.run(end_owner(folder))
    assert out == ""


@asynccontextmanager
async def connected(
    served: Served, person: Person | None = None, mode: str = "auto", named: str | None = None
) -> AsyncIterator[Client]:
    headers = {**served.headers, **({"Mcp-Session-Id": named} if named else {})}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as client:
        transport = streamable_http_client(served.url, http_client=client)
        async with Client(transport, elicitation_callback=person, mode=mode) as connected:
            yield connected


@pytest.mark.parametrize("mode", ERAS)
async def test_the_same_tools_are_served(served: Served, mode: str) -> None:
    async with connected(served, mode=mode) as client:
        tools = (await client.list_tools()).tools
        done = await client.call_tool("act", {"steps": [SAVE]})
    assert [tool.name for tool in tools][:4] == ["apps", "observe", "find", "act"]
    assert text_of(done) == "done 1 of 1"
    assert "press Save" in journal(served.folder)


@pytest.mark.proves("C9")
@pytest.mark.parametrize("mode", ERAS)
async def test_the_user_is_asked_and_a_no_sends_nothing(served: Served, mode: str) -> None:
    person, before = Person(allow=False), journal(served.folder)
    async with connected(served, person, mode) as client:
        refused = await client.call_tool("act", {"steps": [DELETE]})
    assert text_of(refused).startswith("confirmation_declined")
    assert len(person.asked) == 1
    assert journal(served.folder) == before


@pytest.mark.proves("C9")
@pytest.mark.parametrize("mode", ERAS)
async def test_a_yes_is_for_the_call_that_asked(served: Served, mode: str) -> None:
    person, before = Person(), journal(served.folder).count("press Delete")
    async with connected(served, person, mode) as client:
        first = await client.call_tool("act", {"steps": [DELETE]})
        await client.call_tool("act", {"steps": [DELETE]})
    assert text_of(first) == "done 1 of 1"
    assert len(person.asked) == 2
    assert journal(served.folder).count("press Delete") == before + 2


@pytest.mark.proves("report-37")
@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize("other", ERAS)
async def test_what_one_user_allowed_is_not_allowed_to_another(served: Served, mode: str, other: str) -> None:
    before = journal(served.folder)
    async with connected(served, mode=mode) as one, connected(served, mode=other) as two:
        asked = text_of(await one.call_tool("act", {"steps": [DELETE]}))
        assert asked.startswith("confirmation_required: ")
        questions = await allow_all_that_waits(served)
        for consent in ({}, *({"consent": question} for question in questions)):
            taken = await two.call_tool("act", {"steps": [DELETE], **consent})
            assert text_of(taken).startswith("confirmation_required: ")
    assert journal(served.folder) == before


async def allow_all_that_waits(served: Served) -> list[str]:
    """A person at a terminal says yes to every question; their ids."""
    remote = await attach(served.folder, Hello(client="deskhand approve", session="approve", person=True))
    assert remote is not None
    questions = [question.id for question in await remote.pending()]
    for question in questions:
        await remote.answer(question, True)
    await remote.close()
    return questions


@pytest.mark.proves("report-37")
async def test_a_session_id_that_a_client_names_itself_is_not_believed(served: Served) -> None:
    before = journal(served.folder)
    async with connected(served, named="mine", mode="auto") as one, connected(served, named="mine", mode="auto") as two:
        asked = text_of(await one.call_tool("act", {"steps": [DELETE]}))
        assert "approve" not in asked  # nothing that is approved could serve another call
        await allow_all_that_waits(served)
        assert (await two.call_tool("act", {"steps": [DELETE]})).is_error
    assert journal(served.folder) == before


@pytest.mark.proves("report-37")
@pytest.mark.parametrize("person", [None, Person(), Person("cancel")])
async def test_a_question_without_a_session_ends_with_its_call(served: Served, person: Person | None) -> None:
    await allow_all_that_waits(served)
    async with connected(served, person, mode="auto") as client:
        await client.call_tool("act", {"steps": [DELETE]})
        await client.call_tool("act", {"steps": [SAVE, SURPRISE]})
    assert await allow_all_that_waits(served) == []


@pytest.mark.proves("report-37")
async def test_with_a_session_what_a_person_allows_at_a_terminal_is_done_then(served: Served) -> None:
    async with connected(served, mode="legacy") as client:
        question = re.search(r"approve (q\d+)", text_of(await client.call_tool("act", {"steps": [DELETE]})))
        assert question is not None
        assert question[1] in await allow_all_that_waits(served)
        assert text_of(await client.call_tool("act", {"steps": [DELETE]})) == "done 1 of 1"


@pytest.mark.parametrize("mode", ERAS)
async def test_a_client_that_leaves_takes_its_connection_to_the_owner_with_it(served: Served, mode: str) -> None:
    remote = await attach(served.folder, Hello(client="looks on", session="looks on"))
    assert remote is not None
    before = len((await remote.status()).clients)
    async with connected(served, mode=mode) as client:
        await client.call_tool("observe", {})
        assert len((await remote.status()).clients) <= before + 1
    deadline = time.monotonic() + 10
    while len((await remote.status()).clients) > before:
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)
    await remote.close()


REFUSED = (
    pytest.param({"Authorization": None}, 401, id="no token"),
    pytest.param({"Authorization": "Bearer wrong-wrong-wrong-wrong"}, 401, id="a wrong token"),
    pytest.param({"Authorization": "Basic TOKEN"}, 401, id="another scheme"),
    pytest.param({"Origin": "https://evil.example"}, 403, id="a page of another site"),
    pytest.param({"Origin": "null"}, 403, id="a page without an origin"),
    pytest.param({"Host": "evil.example:80"}, 421, id="a name bound to loopback"),
    pytest.param({"Host": "127.0.0.1"}, 421, id="another port"),
)


@pytest.mark.proves("report-40")
@pytest.mark.parametrize(("change", "status"), REFUSED)
def test_a_request_without_business_here_reaches_nothing(
    served: Served, change: dict[str, str | None], status: int
) -> None:  # fmt: skip
    before, wanted = journal(served.folder), {**served.headers, **change}
    headers = {name: value.replace("TOKEN", served.token) for name, value in wanted.items() if value is not None}
    answer = served.post(headers)
    assert answer.status_code == status
    assert served.token not in answer.text
    assert journal(served.folder) == before


@pytest.mark.proves("report-40")
def test_a_large_body_is_refused_told_or_untold(served: Served) -> None:
    large = b" " * (10 * 1024 * 1024)
    with suppress(httpx2.WriteError):  # hung up on in the middle of it: refused just as well
        assert served.post(served.headers, large).status_code == 413
    with served.connection() as plain:
        plain.sendall(head(served, "Transfer-Encoding: chunked"))
        piece = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        answer = b""
        try:
            for _ in range(64):
                plain.sendall(piece)
            answer = plain.recv(4096)
        except ConnectionError:
            answer = answer or b"HTTP/1.1 413"
    assert b" 413" in answer.splitlines()[0]
    assert served.post(served.headers).status_code == 200


def head(served: Served, *more: str) -> bytes:
    lines = ["POST /mcp HTTP/1.1", f"Host: 127.0.0.1:{served.port}", f"Authorization: Bearer {served.token}", *more]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


@pytest.mark.proves("report-40")
def test_slow_clients_are_let_go(served: Served) -> None:
    with served.connection() as silent, served.connection() as half, served.connection() as begun:
        half.sendall(b"POST /mcp HTTP/1.1\r\nHost: 127.0")
        begun.sendall(head(served, "Content-Length: 100") + b"{")
        started = time.monotonic()
        assert silent.recv(4096) == b""
        assert half.recv(4096) == b""
        assert b" 408" in begun.recv(4096).splitlines()[0]
        assert time.monotonic() - started < http.SECONDS + 5


@pytest.mark.proves("report-40")
def test_two_hundred_connections_leave_the_server_well(served: Served) -> None:
    with ExitStack() as open_ones:
        for _ in range(200):
            open_ones.enter_context(served.connection())
        answer = open_ones.enter_context(served.connection())
        answer.sendall(head(served, "Content-Length: 0"))
        assert b" 503" in answer.recv(4096).splitlines()[0]
    deadline = time.monotonic() + 10
    while (status := served.post(served.headers).status_code) == 503:
        assert time.monotonic() < deadline
    assert status == 200


@pytest.mark.proves("report-40")
def test_it_listens_on_loopback_only(served: Served) -> None:
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    listening = [row[1] for row in rows if row[3] == "0A" and int(row[1].rpartition(":")[2], 16) == served.port]
    assert listening == [f"0100007F:{served.port:04X}"]


def test_the_token_is_made_once_and_kept_private(tmp_path: Path) -> None:
    path = tmp_path / "state" / "token"
    token = http.token_in(path)
    assert http.token_in(path) == token
    assert len(token) >= 32
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_token_that_others_can_read_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text("a" * 32)
    path.chmod(0o644)
    with pytest.raises(DeskhandError, match="chmod 600"):
        http.token_in(path)


async def test_a_port_that_is_taken_is_said(served: Served) -> None:
    with pytest.raises(DeskhandError, match="choose another"):
        await asyncio.to_thread(http.listening, served.port)
