"""`mqsc import` of a dump of definitions, and of messages compared with putting lists of a thousand.

    python -m tests.benchmarks.import_benchmark                     10 000 objects, 100 000 messages
    python -m tests.benchmarks.import_benchmark 2000 1000000        other numbers

Processor seconds: of the command line for the dump, whose limit is 10 for 10 000 objects; of both sides in one process
for messages of 100 bytes, the median ratio of some rounds, whose limit is 1.5.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median

import mqsc
from mqsc.imports.qload import heading, qload_lines
from mqsc.main import run_to_exit_code
from store.client.api import QueueManager, open_store
from store.constants import MQOO, MQPER
from store.descriptor import MessageDescriptor, put_date, put_time
from store.message import Message
from tests.benchmarks.measuring import took
from tests.benchmarks.script_benchmark import measured

ROUNDS, LIST = 3, 1000
OBJECT = """\
DEFINE QLOCAL('APP.{number:05}') +
   DESCR('queue {number}') +
   PUT(ENABLED) GET(ENABLED) DEFPRTY(0) DEFPSIST(YES) MAXDEPTH({number}) MAXMSGL(4194304) +
*  ALTDATE(2026-02-27) +
   BOTHRESH(3) BOQNAME('APP.BACKOUT') SHARE DEFSOPT(SHARED) MSGDLVSQ(PRIORITY) +
   USAGE(NORMAL) NOTRIGGER TRIGTYPE(FIRST) TRIGDPTH(1) TRIGMPRI(0) INITQ(' ') +
   REPLACE
"""


def definitions(count: int, folder: Path) -> None:
    """Print the seconds of a dump with so many queues: for a new queue manager, and once more."""
    file = folder / "dump.mqsc"
    file.write_text("".join(OBJECT.format(number=number) for number in range(1, count + 1)), encoding="utf-8")
    for what in ("created", "unchanged"):
        spent = measured(folder / "dump.db", "import", str(file)).processor
        print(f"{count} objects {what}: {spent:5.2f} s (limit {10 * count / 10_000:.1f})")


def write_messages(count: int, file: Path) -> None:
    """Messages with identifiers and times of their own."""
    chance, at = random.Random(34), 1_772_359_205_000_000
    with file.open("w", encoding="utf-8") as out:
        out.writelines(f"{line}\n" for line in heading("SHOP", "FILE", "Sun Mar  1 10:00:05 2026"))
        for _ in range(count):
            at += chance.randrange(200_000)
            descriptor = MessageDescriptor(
                format="MQSTR", msg_id=chance.randbytes(24), persistence=MQPER.PERSISTENT, user_identifier="anna",
                put_appl_type=6, put_appl_name="orders", put_date=put_date(at), put_time=put_time(at),
            )  # fmt: skip
            out.writelines(f"{line}\n" for line in qload_lines(Message(chance.randbytes(100), descriptor)))


def put_lists(qmgr: QueueManager, bodies: list[bytes]) -> None:
    """Put the messages on LISTS."""
    with qmgr.connect() as connection:
        handle = connection.open("LISTS", MQOO.OUTPUT)
        for at in range(0, len(bodies), LIST):
            handle.put([Message(body, MessageDescriptor(format="MQSTR")) for body in bodies[at : at + LIST]])


def messages(count: int, folder: Path) -> None:
    """Print the ratio of importing so many messages to putting as many."""
    file = folder / "messages.qload"
    write_messages(count, file)
    bodies = [random.Random(number).randbytes(100) for number in range(count)]
    ratios = []
    for number in range(ROUNDS):
        url = f"sqlite:///{folder}/messages{number}.db"
        with open_store(url) as store:
            qmgr = store.create_queue_manager("SHOP")
            for queue in ("FILE", "LISTS"):
                mqsc.run(qmgr, f"DEFINE QLOCAL({queue}) MAXDEPTH(999999999) DEFPSIST(YES)", check=True)
            lists = took(lambda manager=qmgr: put_lists(manager, bodies))  # type: ignore[misc]
        imported = took(_importing(url, file))
        ratios.append(imported.processor / lists.processor)
        each = f"{imported.processor / count * 1e6:.1f} us, lists {lists.processor / count * 1e6:.1f} us"
        print(f"{count} messages imported: {each} each")
    print(f"{median(ratios):4.2f} times lists of {LIST} (limit 1.5)")


def _importing(url: str, file: Path) -> Callable[[], object]:
    return lambda: run_to_exit_code(["--store", url, "import", "--quiet", str(file)])


if __name__ == "__main__":
    objects, number = map(int, (*sys.argv[1:3], *("10000", "100000")[len(sys.argv) - 1 :]))
    with tempfile.TemporaryDirectory() as made:
        definitions(objects, Path(made))
        messages(number, Path(made))
