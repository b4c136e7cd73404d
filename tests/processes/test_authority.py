"""Changes of who may do what, by programs that are killed in the middle, and beside programs
that open queues.
"""

from __future__ import annotations

import os
import random
from itertools import cycle

import mqsc
from mqsc.constants import MQOO
from mqsc.store.admin.authority import status
from mqsc.store.admin.authority_matrix import matrix
from mqsc.store.admin.user_accounts import add_user, change_groups, groups, set_mode
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import open_store
from mqsc.store.error import MQError
from tests.processes.conftest import Start

KILLS = int(os.environ.get("MQSC_KILLS", "12"))
RECORD = "SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) GROUP('apps') {}(GET,PUT)"
SET_UP = (
    "DEFINE QLOCAL(Q)\nSET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') "
    f"AUTHADD(CONNECT)\n{RECORD.format('AUTHADD')}"
)
OPENERS, OPENS = 8, 25


def prepare(url: str) -> None:
    with open_store(url) as store:
        qmgr = store.create_queue_manager("QM1")
        mqsc.run(qmgr, SET_UP, check=True)
        add_user(store, "app", "a password", groups=["apps"])
        set_mode(qmgr, "enforce")


def leave_and_join(qmgr: QueueManager) -> None:
    for add, remove in (((), ("apps",)), (("apps",), ())):
        change_groups(qmgr.store, "app", add, remove)


def change(url: str) -> None:
    """Change the record, the group and the mode in turn, until killed."""
    with open_store(url) as store:
        qmgr = store.queue_manager("QM1")
        told = False
        for word, mode in cycle((("AUTHRMV", "warn"), ("AUTHADD", "enforce"))):
            mqsc.run(qmgr, RECORD.format(word), check=True)
            leave_and_join(qmgr)
            set_mode(qmgr, mode)
            if not told:
                print("changed")
            told = True


def test_z112_a_killed_change_is_whole_or_not_there(start: Start, url: str) -> None:
    prepare(url)
    chance = random.Random(112)
    with open_store(url) as store:
        qmgr = store.queue_manager("QM1")
        for _ in range(KILLS):
            program = start(change)
            program.until("changed")
            program.is_silent(chance.random() / 20)
            program.kill()
            found = matrix(qmgr, "Q", users=["app"]), status(qmgr).mode
            with open_store(url) as new:
                assert found == (matrix(new.queue_manager("QM1"), "Q", users=["app"]), found[1])
                is_member = groups(new) == {"apps": ["app"]}
            assert found[1] in ("enforce", "warn")
            ((_, words),) = [row for row in found[0].rows if row[0] == ("QUEUE", "Q")]
            assert words[0] in (
                frozenset(),
                frozenset({"GET", "PUT"}) if is_member else frozenset(),
            )
            if not is_member:
                change_groups(store, "app", ["apps"], [])


def open_again_and_again(url: str) -> None:
    """Print what opens of Q came to: 0, or the reason."""
    with open_store(url) as store, store.queue_manager("QM1").connect("shop", "app") as connection:
        for _ in range(OPENS):
            try:
                connection.open("Q", MQOO.OUTPUT).close()
                print(0)
            except MQError as error:
                print(int(error.reason))


def test_z115_opens_beside_changes_of_the_group(start: Start, url: str) -> None:
    prepare(url)
    programs = [start(open_again_and_again) for _ in range(OPENERS)]
    with open_store(url) as store:
        qmgr = store.queue_manager("QM1")
        while not all(each.has_ended for each in programs):
            leave_and_join(qmgr)
    for program in programs:
        code, output, _ = program.rest()
        assert code == 0
        assert len(output.split()) == OPENS
        assert {*output.split()} <= {"0", "2035"}
