"""Passwords where CONNAUTH asks for them (events §3): who is admitted, 2035, its event and its
entry in the history.
"""

from __future__ import annotations

import pytest
from sqlalchemy import select

import mqsc
from mqsc.store.admin.user_accounts import add_user, change_password, remove_user, set_mode, users
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import open_store
from mqsc.store.constants import MQCA, MQCACF, MQIA, MQIACF, MQRC, MQRQ
from mqsc.store.environment import Environment
from mqsc.store.error import MQError, UserAccountError
from mqsc.store.sql import connections
from mqsc.store.sql.core.compiling import text_of
from mqsc.store.sql.core.schema import event
from mqsc.store.sql.rows import UserAccountRow
from mqsc.store.sqlite.database import Reading, Transaction
from tests.conftest import START
from tests.scenarios.looking import events_on
from tests.scenarios.play import Play

CHECKED = "ALTER AUTHINFO(SYSTEM.DEFAULT.AUTHINFO.IDPWOS) AUTHTYPE(IDPWOS)"
RIGHT, WRONG = "pass word é", "Pass word é"


@pytest.fixture(scope="module")
def accounts() -> list[UserAccountRow]:
    """The users alice and root, an administrator. They are made once, because a password is slow
    to hash.
    """
    with open_store("sqlite://", environment=Environment.frozen(START)) as store:
        add_user(store, "alice", RIGHT)
        add_user(store, "root", RIGHT, administrator=True)
        with Reading(store.database) as reading:
            return connections.users(reading)


@pytest.fixture
def qmgr(qmgr: QueueManager, accounts: list[UserAccountRow]) -> QueueManager:
    """A queue manager whose store has the users, and where authorities are not in force."""
    set_mode(qmgr, "off")
    with Transaction(qmgr.store.database, durable=False) as tx:
        for each in accounts:
            connections.write_user(tx, each)
    return qmgr


def alter(qmgr: QueueManager, attributes: str) -> None:
    mqsc.run(qmgr, f"{CHECKED} {attributes}", check=True)


def outcome(qmgr: QueueManager, user: str, password: str | None, *, client: bool = False) -> str:
    """The user of the connection, or the reason code."""
    try:
        with qmgr.connect("billing", user, password=password, client=client) as connection:
            return connection.user
    except MQError as error:
        return str(int(error.reason))


# What is asked for, who connects with which password, and what becomes of it.
ROWS: list[tuple[str, str, str | None, str]] = [
    ("OPTIONAL", "alice", None, "alice"),
    ("OPTIONAL", "alice", RIGHT, "alice"),
    ("OPTIONAL", "alice", WRONG, "2035"),
    ("OPTIONAL", "alice", "", "2035"),
    ("OPTIONAL", "mallory", RIGHT, "2035"),
    ("OPTIONAL", "mallory", None, "mallory"),
    ("REQUIRED", "alice", None, "2035"),
    ("REQUIRED", "alice", RIGHT, "alice"),
    ("REQUIRED", "alice", WRONG, "2035"),
    ("REQUIRED", "", None, "2035"),
    ("REQDADM", "alice", None, "alice"),
    ("REQDADM", "alice", WRONG, "2035"),
    ("REQDADM", "root", None, "2035"),
    ("REQDADM", "root", RIGHT, "root"),
    ("NONE", "alice", WRONG, "alice"),
    ("NONE", "root", None, "root"),
]


@pytest.mark.parametrize("keyword", ["CHCKLOCL", "CHCKCLNT"])
def test_who_is_admitted(qmgr: QueueManager, keyword: str) -> None:
    """CHCKLOCL is about local programs, CHCKCLNT about clients; each ignores the other."""
    client = keyword == "CHCKCLNT"
    found = []
    for asked, user, password, _ in ROWS:
        other = "REQUIRED" if asked == "NONE" else "NONE"
        alter(qmgr, f"{keyword}({asked}) {'CHCKLOCL' if client else 'CHCKCLNT'}({other})")
        found.append((asked, user, password, outcome(qmgr, user, password, client=client)))
    assert found == ROWS


@pytest.mark.parametrize(
    ("asked", "with_password"),
    [("OPTIONAL", "alice"), ("REQDADM", "alice"), ("REQUIRED", "2035")],
)
def test_nothing_is_checked_in_a_store_without_users_unless_it_is_required(
    qmgr: QueueManager,
    asked: str,
    with_password: str,
) -> None:
    remove_user(qmgr.store, "alice")
    remove_user(qmgr.store, "root")
    alter(qmgr, f"CHCKLOCL({asked})")
    assert outcome(qmgr, "alice", WRONG) == with_password


