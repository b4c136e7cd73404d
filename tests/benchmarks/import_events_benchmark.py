"""The import of an error log and of statistics: processor time and memory of a process that does
nothing else.

    python -m tests.benchmarks.import_events_benchmark [--megabytes 100]

At most 20 s of processor time for 100 MB are wanted, and memory that does not grow with the file.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from multiprocessing import get_context
from pathlib import Path

from mqsc.main import run_to_exit_code
from tests.benchmarks.measuring import options

_NINE = datetime(2026, 3, 1, 9, tzinfo=UTC)
_WHY = (
    "The channel program running under process ID 77 for channel 'TO.BANK' had an error before.\n"
)
_SEPARATOR = "----- amqxloga.c : 3150 -------------------------------------------------------\n"


def log_records() -> Iterator[str]:
    """Records of about a thousand bytes, as long as those of real logs, a second apart."""
    for number in count():
        at = _NINE + timedelta(seconds=number)
        yield (
            f"{at:%m/%d/%Y %H:%M:%S} - Process(77.{number % 50}) User(mqm) Program(amqrmppa)\n"
            f"                    Host(shop1) Installation(Installation1)\n"
            f"                    VRMF(9.4.0.0) QMgr(SHOP)\n"
            f"                    Time({at:%Y-%m-%dT%H:%M:%S}.250Z)\n                    "
            f"ArithInsert1({number})\n"
            "                    CommentInsert1(TO.BANK)\n                    "
            "CommentInsert2(10.1.2.3)\n\n"
            f"AMQ9490E: The maximum number of instances, {number}, of channel 'TO.BANK' "
            "was\nreached.\n\nEXPLANATION:\n"
            f"{_WHY * 3}ACTION:\n{_WHY * 3}{_SEPARATOR}"
        )


def statistics() -> Iterator[str]:
    """Statistics of fifteen queues a message, as amqsevt prints them."""
    figures = {
        name: [14, 0]
        for name in ("puts", "put1s", "putBytes", "gets", "getBytes", "browses", "browseBytes")
    }
    for number in count():
        at = _NINE + timedelta(seconds=30 * number)
        queues = [
            {"queueName": f"APP.{each}", "queueType": "Local", "queueMaxDepth": number, **figures}
            for each in range(15)
        ]
        ends = {
            "endDate": f"{at:%Y-%m-%d}",
            "endTime": f"{at:%H.%M.%S}",
            "startDate": "2026-03-01",
            "startTime": "09.00.00",
        }
        message = {
            "eventSource": {
                "objectName": "SYSTEM.ADMIN.STATISTICS.QUEUE",
                "objectType": "Queue",
                "queueMgr": "SHOP",
            },
            "eventType": {"name": "Statistics Queue", "value": 165},
            "eventReason": {"name": "None", "value": 0},
            "eventCreation": {"timeStamp": "", "epoch": int(at.timestamp())},
            "eventData": {"queueMgrName": "SHOP", **ends, "queueStatisticsData": queues},
        }
        yield json.dumps(message, indent=2) + "\n\n"


def measured(made: Callable[[], Iterator[str]], megabytes: int, folder: str) -> None:
    """Import so many megabytes, and print what it took."""
    path = Path(folder) / f"{made.__name__}.log"
    with path.open("w") as file:
        for text in made():
            if file.tell() > megabytes * 1_000_000:
                break
            file.write(text)
    before = resource.getrusage(resource.RUSAGE_SELF)
    code = run_to_exit_code(
        ["--store", f"sqlite:///{folder}/{made.__name__}.db", "import", str(path)],
    )
    usage = resource.getrusage(resource.RUSAGE_SELF)
    seconds = usage.ru_utime + usage.ru_stime - before.ru_utime - before.ru_stime
    sys.stdout.write(
        f"{made.__name__}: code {code}, processor {seconds:.1f} s, memory {usage.ru_maxrss >> 10} "
        "MB\n",
    )


if __name__ == "__main__":
    arguments = options(__doc__, megabytes=100)
    for each in (log_records, statistics):
        with tempfile.TemporaryDirectory() as folder:
            process = get_context("spawn").Process(
                target=measured,
                args=(each, arguments.megabytes, folder),
            )
            process.start()
            process.join()
