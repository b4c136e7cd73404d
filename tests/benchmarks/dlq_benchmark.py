"""The dead-letter handler: the speed of a dry run, and of moving messages, compared with plain
units of work.

    python -m tests.benchmarks.dlq_benchmark [--messages 100000] [--moves 2000] [--rounds 5]

Prints messages per second of `test` with counts only and 100 rules (target: at least 20 000), and
the median ratio of `run` to a loop of get, put and commit in the product's own MQI (target: at
least 0.4).
"""

from __future__ import annotations

import tempfile
from functools import partial
from statistics import median
from threading import Event

from mqsc.dlq.dead_letter import dead_letters_on_queue
from mqsc.dlq.handler_run import HandlerArguments, HandlerOutput, TableSource, run_handler
from mqsc.dlq.rules_table import RulesTable
from mqsc.dlq.table_reading import parse_table
from mqsc.dlq.trial import TrialCounts, try_table
from mqsc.store import Message, MessageDescriptor, open_store
from mqsc.store.admin.altering import change_queue_manager
from mqsc.store.admin.defining import create
from mqsc.store.admin.peeking import peek
from mqsc.store.admin.put_preview import PutPreview
from mqsc.store.catalog import KINDS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQGMO, MQOO, MQPMO
from mqsc.store.headers import mqdlh
from mqsc.store.message import GetMessageOptions, PutMessageOptions
from tests.benchmarks.measuring import compare, options, took

RULES = 100
SHAPES = (
    "DESTQ(APP{n}.*) REASON({reason}) ACTION(RETRY)\n",
    "REASON({reason}) APPLNAME('job{n}*') ACTION(FWD) FWDQ(TARGET)\n",
    "USERID('u?{n}*x') PERSIST(1) ACTION(DISCARD)\n",
    "DESTQ(*{n}) REPLYQ(?*) MSGTYPE(1) ACTION(FWD) FWDQ(&REPLYQ) FWDQM(&REPLYQM)\n",
)
TABLE = (
    "".join(SHAPES[n % 4].format(n=n, reason=3000 + n) for n in range(RULES - 1))
    + "ACTION(FWD) FWDQ(TARGET)\n"
)


HELD = PutMessageOptions(MQPMO.SET_ALL_CONTEXT)


def letter(number: int) -> Message:
    """Return a dead letter whose field values depend on its number, so that few of them repeat."""
    reason, to = 2000 + number % 100, f"APP{number % 150}.{number}"
    header = mqdlh.DeadLetterHeader(reason, to, "QM1", 546, 1208, "MQSTR", 6, "x", "", "")
    names = {"put_appl_name": f"job{number % 977}", "user_identifier": f"u{number}x"}
    kind = {"format": "MQDEAD", "coded_char_set_id": 1208, "persistence": 0, "msg_type": 8}
    descriptor = MessageDescriptor(**kind, reply_to_q="ANSWERS" if number % 3 else "", **names)  # type: ignore[arg-type]
    return Message(mqdlh.pack_mqdlh(header) + b"x" * 512, descriptor)


def fill(qmgr: QueueManager, queue: str, count: int) -> None:
    with qmgr.connect() as connection:
        handle = connection.open(queue, MQOO.OUTPUT | MQOO.SET_ALL_CONTEXT)
        for begin in range(0, count, 1000):
            handle.put([letter(number) for number in range(begin, min(count, begin + 1000))], HELD)


def trial(qmgr: QueueManager, rules: RulesTable) -> None:
    """Do what `mqsc dlq test` does."""
    tally = TrialCounts()
    for fate in try_table(
        rules,
        dead_letters_on_queue(peek(qmgr, "DLQ", mqdlh.MQDLH_LENGTH)),
        PutPreview(qmgr, "DLQ"),
    ):
        tally.count(fate)


def compare_moves(qmgr: QueueManager, rounds: int, moves: int) -> float:
    """Return the median ratio of the handler's speed to that of plain units of work; filling is
    not measured.
    """
    listener = HandlerOutput(lambda at, said: None, lambda sentence: None)
    rules = TableSource("rules", lambda: ["WAIT(NO)\n" + TABLE])
    connection = qmgr.connect()
    source, target = (
        connection.open("SOURCE", MQOO.INPUT_SHARED),
        connection.open("TARGET", MQOO.OUTPUT),
    )
    get, put = GetMessageOptions(MQGMO.SYNCPOINT), PutMessageOptions(MQPMO.SYNCPOINT)

    def handle(count: int) -> None:
        assert run_handler(qmgr.store, rules, HandlerArguments(), listener, Event()) == 0

    def move(count: int) -> None:
        for _ in range(count):
            target.put(source.get(get), put)
            connection.commit()

    ratios = []
    for _ in range(rounds):
        for queue in ("DLQ", "SOURCE"):
            fill(qmgr, queue, moves)
        ratios.append(compare("run, beside get, put and commit", 1, moves, handle, move))
    return median(ratios)


if __name__ == "__main__":
    chosen = options(__doc__, messages=100_000, moves=2_000, rounds=5)
    with tempfile.TemporaryDirectory() as folder, open_store(f"sqlite:///{folder}/dlq.db") as store:
        qmgr = store.create_queue_manager("QM1")
        for name in ("DLQ", "SOURCE", "TARGET"):
            create(qmgr, KINDS["QLOCAL"], name, {"MAXDEPTH": 999_999_999})
        change_queue_manager(qmgr, {"DEADQ": "DLQ"})
        print(f"median ratio of run: {compare_moves(qmgr, chosen.rounds, chosen.moves):.2f}")
        fill(qmgr, "DLQ", chosen.messages)
        rules = parse_table([TABLE]).table
        assert rules is not None
        clock, processor = took(partial(trial, qmgr, rules))
        per_second = (
            f"{chosen.messages / clock:.0f}/s, {chosen.messages / processor:.0f} per second of "
            "processor time"
        )
        print(f"test, {RULES} rules, {chosen.messages} messages: {per_second}")
