"""`mqsc import` of a dump of definitions, and of messages compared with putting lists of a
thousand.

    python -m tests.benchmarks.import_benchmark                     10 000 objects, 100 000 messages
    python -m tests.benchmarks.import_benchmark 2000 1000000        other numbers

Processor seconds: of the command line for the dump, whose limit is 10 for 10 000 objects; of both
sides in one process for messages of 100 bytes, the median ratio of some rounds, whose limit is 1.5.
"""

from __future__ import annotations

import gc
import random
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import mqsc
from mqsc.imports.qload_output import heading, qload_lines
from mqsc.main import OBJECTS_PER_COLLECTION, run_to_exit_code
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import open_store
from mqsc.store.constants import MQOO, MQPER, MQPMO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.message_times import put_date, put_time
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
    file.write_text(
        "".join(OBJECT.format(number=number) for number in range(1, count + 1)),
        encoding="utf-8",
    )
    for what in ("created", "unchanged"):
        spent = measured(folder / "dump.db", "import", str(file)).processor
        print(f"{count} objects {what}: {spent:5.2f} s (limit {10 * count / 10_000:.1f})")


def descriptions(count: int) -> Iterator[tuple[bytes, dict[str, Any]]]:
    """Data and descriptors of messages, with MsgIds as MQ makes them: each of twenty connections
    counts on.
    """
    chance, at = random.Random(34), 1_772_359_205_000_000
    numbers = [chance.randrange(1 << 63) for _ in range(20)]
    for _ in range(count):
        at += chance.randrange(200_000)
        connection = chance.randrange(len(numbers))
        numbers[connection] += 1
        yield (
            chance.randbytes(100),
            {
                "format": "MQSTR",
                "msg_id": b"AMQ SHOP        " + numbers[connection].to_bytes(8, "big"),
                "persistence": MQPER.PERSISTENT,
                "user_identifier": "anna",
                "put_appl_type": 6,
                "put_appl_name": "orders",
                "put_date": put_date(at),
                "put_time": put_time(at),
            },
        )


def write_messages(given: Iterable[tuple[bytes, dict[str, Any]]], file: Path) -> None:
    """Write them as dmpmqmsg does."""
    with file.open("w", encoding="utf-8") as out:
        out.writelines(f"{line}\n" for line in heading("SHOP", "FILE", "Sun Mar  1 10:00:05 2026"))
        for body, fields in given:
            out.writelines(
                f"{line}\n" for line in qload_lines(Message(body, MessageDescriptor(**fields)))
            )


def put_lists(
    qmgr: QueueManager,
    given: Sequence[tuple[bytes, dict[str, Any]]],
    *,
    same: bool,
) -> None:
    """Put them on LISTS: the same messages with their context, or new ones with the same data."""
    open_as, put_as = (MQOO.SET_ALL_CONTEXT, MQPMO.SET_ALL_CONTEXT) if same else (0, 0)
    new = {"format": "MQSTR"}
    with qmgr.connect() as connection:
        handle, options = connection.open("LISTS", MQOO.OUTPUT | open_as), PutMessageOptions(put_as)
        for at in range(0, len(given), LIST):
            some = given[at : at + LIST]
            handle.put(
                [
                    Message(body, MessageDescriptor(**(fields if same else new)))
                    for body, fields in some
                ],
                options,
            )


def messages(count: int, folder: Path) -> None:
    """Print the ratios of importing so many messages to putting the same, and as many new ones."""
    given = [*descriptions(count)]
    file = folder / "messages.qload"
    write_messages(given, file)
    gc.freeze()
    ratios: dict[bool, list[float]] = {True: [], False: []}
    for number in range(ROUNDS):
        url = f"sqlite:///{folder}/messages{number}.db"
        with open_store(url) as store:
            qmgr = store.create_queue_manager("SHOP")
            for queue in ("FILE", "LISTS"):
                mqsc.run(
                    qmgr,
                    f"DEFINE QLOCAL({queue}) MAXDEPTH(999999999) DEFPSIST(YES)",
                    check=True,
                )
        imported = took(_importing(url, file)).processor
        for same, found in ratios.items():
            with open_store(url) as store:
                lists = took(
                    partial(put_lists, store.queue_manager("SHOP"), given, same=same),
                ).processor
                mqsc.run(store.queue_manager("SHOP"), "CLEAR QLOCAL(LISTS)", check=True)
            found.append(imported / lists)
            of = "the same" if same else "new ones"
            print(
                f"{imported / count * 1e6:.1f} us each, lists of {of} {lists / count * 1e6:.1f} us",
            )
    print(
        f"{count} messages imported: {median(ratios[True]):4.2f} times lists of {LIST} (limit 1.5)",
    )
    print(
        f"{median(ratios[False]):4.2f} times lists of new messages, which have less in their rows",
    )


def _importing(url: str, file: Path) -> Callable[[], object]:
    return lambda: run_to_exit_code(["--store", url, "import", "--quiet", str(file)])


if __name__ == "__main__":
    # As `mqsc` does.
    gc.set_threshold(OBJECTS_PER_COLLECTION)
    objects, number = map(int, (*sys.argv[1:3], *("10000", "100000")[len(sys.argv) - 1 :]))
    with tempfile.TemporaryDirectory() as made:
        definitions(objects, Path(made))
        messages(number, Path(made))
