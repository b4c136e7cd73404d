"""The MQSC that leads from one state of definitions to another (N13, N14, N20)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings, strategies as st
from msgspec.structs import replace

from mqsc.script import run
from mqsc.scripts.leading_script import Given, LeadingScript, leading_script
from mqsc.store.admin.altering import change_queue_manager
from mqsc.store.catalog import Stored
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.error import MQError
from tests.examples import examples
from tests.mqsc.export.test_round_trip import (
    MADE,
    QUEUE_MANAGERS,
    REPLACED,
    Made,
    alter,
    make,
    new_queue_manager,
    replace_type,
    state,
    system_changes,
)

# Few names, so that two states have objects in common.
NAMES = st.sampled_from(["A", "B.C"])


@st.composite
def named_alike(draw: st.DrawFn) -> Made:
    """Draw an object, whose name is one of few."""
    kind, name, values = draw(MADE)
    # MQSC cannot name a record without these.
    needed = {"SSLPEERMAP": "SSLPEER", "USERMAP": "CLNTUSER", "QMGRMAP": "QMNAME"}
    word = needed.get(str(values.get("TYPE")))
    if kind == "CHLAUTH" and word and not values.get(word):
        values = {**values, word: "CN=x"}
    is_free = kind in ("AUTHREC", "CHLAUTH", "CFSTRUCT", "STGCLASS") or draw(st.booleans())
    return kind, name if is_free else draw(NAMES), values


States = tuple[list[Made], list[Made], list[tuple[str, str]], dict[str, Stored]]
STATES = st.tuples(
    st.lists(named_alike(), max_size=6),
    st.lists(system_changes(), max_size=2),
    st.lists(REPLACED, max_size=1),
    QUEUE_MANAGERS,
)


def bring_about(qmgr: QueueManager, drawn: States) -> None:
    """Make what was drawn; what conflicts with other objects is left out."""
    made, changed, replaced, own = drawn
    for each in made:
        with suppress(MQError):
            make(qmgr, each)
    for each in changed:
        with suppress(MQError):
            alter(qmgr, each)
    for system, kind in replaced:
        with suppress(MQError):
            replace_type(qmgr, system, kind)
    with suppress(MQError):
        change_queue_manager(qmgr, own)


def cannot_get_there(script: LeadingScript) -> bool:
    """Whether a queue must stay because it has messages, such as an event queue, or nothing can be
    defined from a default object, because that has another type in the state to reach.
    """
    why = ("not empty", "Source IBM MQ object has different type")
    return any(each in answer.text for each in why for _, answer in script.refused)


def failing(qmgr: QueueManager, lines: Sequence[str]) -> list[tuple[str, str]]:
    """The commands of a script that fail."""
    return [(each.command, each.text) for each in run(qmgr, "\n".join(lines)) if each.completion]


@settings(
    max_examples=examples(15),
    deadline=None,
    # To shrink an example takes too long, and they are small.
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
    report_multiple_bugs=False,
)
@given(STATES, STATES)
def test_n14_there_and_back(first: States, second: States) -> None:
    with new_queue_manager() as here, new_queue_manager() as there:
        bring_about(here, first)
        bring_about(there, second)
        before = state(here)
        forth, back = leading_script(here, there), leading_script(there, here)
        assume(not (cannot_get_there(forth) or cannot_get_there(back)))
        assert (forth.refused, back.refused) == ((), ())
        lines = [*forth.lines()]
        assert max(map(len, lines), default=0) <= 72
        assert failing(here, lines) == []
        assert state(here) == state(there), lines
        assert leading_script(here, there).is_empty
        assert failing(here, [*back.lines()]) == []
        assert state(here) == before, [*back.lines()]


CHANGES = [
    # An object of another type, whose records go with the one that was there.
    (
        "DEFINE QLOCAL(A)\nSET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('g') AUTHADD(GET)",
        "DEFINE QALIAS(A)\nSET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('g') AUTHADD(GET)",
        [
            "DELETE QLOCAL('A')",
            "DEFINE QALIAS('A')",
            "SET AUTHREC PROFILE('A') OBJTYPE(QUEUE) GROUP('g') AUTHADD(GET)",
        ],
    ),
    (
        "DEFINE QLOCAL(A) MAXDEPTH(1) DESCR('x')",
        "DEFINE QLOCAL(A) MAXDEPTH(2) DESCR('x')",
        ["ALTER QLOCAL('A') MAXDEPTH(2)"],
    ),
    (
        "DEFINE CHANNEL(C) CHLTYPE(SVRCONN)",
        "DEFINE CHANNEL(C) CHLTYPE(SVRCONN) MCAUSER('m')",
        ["ALTER CHANNEL('C') CHLTYPE(SVRCONN) MCAUSER('m')"],
    ),
    (
        "DEFINE TOPIC(T) TOPICSTR('a')",
        "DEFINE TOPIC(T) TOPICSTR('b')",
        ["DELETE TOPIC('T')", "DEFINE TOPIC('T') TOPICSTR('b')"],
    ),
    (
        "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('g') AUTHADD(GET,INQ)",
        "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('g') AUTHADD(PUT,INQ)",
        ["SET AUTHREC PROFILE('A') OBJTYPE(QUEUE) GROUP('g') AUTHADD(PUT) AUTHRMV(GET)"],
    ),
    # The default object is changed before what starts from it.
    (
        "",
        "ALTER QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) MAXDEPTH(9)\nDEFINE QLOCAL(A)",
        [
            "ALTER QLOCAL('SYSTEM.DEFAULT.LOCAL.QUEUE') MAXDEPTH(9)",
            "DEFINE QLOCAL('A')",
        ],
    ),
    (
        "DEFINE QLOCAL(A) STREAMQ(B)\nDEFINE QLOCAL(B)",
        "DEFINE QLOCAL(A)\nDEFINE QLOCAL(B) STREAMQ(A)",
        ["ALTER QLOCAL('A') STREAMQ(' ')", "ALTER QLOCAL('B') STREAMQ('A')"],
    ),
]


@pytest.mark.parametrize(("before", "after", "lines"), CHANGES)
def test_the_commands(before: str, after: str, lines: list[str]) -> None:
    with new_queue_manager() as here, new_queue_manager() as there:
        run(here, before)
        run(there, after)
        assert [*leading_script(here, there).lines(one_line=True)] == lines


def test_a_secret_is_named_and_set_only_in_what_is_sent() -> None:
    ldap = "DEFINE AUTHINFO(L) AUTHTYPE(IDPWLDAP) CONNAME('h') SHORTUSR('u')"
    with new_queue_manager() as here, new_queue_manager() as there:
        run(here, ldap)
        run(there, ldap)
        key = ("authinfo", "L")
        script = leading_script(here, there, given=Given({key: {"LDAPPWD": "geheim"}}))
        assert [*script.lines()] == ["* LDAPPWD of AUTHINFO(L) is not shown. Set it by hand."]
        assert "geheim" not in repr([replace(row) for row in script.rows])
        assert script.commands[0].values["LDAPPWD"] == "geheim"


def test_a_queue_with_messages_is_a_comment(qmgr: QueueManager) -> None:
    run(qmgr, "DEFINE QLOCAL(A)")
    from mqsc.store.message import Message

    with qmgr.connect() as connection:
        connection.put1("A", Message(b"kept"))
    with new_queue_manager() as there:
        lines = [*leading_script(qmgr, there).lines()]
    assert [line for line in lines if not line.startswith("*")] == []
    assert lines[0].startswith("* Left out: DELETE QLOCAL('A'): AMQ")
