"""The REST API beside a bare handler of the same stack that makes the same calls; many connections
at once; and 10,000 queues beside `mqsc run --format json`.

python -m tests.benchmarks.rest_benchmark [--rounds 15] [--requests 300] [--connections 50]
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from base64 import b64encode
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from statistics import median, quantiles
from typing import NamedTuple

import mqsc
from mqsc.http.contract import BASE, CSRF_HEADER, command_body, command_path
from tests.benchmarks import bare_rest
from tests.benchmarks.measuring import options, report, seconds

ROUNDS, REQUESTS, CONNECTIONS, QUEUES = 15, 300, 50, 10_000
USER, PASSWORD = "adm", "a password"
QUEUE = "Q"
BODY = b"x" * 1024
HEADERS = {
    "Authorization": f"Basic {b64encode(f'{USER}:{PASSWORD}'.encode()).decode()}",
    CSRF_HEADER: "",
}
TEXT = {**HEADERS, "Content-Type": "text/plain"}
JSON = {**HEADERS, "Content-Type": "application/json"}
MESSAGE = f"{BASE}/v2/messaging/qmgr/QM1/queue/{QUEUE}/message"
COMMANDS = command_path("QM1")
DISPLAY = json.dumps(
    command_body("display", "qlocal", QUEUE, responseParameters=["curdepth"])
).encode()
EVERY = json.dumps(command_body("display", "qlocal", "*", responseParameters=["all"])).encode()
_TICKS = os.sysconf("SC_CLK_TCK")


class Server(NamedTuple):
    """A server as a process."""

    pid: int
    port: int

    @property
    def processor_seconds(self) -> float:
        """The processor time that it has used."""
        with open(f"/proc/{self.pid}/stat", encoding="ascii") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS


class Exchange(NamedTuple):
    """A request that is sent again and again."""

    path: str
    body: bytes
    headers: Mapping[str, str]


@contextmanager
def started(*command: str, port_after: str = "") -> Iterator[Server]:
    """Start a server that prints its port."""
    with subprocess.Popen(
        [sys.executable, "-m", *command], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            port = re.search(rf"{port_after}(\d+)", process.stdout.readline())
            assert port is not None
            yield Server(process.pid, int(port[1]))
        finally:
            process.terminate()


def send(connection: HTTPConnection, exchange: Exchange) -> bytes:
    """Send a request; RuntimeError unless it succeeds."""
    connection.request("POST", exchange.path, exchange.body, dict(exchange.headers))
    answer = connection.getresponse()
    data = answer.read()
    if answer.status >= 300:
        raise RuntimeError(f"{exchange.path}: {answer.status} {data!r}")
    return data


def compare_with_bare(
    name: str,
    rounds: int,
    requests: int,
    sides: tuple[tuple[Server, Exchange], tuple[Server, Exchange]],
) -> dict[str, float]:
    """The median ratios of the two servers, the bare one first, over one connection: by the clock,
    and of the processor time that the servers use.
    """
    clock: list[tuple[float, float]] = []
    processor: list[float] = []
    with ExitStack() as stack:
        connections = []
        for server, exchange in sides:
            connection = HTTPConnection("127.0.0.1", server.port)
            stack.callback(connection.close)
            send(connection, exchange)
            connections.append(connection)
        for _ in range(rounds):
            took: list[float] = []
            used: list[float] = []
            for (server, exchange), connection in zip(sides, connections, strict=True):
                before = server.processor_seconds
                took.append(seconds(lambda c=connection, e=exchange: repeat(c, e, requests)))  # type: ignore[misc]
                used.append(server.processor_seconds - before)
            clock.append((took[0], took[1]))
            processor.append(used[0] / used[1])
    of_processor = median(processor)
    by_clock = report(f"{name:30} processor {of_processor:4.2f}", requests, clock)
    return {"clock": by_clock, "processor": of_processor}


def repeat(connection: HTTPConnection, exchange: Exchange, times: int) -> None:
    for _ in range(times):
        send(connection, exchange)


def many_connections(server: Server, connections: int, requests: int) -> tuple[float, float]:
    """The median and the 99th percentile, in ms, of puts over many connections at once; any error
    ends it.
    """

    def client(_: int) -> list[float]:
        connection = HTTPConnection("127.0.0.1", server.port)
        put = Exchange(MESSAGE, BODY, TEXT)
        send(connection, put)
        took = [seconds(lambda: send(connection, put)) for _ in range(requests)]
        connection.close()
        return took

    with ThreadPoolExecutor(connections) as pool:
        took = [each for times in pool.map(client, range(connections)) for each in times]
    return median(took) * 1000, quantiles(took, n=100)[98] * 1000


def compare_queues(server: Server, rounds: int) -> float:
    """How long the REST API takes to display all queues, as a share of `mqsc run`."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=600)
    every = Exchange(COMMANDS, EVERY, JSON)
    shares = [
        seconds(lambda: send(connection, every)) / seconds(run_command) for _ in range(rounds)
    ]
    connection.close()
    return median(shares)


