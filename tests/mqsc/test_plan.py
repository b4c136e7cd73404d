"""Plans are accurate: for each command, the planned changes are those that DISPLAY shows after
the run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pprint import pformat
from typing import Any

from hypothesis import HealthCheck, example, given, settings, strategies as st
from msgspec.structs import replace

import mqsc
from mqsc.grammar.printing import print_tree
from mqsc.grammar.tree import Command, Parameter, Value
from mqsc.plan import Action, Planned, Trial
from mqsc.script import Answered, Script, run
from mqsc.scripts.export_output import parameter
from mqsc.store import Message, MessageDescriptor
from mqsc.store.admin.inquiring import inquire, inquire_queue_manager
from mqsc.store.catalog import KINDS, Kind, Stored, defaults
from mqsc.store.client.plan_copy import tried_out
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.environment import Environment
from mqsc.verbs import VERBS
from tests.conftest import START
from tests.examples import examples
from tests.mqsc.export.values import attributes, subtypes

# Attributes in DISPLAY that are not part of the definition, or are times of it.
APART = frozenset(
    {
        "ALTDATE",
        "ALTTIME",
        "CRDATE",
        "CRTIME",
        "CURDEPTH",
        "IPPROCS",
        "OPPROCS",
        "NAMCOUNT",
        "SUBID",
        "QMID",
    },
)
DEFINED = [KINDS[noun] for noun in VERBS["DEFINE"].objects if noun in KINDS]
NAMES = {"SUB": ("S", "s 's"), "STGCLASS": ("ST1", "ST2"), "CFSTRUCT": ("CF1", "CF2")}
QUEUES = ("A", "B", "FULL", "b")
BEFORE = """\
DEFINE QLOCAL(FULL) TRIGGER INITQ(B) PROCESS(A) TRIGMPRI(5)
DEFINE QLOCAL(B) MAXDEPTH(5)
DEFINE PROCESS(A) APPLICID('one')
DEFINE TOPIC(A) TOPICSTR('a')
SET AUTHREC PROFILE(FULL) OBJTYPE(QUEUE) GROUP('g') AUTHADD(GET)
"""
Row = Mapping[str, Any]
# The kind, the name, and further values that distinguish records of the same name.
Key = tuple[str, ...]


def names_of(kind: Kind) -> tuple[str, ...]:
    default = (kind.default_object,) if kind.default_object else ()
    return (
        *(QUEUES if kind.namespace == "queue" else NAMES.get(kind.keyword, ("A", "B"))),
        *default,
    )


def word(keyword: str, *texts: str, quoted: bool = False) -> Parameter:
    values = tuple(Value(text, "", quoted, 0, 0) for text in texts)
    return Parameter(keyword, "", values or None, 0, 0)


def command(verb: str, *parameters: Parameter) -> str:
    return print_tree(Command((word(verb), *parameters), 0))


def given_in(kind: Kind, values: Mapping[str, Stored]) -> list[Parameter]:
    rows = kind.attributes
    return [
        parameter(rows[each], values[each])
        for each in sorted(values, key=lambda each: not rows[each].leading)
    ]


@st.composite
def definitions(draw: st.DrawFn) -> str:
    """Draw a DEFINE or ALTER command for an object of any kind."""
    kind = draw(st.sampled_from([*DEFINED, KINDS["QLOCAL"], KINDS["QLOCAL"], KINDS["QMGR"]]))
    if kind.keyword == "QMGR":
        return command("ALTER", word("QMGR"), *given_in(kind, draw(attributes(kind, "ALTER"))))
    verb = draw(
        st.sampled_from(
            ["DEFINE", "ALTER"] if kind.keyword in VERBS["ALTER"].objects else ["DEFINE"],
        ),
    )
    subtype = draw(subtypes(kind))
    values = draw(attributes(kind, verb, subtype))
    if kind.keyword == "SUB":
        values |= {"DEST": "FULL", "DESTQMGR": ""}
        values |= (
            {"TOPICOBJ": draw(st.sampled_from(["A", "SYSTEM.BASE.TOPIC"]))}
            if verb == "DEFINE"
            else {}
        )
    named = word(kind.keyword, draw(st.sampled_from(names_of(kind))), quoted=True)
    more = (
        draw(st.sampled_from([(), ("REPLACE",), ("LIKE", "REPLACE")])) if verb == "DEFINE" else ()
    )
    like = (
        [word("LIKE", draw(st.sampled_from(names_of(kind))), quoted=True)] if "LIKE" in more else []
    )
    return command(
        verb,
        named,
        *given_in(kind, values),
        *like,
        *([word("REPLACE")] if more else []),
    )


@st.composite
def removals(draw: st.DrawFn) -> str:
    """Draw a DELETE, CLEAR or MOVE command."""
    verb = draw(st.sampled_from(["DELETE", "DELETE", "CLEAR", "MOVE"]))
    kind = (
        KINDS["QLOCAL"] if verb != "DELETE" else draw(st.sampled_from([*DEFINED, KINDS["QLOCAL"]]))
    )
    name = word(kind.keyword, draw(st.sampled_from(names_of(kind))), quoted=True)
    more = []
    if verb == "MOVE":
        more = [word("TOQLOCAL", draw(st.sampled_from(QUEUES)), quoted=True), word("TYPE", "ADD")]
    elif kind.keyword == "QLOCAL" and verb == "DELETE" and draw(st.booleans()):
        more = [word("PURGE")]
    return command(verb, name, *more)


RECORDS = st.one_of(
    st.builds(
        "SET CHLAUTH('{}') TYPE(ADDRESSMAP) ADDRESS('10.0.0.{}') USERSRC({}) ACTION({})".format,
        st.sampled_from(["A", "A.*"]),
        st.integers(1, 2),
        st.sampled_from(["NOACCESS", "CHANNEL", "MAP) MCAUSER('m'"]),
        st.sampled_from(["ADD", "REPLACE"]),
    ),
    st.builds(
        "SET CHLAUTH('A') TYPE(ADDRESSMAP) ADDRESS('10.0.0.{}') ACTION(REMOVE)".format,
        st.integers(1, 2),
    ),
    st.builds(
        "SET CHLAUTH('{}') TYPE(ADDRESSMAP) ACTION(REMOVEALL)".format,
        st.sampled_from(["A", "A.*"]),
    ),
    st.builds(
        "SET CHLAUTH('{}') TYPE(BLOCKUSER) USERLIST('{}'{}) ACTION({})".format,
        st.sampled_from(["A", "*"]),
        st.sampled_from(["u", "*MQADMIN"]),
        st.sampled_from(["", ",'v'"]),
        st.sampled_from(["ADD", "REPLACE", "REMOVE"]),
    ),
    st.builds(
        "SET AUTHREC PROFILE({}) OBJTYPE(QUEUE) {}('{}') {}({})".format,
        st.sampled_from(["FULL", "A"]),
        st.sampled_from(["GROUP", "PRINCIPAL"]),
        st.sampled_from("gh"),
        st.sampled_from(["AUTHADD", "AUTHRMV"]),
        st.sampled_from(["GET", "GET,PUT", "ALLMQI", "NONE"]),
    ),
    st.builds(
        "DELETE AUTHREC PROFILE({}) OBJTYPE(QUEUE) GROUP('g')".format,
        st.sampled_from(["FULL", "A"]),
    ),
)
SCRIPTS = st.lists(
    st.one_of(definitions(), definitions(), removals(), RECORDS),
    min_size=1,
    max_size=8,
)


def displayed(qmgr: QueueManager) -> dict[Key, Row]:
    """Return every definition, as DISPLAY ALL shows it."""
    found: dict[Key, Row] = {("QMGR", "QM1"): inquire_queue_manager(qmgr)}
    for kind in KINDS.values():
        for row in inquire(qmgr, (kind,), "*") if kind.keyword != "QMGR" else ():
            subtype = str(row.get(kind.selector, ""))
            told = (kind.namespace_of(subtype), *(str(row.get(each, "")) for each in kind.identity))
            found[kind.keyword, str(next(iter(row.values()))), *told] = row
    return found


def depths(state: Mapping[Key, Row]) -> dict[str, int]:
    return {key[1]: row["CURDEPTH"] for key, row in state.items() if key[0] == "QLOCAL"}


def without_apart(row: Row) -> dict[str, Any]:
    return {each: value for each, value in row.items() if each not in APART}


def become(before: Mapping[Key, Row], after: Mapping[Key, Row]) -> Iterator[tuple[Any, ...]]:
    """Yield the differences between two states in the form of a plan; for a new object, the
    whole row.
    """
    for key in before.keys() | after.keys():
        was, now = without_apart(before.get(key, {})), without_apart(after.get(key, {}))
        if not now:
            yield Action.DELETE, *key[:2], None
        elif not was:
            yield Action.CREATE, *key[:2], now
        elif was != now:
            changes = {
                each: (was.get(each), now[each]) for each in now if was.get(each) != now[each]
            }
            yield Action.UPDATE, *key[:2], changes


def net(step: list[Planned]) -> list[Planned]:
    """Combine the planned updates of each object into one, and drop those without a net change.

    A trigger message of type DEPTH, for example, turns TRIGGER off again in a line of its own.
    """
    updated: dict[tuple[str, str], Planned] = {}
    for each in (each for each in step if each.action is Action.UPDATE):
        key = (each.type, each.name)
        was = updated[key].changes if key in updated else {}
        changes = {
            word: (was.get(word, (before,))[0], after)
            for word, (before, after) in each.changes.items()
        }
        updated[key] = replace(each, changes={**was, **changes})
    for key, each in updated.items():
        left = {
            word: (before, after)
            for word, (before, after) in each.changes.items()
            if before != after
        }
        updated[key] = replace(each, changes=left)
    others = [each for each in step if each.action in (Action.CREATE, Action.DELETE)]
    return [*others, *(each for each in updated.values() if each.changes)]


def told(planned: Planned, found: list[tuple[Any, ...]]) -> tuple[Any, ...]:
    """Return a planned line in the form of `become`. For a creation, apply its changes to the
    defaults.
    """
    if planned.action is not Action.CREATE:
        changes = dict(planned.changes) if planned.action is Action.UPDATE else None
        return planned.action, planned.type, planned.name, changes
    kind = KINDS[planned.type]
    for action, type, name, row in found:
        if (action, type, name) == (planned.action, planned.type, planned.name):
            subtype = str(row.get(kind.selector, ""))
            shipped = dict.fromkeys(kind.identity, "") | defaults(kind, subtype)
            start = {
                each: shipped.get(each, value) if each in kind.attributes else value
                for each, value in row.items()
            }
            made = (
                start
                | {each: now for each, (_, now) in planned.changes.items()}
                | {next(iter(row)): name}
            )
            if made == row:
                return action, type, name, row
    return planned.action, planned.type, planned.name, dict(planned.changes)


def check(
    step: list[Planned],
    before: Mapping[Key, Row],
    after: Mapping[Key, Row],
    reply: mqsc.Reply,
) -> None:
    found = [*become(before, after)]
    if reply.completion == 2:
        assert [(each.action, each.message_id, each.text) for each in step] == [
            (Action.ERROR, reply.message_id, reply.text),
        ]
        assert not found
        return
    assert sorted(map(pformat, (told(each, found) for each in net(step)))) == sorted(
        map(pformat, found),
    )
    assert not found or not any(each.action in (Action.UNCHANGED, Action.ACTION) for each in step)
    gone = sum(each.messages or 0 for each in step)
    was, now = depths(before), depths(after)
    assert gone == sum(max(0, was[name] - now.get(name, 0)) for name in was)


@settings(max_examples=examples(30), deadline=None, suppress_health_check=list(HealthCheck))
@example(["DELETE QLOCAL(FULL) PURGE"])
@example(
    [
        "ALTER QLOCAL(FULL) TRIGTYPE(DEPTH) TRIGDPTH(2)",
        "ALTER QLOCAL(FULL) TRIGGER",
        "CLEAR QLOCAL(B)",
    ],
)
@example(
    ["ALTER QLOCAL(FULL) TRIGTYPE(DEPTH) TRIGDPTH(3)", "CLEAR QLOCAL(FULL)", "CLEAR QLOCAL(FULL)"],
)
@example(
    ["MOVE QLOCAL(FULL) TOQLOCAL(B)", "MOVE QLOCAL(B) TOQLOCAL(FULL)", "DELETE QLOCAL(FULL) PURGE"],
)
@given(SCRIPTS)
def test_a_plan_comes_true(script: list[str]) -> None:
    with mqsc.open_store("sqlite://", environment=Environment.frozen(at=START)) as store:
        qmgr = store.create_queue_manager("QM1")
        assert not [reply for reply in run(qmgr, BEFORE) if reply.completion]
        with qmgr.connect() as connection:
            for priority in (5, 0, 6):
                connection.put1("FULL", Message(b"x", MessageDescriptor(priority=priority)))
        before = displayed(qmgr)
        with tried_out(qmgr) as copy:
            trial = Trial(qmgr, copy)
            planning = Script(None, carry_out=trial.carry_out)
            steps = (step for text in script for step in planning.steps((text,)))
            plan = [[*trial.planned(step)] for step in steps if isinstance(step, Answered)]
        assert displayed(qmgr) == before
        assert len(plan) == len(script)
        for text, step in zip(script, plan, strict=True):
            (reply,) = run(qmgr, text)
            after = displayed(qmgr)
            check([*step], before, after, reply)
            before = after
