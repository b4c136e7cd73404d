"""Random bytes, and requests that are damaged at random: never a fault, and no memory is kept.

MQSC_TIMES=25 sends 10,000.
"""

from __future__ import annotations

import os
import random
import re
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from mqsc.http import bodies, protocol
from tests.examples import TIMES
from tests.mqsc.http.client import CSRF, V2, Client, basic

REQUESTS = 400 * TIMES
MOST_KEPT = 20 * (1 << 20)
MESSAGE = f"{V2}/messaging/qmgr/QM1/queue/Q1/message"
COMMAND = b'{"type":"runCommandJSON","command":"display","qualifier":"qlocal","name":"Q1"}'
STATUS = re.compile(rb"HTTP/1\.1 (\d{3}) ")
Chance = random.Random


def request(method: str, path: str, body: bytes, more: str = "") -> bytes:
    """A whole request that the server would answer."""
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {basic('adm')}\r\n"
        f"{CSRF}: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n{more}\r\n"
    )
    return head.encode() + body


WHOLE = (
    request("POST", f"{V2}/admin/action/qmgr/QM1/mqsc", COMMAND),
    request("POST", MESSAGE, b'"a message"', "ibm-mq-md-expiry: unlimited\r\n"),
    request("GET", MESSAGE, b""),
    request("DELETE", f"{MESSAGE}?wait=0", b""),
    request("POST", f"{V2}/login", b'{"username":"adm","password":"wrong"}'),
)


def only_bytes(chance: Chance) -> bytes:
    return chance.randbytes(chance.randrange(1, 300))


def mutated(chance: Chance) -> bytes:
    """A request with some bytes changed."""
    data = bytearray(chance.choice(WHOLE))
    for _ in range(chance.randrange(1, 6)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data)


def truncated(chance: Chance) -> bytes:
    whole = chance.choice(WHOLE)
    return whole[: chance.randrange(len(whole))]


def pipelined(chance: Chance) -> bytes:
    """Several requests at once, the last one damaged."""
    whole = [chance.choice(WHOLE) for _ in range(chance.randrange(1, 5))]
    return b"".join(whole) + mutated(chance)


def huge_headers(chance: Chance) -> bytes:
    size = chance.randrange(1, 100_000)
    value = chance.choice([b"x", b"\t", b"\xff"]) * size
    return b"GET /health/live HTTP/1.1\r\nHost: localhost\r\nX: " + value + b"\r\n\r\n"


def bad_chunks(chance: Chance) -> bytes:
    """A body in chunks whose sizes and ends are random."""
    head = request("POST", MESSAGE, b"").replace(
        b"Content-Length: 0", b"Transfer-Encoding: chunked"
    )
    sizes = [
        b"5",
        b"0",
        b"ffffffffffffffff",
        b"-1",
        b"5;x=y",
        b"g",
        b"",
        b"00000000000000000000005",
    ]
    chunks = [
        chance.choice(sizes) + b"\r\n" + chance.randbytes(5) + b"\r\n"
        for _ in range(chance.randrange(1, 5))
    ]
    return head + b"".join(chunks)


def random_body(chance: Chance) -> bytes:
    path = chance.choice([MESSAGE, f"{V2}/login", f"{V2}/admin/action/qmgr/QM1/mqsc"])
    return request("POST", path, chance.randbytes(chance.randrange(200)))


KINDS: tuple[Callable[[Chance], bytes], ...] = (
    only_bytes,
    mutated,
    truncated,
    pipelined,
    huge_headers,
    bad_chunks,
    random_body,
)


def answers(client: Client, sent: bytes) -> bytes:
    """What the server answers to bytes after which nothing comes. Only after the first answer, if
    only that they came too late, does the server hear that nothing comes.
    """
    parts = []
    with socket.create_connection((client.host, client.port), timeout=60) as opened:
        try:
            opened.sendall(sent)
            parts.append(opened.recv(65536))
            opened.shutdown(socket.SHUT_WR)
            while part := opened.recv(65536):
                parts.append(part)
        except OSError:
            # It did not read all that was sent.
            pass
    return b"".join(parts)


def memory() -> int:
    """The bytes that this process, with the server in it, has in memory."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def test_random_bytes_are_never_a_fault(
    client: Client, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "HEADER_SECONDS", 0.05)
    monkeypatch.setattr(bodies, "_SECONDS", 0.05)
    chance = random.Random(54)
    seen = set()
    used = 0
    for number in range(REQUESTS):
        kind = KINDS[number % len(KINDS)]
        statuses = {int(each) for each in STATUS.findall(answers(client, kind(chance)))}
        assert not [each for each in statuses if each >= 500], kind
        seen |= statuses
        if number == REQUESTS // 10:
            used = memory()
    assert memory() - used < MOST_KEPT
    # Some of them are accepted, others refused in different ways.
    assert seen >= {200, 201, 400, 401, 408}
    assert not any(line.startswith("error") for line in lines)
    assert client.send("GET", "/health/live").status == 200