def run_command() -> None:
    command = [sys.executable, "-m", "mqsc", "run", "--format", "json"]
    subprocess.run([*command, "-c", "DISPLAY QLOCAL(*) ALL"], check=True, stdout=subprocess.DEVNULL)


def filled(url: str) -> None:
    """Make the store with its queues and its user."""
    with mqsc.open_store(url) as store:
        store.is_administrators = True
        qmgr = store.create_queue_manager("QM1")
        store.add_user(USER, PASSWORD, administrator=True)
        mqsc.run(qmgr, f"DEFINE QLOCAL({QUEUE}) MAXDEPTH(999999999)", check=True)


def fill_queues(url: str, number: int) -> None:
    with mqsc.open_store(url) as store:
        text = "\n".join(f"DEFINE QLOCAL(APP.Q{each})" for each in range(number))
        mqsc.run(store.queue_manager(), text, check=True)


def measure(
    rounds: int = ROUNDS,
    requests: int = REQUESTS,
    connections: int = CONNECTIONS,
    queues: int = QUEUES,
) -> dict[str, float]:
    """Print and return the figures."""
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        url = os.environ["MQSC_STORE"] = f"sqlite:///{folder}/test.db"
        filled(url)
        ours = stack.enter_context(
            started("mqsc", "serve", "--http", "0", port_after=r"127\.0\.0\.1:")
        )
        bare = stack.enter_context(started(bare_rest.__name__, url, QUEUE))
        put = Exchange(MESSAGE, BODY, TEXT)
        display = Exchange(COMMANDS, DISPLAY, JSON)
        pairs: Mapping[str, tuple[Exchange, Exchange]] = {
            "put": (Exchange(bare_rest.MESSAGE, BODY, TEXT), put),
            "display": (Exchange(bare_rest.DISPLAY, DISPLAY, JSON), display),
        }
        for name, (of_bare, of_ours) in pairs.items():
            sides = (bare, of_bare), (ours, of_ours)
            ratios = compare_with_bare(name, rounds, requests, sides)
            found |= {f"{name} by the {each}": ratio for each, ratio in ratios.items()}
        middle, late = many_connections(ours, connections, requests // 10 or 1)
        print(f"{connections} connections: median {middle:.1f} ms, 99th percentile {late:.1f} ms")
        found["99th percentile"] = late / middle
        fill_queues(url, queues)
        found["queues"] = compare_queues(ours, max(rounds // 5, 1))
        print(f"{queues} queues displayed in {found['queues']:.2f} times the time of mqsc run")
    return found


if __name__ == "__main__":
    given = options(__doc__, rounds=ROUNDS, requests=REQUESTS, connections=CONNECTIONS)
    measure(given.rounds, given.requests, given.connections)
