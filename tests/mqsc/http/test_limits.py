"""Limits, and requests that are no HTTP (rest §6, §7)."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from mqsc.http import bodies, protocol
from mqsc.http.server import Listening, ListeningError, check
from mqsc.store.client.store import Store
from tests.mqsc.http.client import CSRF, V2, Client, basic, client_of
from tests.mqsc.http.test_random_bytes import memory

MESSAGE = f"{V2}/messaging/qmgr/QM1/queue/Q1/message"
HEADERS = (
    f"Host: localhost\r\nAuthorization: {basic('adm')}\r\n{CSRF}: x\r\nContent-Type: text/plain\r\n"
)


@contextmanager
def connected(client: Client) -> Iterator[socket.socket]:
    with socket.create_connection((client.host, client.port), timeout=60) as opened:
        yield opened


def reply(client: Client, sent: bytes) -> bytes:
    """What the server answers until it closes the connection."""
    with connected(client) as opened:
        opened.sendall(sent)
        return all_of(opened)


def all_of(opened: socket.socket) -> bytes:
    parts = []
    try:
        while part := opened.recv(65536):
            parts.append(part)
    except ConnectionResetError:
        # It did not read all that was sent.
        pass
    return b"".join(parts)


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def test_w73_bodies_that_are_too_long(store: Store) -> None:
    with client_of(store, most_bytes=1000) as client:
        assert client("POST", MESSAGE, b"x" * 1000).status == 201
        assert client("POST", MESSAGE, b"x" * 1001).error == (413, "MQSC0601E", 0, 0)
        chunk = b"100\r\n" + b"x" * 256 + b"\r\n"
        head = f"POST {MESSAGE} HTTP/1.1\r\n{HEADERS}Transfer-Encoding: chunked\r\n\r\n"
        answer = reply(client, head.encode() + chunk * 5 + b"0\r\n\r\n")
        assert status(answer) == 413


def test_a_body_of_100_mb_is_refused_before_it_is_read(client: Client) -> None:
    head = f"POST {MESSAGE} HTTP/1.1\r\n{HEADERS}Content-Length: {100 << 20}\r\n\r\n"
    assert status(reply(client, head.encode() + b"x" * (1 << 20))) == 413


def test_bodies_of_100_mb_leave_nothing_in_memory(store: Store) -> None:
    body = bytes(100 << 20)
    with client_of(store, most_bytes=len(body)) as client:
        assert client("POST", MESSAGE, body).error == (400, "MQWB0303E", 2, 2030)
        used = memory()
        for _ in range(3):
            assert client("POST", MESSAGE, body).error == (400, "MQWB0303E", 2, 2030)
        # The server may still have the last one.
        assert memory() - used < 2 * len(body)


def test_w73_two_lengths_that_differ(client: Client) -> None:
    head = f"POST {MESSAGE} HTTP/1.1\r\n{HEADERS}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab"
    answer = reply(client, head.encode())
    assert status(answer) == 400
    assert b"MQWB0106E" in answer


def test_w73_a_body_that_does_not_arrive(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "_SECONDS", 0.05)
    head = f"POST {MESSAGE} HTTP/1.1\r\n{HEADERS}Content-Length: 9\r\n\r\nab"
    answer = reply(client, head.encode())
    assert status(answer) == 408
    assert b"MQSC0605E" in answer


@pytest.mark.parametrize("sent", [b"", b"GET /heal", b"GET /health/live HTTP/1.1\r\nHost: x\r\n"])
def test_headers_that_do_not_arrive(
    client: Client, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(protocol, "HEADER_SECONDS", 0.05)
    assert status(reply(client, sent)) == 408


def test_a_second_request_whose_headers_do_not_arrive(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "HEADER_SECONDS", 0.05)
    whole = b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with connected(client) as opened:
        opened.sendall(whole)
        first = opened.recv(65536)
        opened.sendall(b"GET /heal")
        rest = all_of(opened)
    assert (status(first), status(rest)) == (200, 408)


def test_headers_and_urls_that_are_too_long(client: Client) -> None:
    long_header = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * (70 << 10)
    assert status(reply(client, long_header)) == 431
    assert client("GET", f"{V2}/admin/qmgr?x={'y' * 9000}").error[:2] == (414, "MQSC0604E")


def test_connections_beyond_the_most(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "MOST_CONNECTIONS", 2)
    with connected(client) as first, connected(client) as second:
        for each in (first, second):
            each.sendall(b"GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert status(each.recv(65536)) == 200
        with connected(client) as third:
            refused = all_of(third)
    assert status(refused) == 503
    assert b"Retry-After: 1" in refused


def test_w74_other_hosts_and_origins(client: Client, store: Store) -> None:
    for host in ("evil.example", "localhost.evil.example", "[", "", "evil.example:80"):
        answer = client.send("GET", "/health/live", None, {"Host": host})
        assert answer.error == (421, "MQSC0603E", 0, 0)
    for host in ("localhost:1", "127.0.0.1", "[::1]:9", "10.0.0.1", "LOCALHOST"):
        assert client.send("GET", "/health/live", None, {"Host": host}).status == 200
    answer = client("GET", f"{V2}/login", Origin="https://evil.example")
    assert answer.status == 200
    assert not [name for name in answer.headers if name.lower().startswith("access-control")]
    with client_of(store, hosts=("mq.example",)) as named:
        assert named.send("GET", "/health/live", None, {"Host": "MQ.example:9443"}).status == 200


@pytest.mark.parametrize(
    "sent",
    [
        b"\0\1\2\3\r\n\r\n",
        b"GET / HTTP/9.9\r\nConnection: close\r\n\r\n",
        b"\x16\x03\x01\x02\0\1\0\1\xfc\x03\x03",
        b"GET http:// HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"GET * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"GET /%zz%00/../.. HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    ],
)
def test_what_is_no_request_is_refused(client: Client, sent: bytes, lines: list[str]) -> None:
    answer = reply(client, sent)
    assert 400 <= status(answer) < 500
    assert not any("error" in line for line in lines)
    assert client.send("GET", "/health/live").status == 200


class TestListening:
    """Who can reach the server decides how it may listen."""

    def test_without_users_only_this_machine(
        self, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        import mqsc

        with mqsc.open_store(tmp_path_factory.mktemp("empty") / "s.db") as empty:
            check(Listening("127.0.0.1", 0), empty)
            with pytest.raises(ListeningError, match="no users"):
                check(Listening("0.0.0.0", 0, "cert", "key"), empty)

    def test_other_machines_need_tls(self, store: Store) -> None:
        with pytest.raises(ListeningError, match="need TLS"):
            check(Listening("0.0.0.0", 0), store)
        check(Listening("0.0.0.0", 0, "cert", "key"), store)

    def test_no_auth_is_for_this_machine(self, store: Store) -> None:
        with pytest.raises(ListeningError, match="--no-auth"):
            check(Listening("::", 0, "cert", "key", open_to_all=True), store)
