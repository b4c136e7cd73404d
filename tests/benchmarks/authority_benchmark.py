"""Connections, opens, puts and gets of a user whose authorities are enforced, measured against
those of the owner.

    python -m tests.benchmarks.authority_benchmark [--calls 300] [--rounds 31]

Each round measures the owner and then the user; printed is the median ratio of speeds (user /
owner). The bars are 0.87 for an open, 0.77 for a connection, 1.0 for puts and gets.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import mqsc
from mqsc import GetMessageOptions, Message
from mqsc.constants import MQOO
from mqsc.store.admin.user_accounts import set_mode
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import open_store
from tests.benchmarks.measuring import compare_each, options

RECORDS = 1000


def prepared(qmgr: QueueManager) -> None:
    lines = [
        "DEFINE QLOCAL(Q) MAXDEPTH(999999)",
        "SET AUTHREC OBJTYPE(QMGR) GROUP('apps') AUTHADD(CONNECT)",
    ]
    lines += ["SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) GROUP('apps') AUTHADD(PUT,GET)"]
    lines += [
        f"SET AUTHREC PROFILE(X{n}.**) OBJTYPE(QUEUE) GROUP('apps') AUTHADD(PUT)" for n in range(50)
    ]
    lines += [
        f"SET AUTHREC PROFILE(Y{n}) OBJTYPE(QUEUE) GROUP('apps') AUTHADD(PUT)"
        for n in range(RECORDS)
    ]
    mqsc.run(qmgr, "\n".join(lines), check=True)
    set_mode(qmgr, "enforce")


def main() -> None:
    """Print the ratios."""
    asked = options(__doc__, calls=300, rounds=31)
    with (
        tempfile.TemporaryDirectory() as folder,
        open_store(f"sqlite:///{Path(folder) / 's.db'}") as store,
    ):
        qmgr = store.create_queue_manager("QM1")
        prepared(qmgr)
        store.add_user("app", "x", groups=["apps"])
        owner, user = qmgr.connect(), qmgr.connect(user="app")
        both = [each.open("Q", MQOO.OUTPUT | MQOO.INPUT_SHARED) for each in (owner, user)]
        message, get = Message(b"x" * 100), GetMessageOptions()
        calls: tuple[tuple[str, Callable[[int], object]], ...] = (
            ("connect", lambda n: qmgr.connect(user=("", "app")[n]).disconnect()),
            ("open and close", lambda n: (owner, user)[n].open("Q", MQOO.OUTPUT).close()),
            ("put", lambda n: both[n].put(message)),
            ("get", lambda n: both[n].get(get)),
        )
        for name, call in calls:
            compare_each(
                name,
                asked.rounds,
                asked.calls,
                partial(call, 1),
                partial(call, 0),
                beside="owner",
            )


if __name__ == "__main__":
    main()
