"""`mqsc serve --http` as a process: asked to stop, and killed (rest §7)."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.client import HTTPException
from pathlib import Path
from threading import Event, Lock, Thread

import pytest

import mqsc
from mqsc.store.client.store import Store
from mqsc.store.constants import MQOO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.environment import QUICK_PASSWORD_COST, Environment
from tests.examples import TIMES
from tests.mqsc.http.client import ADM, PASSWORD, V2, Answer, Client
from tests.mqsc.http.test_messaging import until_opened

MESSAGE = f"{V2}/messaging/qmgr/QM1/queue/Q1/message"
CLIENTS = 4
# After how many answers the server is killed; MQSC_TIMES=10 kills it twenty times.
ENOUGH = [3 + 27 * number for number in range(2 * TIMES)]
MESSAGES = 1000
TEXT = MessageDescriptor(format="MQSTR", coded_char_set_id=1208, persistence=1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    environment = replace(Environment.system(), password_cost=QUICK_PASSWORD_COST)
    with mqsc.open_store(tmp_path / "store.db", environment) as opened:
        qmgr = opened.create_queue_manager("QM1")
        mqsc.run(qmgr, "DEFINE QLOCAL(Q1)", check=True)
        opened.add_user(ADM, PASSWORD, administrator=True)
        yield opened


@contextmanager
def serving(store: Store, *options: str) -> Iterator[tuple[subprocess.Popen[str], Client]]:
    """The server as a process, and a client of it; it is killed at the end if it still runs."""
    environment = {**os.environ, "MQSC_STORE": f"sqlite:///{store.path}"}
    command = [sys.executable, "-m", "mqsc", "serve", "--http", "0", *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    ) as server:
        try:
            assert server.stdout is not None
            (url,) = re.findall(r"REST API at (http://127\.0\.0\.1:\d+)/", server.stdout.readline())
            yield server, Client(url)
        finally:
            server.kill()


def test_w76_sigterm_ends_waits_and_finishes_requests(store: Store) -> None:
    with serving(store) as (server, client):
        answers: list[Answer] = []
        waiting = Thread(target=lambda: answers.append(client("DELETE", f"{MESSAGE}?wait=600000")))
        waiting.start()
        until_opened(store)
        server.send_signal(signal.SIGTERM)
        waiting.join()
        assert answers[0].status == 204
        output = server.communicate()[0]
        assert (server.returncode, output.rstrip().endswith("ended")) == (0, True)
        assert "Traceback" not in output
    rows = mqsc.run(store.queue_manager("QM1"), "DISPLAY QSTATUS(Q1) IPPROCS OPPROCS")[0].rows
    assert (rows[0]["IPPROCS"], rows[0]["OPPROCS"]) == (0, 0)
    assert mqsc.run(store.queue_manager("QM1"), "DISPLAY CONN(*)")[0].completion == 2


def hammered(
    server: subprocess.Popen[str],
    request: Callable[[int], Answer],
    enough: int,
) -> list[tuple[int, Answer | None]]:
    """Send requests from several clients, kill the server after some answers, and return all
    requests by number, with None for one that was not answered.
    """
    sent: list[tuple[int, Answer | None]] = []
    lock = Lock()
    killed = Event()
    numbers = iter(range(100_000))

    def send() -> None:
        while not killed.is_set():
            with lock:
                number = next(numbers)
            answer = None
            try:
                answer = request(number)
            except (OSError, HTTPException):
                killed.set()
            with lock:
                sent.append((number, answer))
                if len(sent) == enough:
                    server.kill()

    clients = [Thread(target=send) for _ in range(CLIENTS)]
    for each in clients:
        each.start()
    for each in clients:
        each.join()
    return sent


def on_queue(store: Store) -> list[int]:
    """The numbers in the messages on the queue, after what the killed server left was backed
    out.
    """
    store.recover()
    found = []
    with mqsc.connect(store, qmgr="QM1") as session:
        for message in session.queue("Q1").browse():
            found.append(int(message.text))
    return found


@pytest.mark.parametrize("enough", ENOUGH)
def test_w77_a_put_that_was_answered_is_there_once(store: Store, enough: int) -> None:
    with serving(store) as (server, client):
        sent = hammered(
            server,
            lambda number: client(
                "POST", MESSAGE, str(number).encode(), ibm_mq_md_persistence="persistent"
            ),
            enough,
        )
    answered = {number for number, answer in sent if answer is not None}
    assert all(answer.status == 201 for _, answer in sent if answer is not None)
    there = on_queue(store)
    assert len(there) == len({*there})
    assert answered <= {*there} <= {number for number, _ in sent}
    assert_clean(store)


@pytest.mark.parametrize("enough", ENOUGH)
def test_w77_a_message_is_got_at_most_once(store: Store, enough: int) -> None:
    with store.queue_manager("QM1").connect() as connection:
        handle = connection.open("Q1", int(MQOO.OUTPUT))
        handle.put([mqsc.Message(str(each).encode(), TEXT.copy()) for each in range(MESSAGES)])
    with serving(store) as (server, client):
        sent = hammered(server, lambda _: client("DELETE", MESSAGE), enough)
    answers = [answer for _, answer in sent if answer is not None]
    got = [int(answer.body) for answer in answers]
    there = on_queue(store)
    assert all(answer.status == 200 for answer in answers)
    assert len(got) == len({*got})
    assert not {*got} & {*there}
    # What was got and not answered is gone, as with IBM's: at most the requests under way.
    unanswered = len(sent) - len(answers)
    assert MESSAGES - unanswered <= len(got) + len(there) <= MESSAGES
    assert_clean(store)


def assert_clean(store: Store) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "mqsc", "--store", str(store.path), "doctor"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
