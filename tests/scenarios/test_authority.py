"""Authorities: who may connect, open, put and close (docs/development/specification/authority.md); the ids
are those scenarios.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import mqsc
from mqsc import Message, PutMessageOptions
from mqsc.console.text.authority import mqsc_of
from mqsc.constants import MQCO, MQOO, MQOT, MQPMO
from mqsc.store.admin import authority_explanation
from mqsc.store.admin.user_accounts import add_user, change_groups, set_mode
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.environment import FrozenClock
from mqsc.store.error import MQError, UserAccountError
from mqsc.store.sqlite.database import Reading
from tests.rows import rows
from tests.scenarios.authorities import (
    PASSWORD,
    REFUSALS,
    grant,
    grant_qmgr,
    opening,
    outcome,
    prepare,
    putting,
    raised,
    refusals,
)
from tests.scenarios.looking import events_on

MQRCCF_AUTHORIZED = 3391


@pytest.fixture
def qmgr(copy_of: Callable[[Callable[[Store], object]], Store]) -> QueueManager:
    return copy_of(prepare).queue_manager("QM1")


# Who is asked.


def test_z01_the_owner_is_never_refused(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        connection.open(
            "Q",
            MQOO.INPUT_SHARED | MQOO.OUTPUT | MQOO.INQUIRE | MQOO.SET | MQOO.SET_ALL_CONTEXT,
        )
    mqsc.run(qmgr, "DEFINE QLOCAL(NEW)\nDELETE QLOCAL(NEW)", check=True)
    assert (refusals(qmgr), raised(qmgr)) == ([], [])


def test_z02_without_users_nothing_changes(store: Store) -> None:
    qmgr = store.create_queue_manager("QM2")
    mqsc.run(qmgr, "DEFINE QLOCAL(Q)", check=True)
    assert outcome(qmgr, putting("Q"), "bob") == "0"


def test_z03_the_first_user_puts_authorities_in_force(store: Store) -> None:
    qmgr = store.create_queue_manager("QM2")
    mqsc.run(qmgr, "ALTER QMGR AUTHOREV(ENABLED)", check=True)
    assert outcome(qmgr, opening("SYSTEM.DEFAULT.LOCAL.QUEUE", MQOO.INQUIRE), "bob") == "0"
    add_user(store, "app", PASSWORD)
    assert outcome(qmgr, putting("Q"), "bob") == "connect:self"
    (event,) = raised(qmgr)
    assert event == ["QM2", 1, "bob", 6, "shop"]


def test_z04_mode_warn_refuses_nothing(qmgr: QueueManager) -> None:
    set_mode(qmgr, "warn")
    assert outcome(qmgr, opening("Q", MQOO.OUTPUT), "web") == "0"
    assert (refusals(qmgr), raised(qmgr)) == ([("would-refuse", "web", "put:Q")], [])


def test_z05_mode_off_asks_for_passwords_only(qmgr: QueueManager) -> None:
    set_mode(qmgr, "off")
    assert outcome(qmgr, putting("Q"), "web") == "0"
    with pytest.raises(MQError, match="2035"):
        qmgr.connect("shop", "app", password="wrong")
    assert [event[1] for event in raised(qmgr)] == [29]


def test_z07_records_of_an_administrator_are_never_asked(qmgr: QueueManager) -> None:
    (reply,) = mqsc.run(
        qmgr,
        "SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('adm') AUTHADD(NONE)",
        check=True,
    )
    assert reply.text.endswith("adm is an administrator; this record is never asked.")
    with qmgr.connect("shop", "adm", password=PASSWORD) as connection:
        connection.open("Q", MQOO.OUTPUT)


def test_z08_a_process_of_somebody_else(qmgr: QueueManager) -> None:
    """The store's file is tester's; the login name of the process is bob."""
    store = qmgr.store
    store.is_owner, store.owners = False, {"anna"}
    object.__setattr__(store.environment, "user", "bob")
    assert outcome(qmgr, putting("Q"), "") == "connect:self"
    assert (outcome(qmgr, putting("Q"), "adm"), refusals(qmgr)[-1][:2]) == (
        "2035",
        ("password", "adm"),
    )
    assert outcome(qmgr, putting("Q"), "anna") == "2035"
    with qmgr.connect("shop", "adm", password=PASSWORD) as connection:
        connection.put1("Q", Message(b"m"))
    grant_as_owner(qmgr, "bob")
    assert outcome(qmgr, putting("Q"), "") == "put:Q"


def grant_as_owner(qmgr: QueueManager, user: str) -> None:
    qmgr.store.is_owner = True
    grant_qmgr(qmgr, "connect", f"PRINCIPAL('{user}')")
    qmgr.store.is_owner = False


def test_z11_a_name_that_nobody_has_is_in_the_group_nobody(qmgr: QueueManager) -> None:
    assert outcome(qmgr, lambda _: None, "ghost") == "connect:self"
    grant_qmgr(qmgr, "connect", "GROUP('nobody')")
    assert outcome(qmgr, lambda _: None, "ghost") == "0"


def test_z12_a_change_of_groups_acts_at_the_next_open(qmgr: QueueManager) -> None:
    grant(qmgr, "put", "Q", to="GROUP('apps')")
    with qmgr.connect("shop", "app") as connection:
        handle = connection.open("Q", MQOO.OUTPUT)
        change_groups(qmgr.store, "app", [], ["apps"])
        handle.put(Message(b"m"))
        with pytest.raises(MQError, match="2035"):
            connection.open("Q", MQOO.OUTPUT)


def test_z13_a_user_added_to_mqm_is_an_administrator(qmgr: QueueManager) -> None:
    with qmgr.connect("shop", "app") as connection:
        change_groups(qmgr.store, "app", ["mqm"], [])
        connection.open("Q", MQOO.OUTPUT | MQOO.SET_ALL_CONTEXT)


def test_z37_names_are_case_sensitive(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, "SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL(app) AUTHADD(PUT)", check=True)
    assert outcome(qmgr, putting("Q")) == "put:Q"


# What is asked.


def test_z38_a_refusal_names_everything_that_is_missing(qmgr: QueueManager) -> None:
    assert outcome(qmgr, opening("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT)) == "get:Q put:Q"
    (event,) = raised(qmgr)
    assert event == ["QM1", 2, 18, "app", 6, "shop", "Q"]


@rows(("BROWSE", "BROWSE"), ("INQUIRE", "INQ"), ("SET", "SET"))
def test_z39_each_option_asks_for_its_own(qmgr: QueueManager, option: str, word: str) -> None:
    call = opening("Q", MQOO[option])
    assert outcome(qmgr, call) == f"{word.lower()}:Q"
    grant(qmgr, word, "Q")
    assert outcome(qmgr, call) == "0"


def test_z40_calls_on_an_open_handle_ask_nothing(qmgr: QueueManager) -> None:
    grant(qmgr, "put", "Q")
    with qmgr.connect("shop", "app") as connection:
        handle = connection.open("Q", MQOO.OUTPUT)
        mqsc.run(
            qmgr,
            "SET AUTHREC PROFILE(Q) OBJTYPE(QUEUE) PRINCIPAL('app') AUTHRMV(PUT)",
            check=True,
        )
        handle.put(Message(b"m"), PutMessageOptions(MQPMO.SYNCPOINT))
        connection.commit()
        with pytest.raises(MQError, match="2035"):
            connection.put1("Q", Message(b"m"))


OUTPUT, INQ = int(MQOO.OUTPUT), int(MQOO.INQUIRE)
# Scenario, grants as "words object", the open, and what is missing.
OPENS: list[tuple[str, list[str], Callable[[Connection], Any], str]] = [
    ("Z41", ["put A"], opening("A", OUTPUT), "0"),
    ("Z41", ["put B"], opening("A", OUTPUT), "put:A"),
    ("Z42", ["inq A"], opening("A", INQ), "0"),
    ("Z42", ["inq A"], opening("B", INQ), "inq:B"),
    ("Z43", ["put R"], opening("R", OUTPUT), "0"),
    ("Z44", ["put Q"], opening("RQ", OUTPUT, queue_manager="QM2A"), "put:X"),
    ("Z45", ["put QM2A"], opening("RQ", OUTPUT, queue_manager="QM2A"), "put:X"),
    ("Z45", ["put X"], opening("RQ", OUTPUT, queue_manager="QM2A"), "0"),
    ("Z46", ["put Q"], opening("Q", OUTPUT, queue_manager="ME"), "0"),
    ("Z46", ["put ME"], opening("Q", OUTPUT, queue_manager="ME"), "put:Q"),
    ("Z48", ["put X"], opening("X", OUTPUT), "setall:X setall:self"),
    ("Z48", ["setall X"], opening("X", OUTPUT), "setall:self"),
    ("Z48", ["setall X", "setall self"], opening("X", OUTPUT), "0"),
    ("Z49", ["get T"], opening("T", MQOO.INPUT_SHARED), "dsp:T"),
    ("Z49", ["get dsp T"], opening("T", MQOO.INPUT_SHARED), "0"),
    ("Z50", ["put Q"], opening("Q", OUTPUT | MQOO.PASS_ALL_CONTEXT), "passall:Q"),
    ("Z50", ["put passall Q"], opening("Q", OUTPUT | MQOO.PASS_ALL_CONTEXT), "0"),
    ("Z50", ["put setid Q"], opening("Q", OUTPUT | MQOO.SET_IDENTITY_CONTEXT), "setid:self"),
    ("Z50", ["put setid Q", "setid self"], opening("Q", OUTPUT | MQOO.SET_IDENTITY_CONTEXT), "0"),
    ("Z51", [], putting("Q"), "put:Q"),
    ("Z51", ["put Q"], putting("Q"), "0"),
    ("Z51", ["put Q"], putting("Q", MQPMO.SET_ALL_CONTEXT), "setall:Q setall:self"),
    ("Z51", ["put X"], putting("X"), "setall:X setall:self"),
    ("Z52", [], opening("NOSUCH", OUTPUT), "2085"),
    ("Z52", [], opening("Q", OUTPUT | 1 << 30), "2046"),
    ("Z52", [], opening("R", MQOO.INPUT_SHARED), "2045"),
    ("Z55", [], opening("N", INQ, object_type=MQOT.NAMELIST), "inq:N"),
    ("Z55", [], opening("PR", INQ, object_type=MQOT.PROCESS), "inq:PR"),
    ("Z55", [], opening("", INQ, object_type=MQOT.Q_MGR), "inq:self"),
    ("Z55", ["inq self"], opening("", INQ, object_type=MQOT.Q_MGR), "0"),
]


def test_what_an_open_asks_for(copy_of: Callable[[Callable[[Store], object]], Store]) -> None:
    found = []
    for id, grants, call, _ in OPENS:
        qmgr = copy_of(prepare).queue_manager("QM1")
        for words, _, name in (each.rpartition(" ") for each in grants):
            grant(qmgr, words, name, type="QMGR" if name == "self" else "QUEUE")
        found.append((id, grants, call, outcome(qmgr, call)))
        qmgr.store.close()
    assert found == OPENS


def test_z47_the_default_transmission_queue_is_asked(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, "ALTER QMGR DEFXMITQ(X)", check=True)
    assert outcome(qmgr, opening("RQ", OUTPUT, queue_manager="QM7")) == "put:X"
    grant(qmgr, "put", "QM2", type="RQMNAME")
    assert outcome(qmgr, opening("RQ", OUTPUT, queue_manager="QM7")) == "put:X"


def test_z53_authority_comes_before_quiescing(qmgr: QueueManager) -> None:
    with qmgr.connect("shop", "app") as connection:
        qmgr.end()
        with pytest.raises(MQError, match="2035"):
            connection.open("Q", OUTPUT | MQOO.FAIL_IF_QUIESCING)


def test_z32_a_dynamic_queue_is_its_creators(qmgr: QueueManager) -> None:
    grant(qmgr, "get dsp", "T")
    with qmgr.connect("shop", "app") as connection:
        handle = connection.open("T", MQOO.INPUT_SHARED, dynamic_name="REPLY")
        connection.put1("REPLY", Message(b"m"))
        assert outcome(qmgr, putting("REPLY"), "web") == "put:REPLY"
        assert len(mqsc.run(qmgr, "DISPLAY AUTHREC PROFILE(REPLY) MATCH(EXACT)")[0].rows) == 1
        handle.close()
    assert mqsc.run(qmgr, "DISPLAY AUTHREC PROFILE(REPLY) MATCH(EXACT)")[0].completion == 2


def test_z54_deleting_a_dynamic_queue(qmgr: QueueManager) -> None:
    grant(qmgr, "get dsp", "P")
    with qmgr.connect("shop", "app") as connection:
        created = connection.open("P", MQOO.INPUT_SHARED, dynamic_name="D1")
        grant(qmgr, "get", "D1", to="PRINCIPAL('web')")
        with qmgr.connect("shop", "web") as other:
            handle = other.open("D1", MQOO.INPUT_SHARED)
            with pytest.raises(MQError, match="2035"):
                handle.close(MQCO.DELETE)
        assert raised(qmgr) == [["QM1", 3, "D1", "web", 6, "shop"]]
        mqsc.run(qmgr, "DELETE AUTHREC PROFILE(D1) OBJTYPE(QUEUE) PRINCIPAL('app')", check=True)
        created.close(MQCO.DELETE)
    assert mqsc.run(qmgr, "DISPLAY QUEUE(D1)")[0].completion == 2


# Another user.


def as_app(name: str, options: int = OUTPUT, user: str = "app") -> Callable[[Connection], Any]:
    return opening(name, options | MQOO.ALTERNATE_USER_AUTHORITY, alternate_user=user)


def test_z56_an_alternate_user_is_asked_for_the_object(qmgr: QueueManager) -> None:
    grant(qmgr, "put", "Q")
    assert (outcome(qmgr, as_app("Q"), "srv"), refusals(qmgr)[-1][1]) == ("altusr:self", "srv")
    grant_qmgr(qmgr, "altusr", "PRINCIPAL('srv')")
    assert outcome(qmgr, as_app("Q"), "srv") == "0"
    assert (outcome(qmgr, as_app("B"), "srv"), refusals(qmgr)[-1][1]) == ("put:B", "app")
    # Z58: a blank user has no authority.
    assert outcome(qmgr, as_app("Q", user=""), "srv") == "put:Q"


def test_z57_context_is_asked_of_the_user_of_the_connection(qmgr: QueueManager) -> None:
    grant_qmgr(qmgr, "altusr", "PRINCIPAL('srv')")
    for words, on in (("put setall", "Q"), ("setall", "self")):
        grant(qmgr, words, on, type="QMGR" if on == "self" else "QUEUE")
    call = as_app("Q", OUTPUT | MQOO.SET_ALL_CONTEXT)
    assert outcome(qmgr, call, "srv") == "setall:Q setall:self"
    grant(qmgr, "setall", "Q", to="PRINCIPAL('srv')")
    grant_qmgr(qmgr, "setall", "PRINCIPAL('srv')")
    assert outcome(qmgr, call, "srv") == "0"


def test_z59_the_reply_queue_of_a_request_is_not_asked(qmgr: QueueManager) -> None:
    grant(qmgr, "put", "Q")
    with qmgr.connect("shop", "app") as connection:
        connection.put1("Q", Message(b"m", mqsc.MessageDescriptor(reply_to_q="B", msg_type=1)))


def test_z103_equal_refusals_are_counted(qmgr: QueueManager) -> None:
    with qmgr.connect("shop", "app") as connection:
        for _ in range(5):
            with pytest.raises(MQError, match="2035"):
                connection.open("Q", OUTPUT)
    with Reading(qmgr.store.database) as reading:
        details = [json.loads(row[2]) for row in reading.all(REFUSALS)]
    assert [each.get("repeated") for each in details] == [None, 4]
    assert len(raised(qmgr)) == 5


def test_counted_repeats_are_recorded_with_the_next_refusal_after_ten_seconds(
    qmgr: QueueManager,
) -> None:
    """So a program that is killed loses no more than ten seconds of them, or those since its
    last refusal.
    """
    clock = qmgr.store.environment.clock
    assert isinstance(clock, FrozenClock)
    connection = qmgr.connect("shop", "app")
    for name, seconds in (("Q", 0), ("Q", 1), ("B", 9), ("B", 0), ("X", 10)):
        clock.advance(seconds)
        with pytest.raises(MQError, match="2035"):
            connection.open(name, OUTPUT)
    with Reading(qmgr.store.database) as reading:
        found = [
            (each["object"], each.get("repeated"))
            for each in (json.loads(row[2]) for row in reading.all(REFUSALS))
        ]
    assert found == [("Q", None), ("Q", 1), ("B", None), ("B", 1), ("X", None)]


@rows(("ALLCONNS", [65]), ("ALLCHECKS", [65, 66]), ("FAILURES", []))
def test_z107_what_is_granted_is_an_event_on_request(
    qmgr: QueueManager,
    scope: str,
    qualifiers: list[int],
) -> None:
    mqsc.run(qmgr, f"ALTER QMGR AUTHEVSC({scope})", check=True)
    grant(qmgr, "put", "Q")
    assert [outcome(qmgr, opening("Q", OUTPUT), user) for user in ("app", "adm")] == ["0", "0"]
    with qmgr.connect() as connection:
        connection.open("Q", OUTPUT)
    found = [
        each
        for each in events_on(qmgr, "SYSTEM.ADMIN.QMGR.EVENT")
        if each.header.reason == MQRCCF_AUTHORIZED
    ]
    assert [each.values[1] for each in found] == qualifiers
    assert {each.values[3 if each.values[1] == 66 else 2] for each in found} <= {"app"}


def test_z108_without_authorev_there_is_no_event(qmgr: QueueManager) -> None:
    mqsc.run(qmgr, "ALTER QMGR AUTHOREV(DISABLED) AUTHEVSC(ALLCHECKS)", check=True)
    assert outcome(qmgr, putting("Q")) == "put:Q"
    grant(qmgr, "put", "Q")
    assert outcome(qmgr, putting("Q")) == "0"
    reasons = {each.header.reason for each in events_on(qmgr, "SYSTEM.ADMIN.QMGR.EVENT")}
    assert not reasons & {2035, MQRCCF_AUTHORIZED}


WORDS = "BROWSE GET INQ PASSALL PASSID PUT SET SETALL SETID".split()
OPTIONS = [
    MQOO.OUTPUT,
    MQOO.INPUT_SHARED,
    MQOO.BROWSE,
    MQOO.INQUIRE | MQOO.SET,
    MQOO.OUTPUT | MQOO.SET_ALL_CONTEXT,
    MQOO.OUTPUT | MQOO.PASS_IDENTITY_CONTEXT,
    MQOO.INPUT_SHARED | MQOO.OUTPUT,
]


def test_z102_an_explanation_is_what_the_call_answers(qmgr: QueueManager) -> None:
    """For random records, and for every call: REFUSED exactly when it fails, and not any more
    after its cure.
    """
    random = Random(102)
    answers = set()
    for _ in range(120):
        profile = random.choice(["Q", "*", "**", "A", "B", "X"])
        entity = random.choice(
            ["PRINCIPAL('app')", "GROUP('apps')", "GROUP('nobody')", "PRINCIPAL('web')"],
        )
        words = ",".join(random.sample(WORDS, k=2))
        how = random.choice(["AUTHADD", "AUTHADD", "AUTHRMV"])
        mqsc.run(
            qmgr,
            f"SET AUTHREC PROFILE('{profile}') OBJTYPE(QUEUE) {entity} {how}({words})",
            check=True,
        )
        name, manager = random.choice(
            [("Q", ""), ("A", ""), ("X", ""), ("RQ", "QM2A"), ("Q", "ME")],
        )
        options = int(random.choice(OPTIONS))
        if (name == "RQ" and not options & OUTPUT) or (
            name == "RQ" and options & MQOO.INPUT_SHARED
        ):
            continue
        user = random.choice(["app", "web"])
        reason, wanted = authority_explanation.authorities_to_open_by_name(
            qmgr, (name, manager), options
        )
        judged = authority_explanation.judge(qmgr, user, wanted)
        call = opening(name, options, queue_manager=manager)
        assert (reason, judged.allowed) == (0, outcome(qmgr, call, user) == "0"), (
            name,
            options,
            user,
        )
        answers.add(judged.allowed)
        if not judged.allowed and random.random() < 0.2:
            for cure in judged.cures:
                mqsc.run(qmgr, mqsc_of(cure), check=True)
            assert outcome(qmgr, call, user) == "0", judged
    assert answers == {True, False}


def test_a_user_without_a_record_finds_no_way_in(qmgr: QueueManager) -> None:
    """The process of bob, who may write the file but has no record: every door refuses."""
    store = qmgr.store
    store.is_owner, store.owners = False, {"anna"}
    object.__setattr__(store.environment, "user", "bob")
    for how in (
        {},
        {"user": "bob"},
        {"user": "root"},
        {"user": "mqm"},
        {"user": "anna"},
        {"user": "app"},
        {"user": "adm"},
        {"client": True},
        {"client": True, "user": "adm"},
        {"user": "adm", "password": ""},
        {"user": "adm", "password": "guess"},
        {"user": " "},
    ):
        with pytest.raises(MQError, match="2035"):
            qmgr.connect("shop", **how)
    for command in (
        "DISPLAY QMGR",
        "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('bob') AUTHADD(ALL)",
        "DEFINE QLOCAL(N)",
    ):
        assert mqsc.run(qmgr, command)[0].message_id == "AMQ8135E"
    changes: tuple[Callable[[], object], ...] = (
        lambda: add_user(store, "bob", "x", administrator=True),
        lambda: change_groups(store, "app", ["mqm"], []),
        lambda: set_mode(qmgr, "off"),
        lambda: store.change_password("adm", "x"),
        lambda: store.remove_user("adm"),
    )
    for change in changes:
        with pytest.raises(UserAccountError, match="AMQ7077E"):
            change()