@pytest.mark.parametrize(
    ("definition", "found"),
    [
        ("ALTER QMGR CONNAUTH('')", "alice"),
        ("ALTER QMGR CONNAUTH(NONE.SUCH)", "2035"),
        ("DEFINE AUTHINFO(A) AUTHTYPE(CRLLDAP) CONNAME('x')\nALTER QMGR CONNAUTH(A)", "2035"),
        ("DEFINE AUTHINFO(A) AUTHTYPE(IDPWLDAP) CONNAME('x')\nALTER QMGR CONNAUTH(A)", "alice"),
        ("DEFINE AUTHINFO(A) AUTHTYPE(IDPWOS)\nALTER QMGR CONNAUTH(A)", "2035"),
        ("DEFINE AUTHINFO(A) AUTHTYPE(IDPWOS) CHCKLOCL(NONE)\nALTER QMGR CONNAUTH(A)", "alice"),
    ],
)
def test_what_connauth_names(qmgr: QueueManager, definition: str, found: str) -> None:
    mqsc.run(qmgr, definition, check=True)
    assert outcome(qmgr, "alice", WRONG) == found


def test_adoptctx_says_whether_the_user_becomes_that_of_the_connection(qmgr: QueueManager) -> None:
    alter(qmgr, "ADOPTCTX(NO)")
    assert outcome(qmgr, "alice", RIGHT) == qmgr.store.environment.user
    alter(qmgr, "ADOPTCTX(YES)")
    assert outcome(qmgr, "alice", RIGHT) == "alice"


def test_2035_is_an_event_while_authorev_is_enabled(qmgr: QueueManager) -> None:
    play = Play(qmgr)
    play.run("raised\nALTER QMGR AUTHOREV(DISABLED)")
    assert outcome(qmgr, "alice", WRONG) == "2035"
    play.run("raised => nothing\nALTER QMGR AUTHOREV(ENABLED)")
    assert outcome(qmgr, "alice", WRONG) == "2035"
    (read,) = events_on(qmgr, "SYSTEM.ADMIN.QMGR.EVENT")
    assert read.header.reason == MQRC.NOT_AUTHORIZED
    assert [(each.number, str(each.value).strip()) for each in read.parameters] == [
        (MQCA.Q_MGR_NAME, "QM1"),
        (MQIACF.REASON_QUALIFIER, str(int(MQRQ.CSP_NOT_AUTHORIZED))),
        (MQCACF.USER_IDENTIFIER, "alice"),
        (MQIA.APPL_TYPE, "6"),
        (MQCACF.APPL_NAME, "billing"),
    ]


def test_the_history_has_refusals_and_no_password(qmgr: QueueManager) -> None:
    outcome(qmgr, "alice", "guessed")
    with Reading(qmgr.store.database) as reading:
        rows = reading.all(text_of(select(event)))
    assert [row for row in rows if "guessed" in str(row) or RIGHT in str(row)] == []
    [refused] = [row for row in rows if "REFUSE" in row]
    assert {"QM1", "REFUSE", "password", "billing", "alice", 2035} <= set(refused)


def test_a_queue_manager_that_does_not_run_answers_2059(qmgr: QueueManager) -> None:
    qmgr.end()
    assert outcome(qmgr, "alice", WRONG) == "2059"


def test_users_are_changed_and_removed(qmgr: QueueManager) -> None:
    alter(qmgr, "CHCKLOCL(REQUIRED)")
    with mqsc.open_store("sqlite://") as store:
        store.add_user("alice", RIGHT, administrator=True)
        store.change_password("alice", WRONG)
        assert [(each.name, each.administrator) for each in store.users()] == [("alice", True)]
        store.remove_user("alice")
        assert store.users() == []
    change_password(qmgr.store, "root", WRONG)
    assert [(each.name, each.administrator) for each in users(qmgr.store)] == [
        ("alice", False),
        ("root", True),
    ]
    assert (outcome(qmgr, "root", RIGHT), outcome(qmgr, "root", WRONG)) == ("2035", "root")
    remove_user(qmgr.store, "root")
    assert outcome(qmgr, "root", WRONG) == "2035"


@pytest.mark.parametrize(
    ("name", "password", "why"),
    [
        ("alice", "x", "there is a user alice already"),
        ("", "x", "a user needs a name"),
        ("a ", "x", "a user needs a name"),
        ("a\n", "x", "a user needs a name"),
        ("thirteenbytes", "x", "at most 12 bytes"),
        ("bob", "", "the password is empty"),
        ("bob", "a\0b", "null character"),
        ("bob", 257 * "x", "at most 256 bytes"),
        ("bob", "\udcff", "not UTF-8"),
        ("\udcff", "x", "not UTF-8"),
    ],
)
def test_users_that_cannot_be(qmgr: QueueManager, name: str, password: str, why: str) -> None:
    with pytest.raises(UserAccountError, match=why):
        add_user(qmgr.store, name, password)
    assert len(users(qmgr.store)) == 2


def test_a_password_of_another_type_is_an_error_of_the_program(qmgr: QueueManager) -> None:
    with pytest.raises(TypeError, match="password"):
        qmgr.connect(user="alice", password=b"secret")  # type: ignore[arg-type]
