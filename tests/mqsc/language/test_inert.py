"""Objects and attributes without effect: exactly those listed, and the list agrees with the replies and the docs."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import mqsc
from mqsc.explain.lookup import explanations
from mqsc.language.unsupported import (
    INERT_ATTRIBUTES,
    INERT_OBJECTS,
    INERT_RECORDS,
    NEUTRAL,
    NO_AUTHORITY,
    WORKING,
    inert_because,
)
from store.catalog import KINDS, Attribute, Kind
from store.client.api import QueueManager, Store

ROOT = Path(mqsc.__file__).parents[1]
# Code in which attributes take effect. MQINQ, DISPLAY, configuration events and checks of definitions are excluded,
# because they read all attributes.
ACTING = (
    "store/engine",
    "store/rules",
    "store/mqi",
    "store/sql",
    "store/client",
    "store/admin",
    "mqsc/agents",
    "mqsc/channels",
)
NOT_ACTING = (
    "store/mqi/selectors*.py", "store/rules/conflicts.py", "store/rules/channel_*.py", "store/rules/authority.py",
    "store/rules/names.py", "store/rules/configuration_event.py",
    "store/admin/records.py", "store/admin/status.py",
    "store/admin/altering.py",
    "store/admin/channel/display.py",
)  # fmt: skip
# Words in the sources that only coincide with the names of these attributes.
COINCIDENCES = {
    ("QMGR", "CHLAUTH"): "the kind of record",
    ("CHANNEL", "USERID"): "the user of a connection",
    ("CHANNEL", "QMNAME"): "the name of the queue manager in rows of a status",
    ("AUTHINFO", "CONNAME"): "the address of a partner of a channel",
    ("CHANNEL", "COMPMSG"): "what the ends agree on; nothing is compressed",
    ("CHANNEL", "PROPCTL"): "the attribute of queues",
}


@cache
def words_acted_on() -> frozenset[str]:
    """Return all words in strings of the sources that act on attributes, except docstrings."""
    passive = {path for pattern in NOT_ACTING for path in ROOT.glob(pattern)}
    words: set[str] = set()
    for folder in ACTING:
        for path in set((ROOT / folder).rglob("*.py")) - passive:
            tree = ast.parse(path.read_text(encoding="utf-8"))
            statements = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
            for each in ast.walk(tree):
                if isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in statements:
                    words |= {*each.value.split()}
    return frozenset(words)


def has_effect(kind: Kind, row: Attribute) -> bool:
    coincidence = (kind.keyword, row.keyword) in COINCIDENCES
    return row.column is not None or (row.keyword in words_acted_on() and not coincidence)


def settable(kind: Kind) -> list[Attribute]:
    return [row for row in kind.attributes.values() if not (row.option or row.display_only or row.constant is not None)]


def test_everything_listed_is_inert() -> None:
    wrong = [
        (kind, keyword)
        for each in INERT_ATTRIBUTES
        for kind in each.kinds
        for keyword in each.keywords
        if keyword in KINDS[kind].attributes and has_effect(KINDS[kind], KINDS[kind].attributes[keyword])
    ]
    assert wrong == []


def test_every_listed_attribute_exists() -> None:
    wrong = [
        (each.kinds, keyword)
        for each in INERT_ATTRIBUTES
        for keyword in each.keywords
        if not any(keyword in KINDS[kind].attributes for kind in each.kinds)
    ]
    assert wrong == []


def test_nothing_else_is_inert() -> None:
    wrong = [
        (kind, row.keyword)
        for kind in WORKING
        for row in settable(KINDS[kind])
        if not (has_effect(KINDS[kind], row) or row.keyword in NEUTRAL or inert_because(KINDS[kind], row))
    ]
    assert wrong == []


def test_every_kind_of_object_works_or_is_listed() -> None:
    assert {*WORKING, *INERT_OBJECTS, *INERT_RECORDS} == KINDS.keys()


def test_a_run_says_each_reason_once(qmgr: QueueManager) -> None:
    text = """
        DEFINE QLOCAL(A) CLUSTER(C) CLWLPRTY(5)
        DEFINE QLOCAL(B) CLWLRANK(5) CLUSTER(' ')
        DEFINE SUB(S) TOPICSTR(x) DEST(A)
        DEFINE TOPIC(T) TOPICSTR(y)
        DEFINE SERVICE(V) CONTROL(QMGR)
        DEFINE QLOCAL(C) MAXDEPTH(5) DESCR('x')
        ALTER QMGR CHLAUTH(ENABLED)
        ALTER QMGR CHLAUTH(DISABLED)
    """
    assert [reply.text.split("\n")[1:] for reply in mqsc.run(qmgr, text, check=True)] == [
        ["CLUSTER has no effect: there are no clusters here: queue managers in one store do not exchange definitions."],
        [],
        ["Nothing acts on SUB here: publications are not delivered."],
        [],
        ["Nothing acts on SERVICE here: no program is started."],
        [],
        [],
        ["CHLAUTH has no effect: no user is checked here."],
    ]


def test_attributes_without_effect_on_shared_queues(store: Store) -> None:
    member = store.create_queue_manager("QM1", group="QSG1")
    text = """
        DEFINE CFSTRUCT(S)
        DEFINE QLOCAL(A) QSGDISP(SHARED) CFSTRUCT(S) QSVCIEV(HIGH)
        ALTER QLOCAL(A) QSGDISP(SHARED) NPMCLASS(HIGH)
        ALTER QLOCAL(A) QSGDISP(SHARED) QSVCIEV(NONE)
        DEFINE QLOCAL(B) QSVCIEV(HIGH) NPMCLASS(HIGH)
    """
    assert [reply.text.split("\n")[1:] for reply in mqsc.run(member, text, check=True)][1:] == [
        ["QSVCIEV has no effect: shared queues cause no service interval events, as in MQ."],
        ["NPMCLASS has no effect: shared queues keep nonpersistent messages when queue managers end, as in MQ."],
        [],
        [],
    ]


def test_explain_says_it() -> None:
    parts = {
        word: [part.text for each in explanations(word) for part in each.parts if part.label == "here"]
        for word in ("CLUSNL", "SERVICE", "CHLAUTH", "MAXDEPTH")
    }
    assert parts["CLUSNL"][0].startswith("no effect: there are no clusters")
    assert parts["SERVICE"] == ["no effect: no program is started"]
    assert NO_AUTHORITY in parts["CHLAUTH"]
    assert parts["MAXDEPTH"] == []


def test_the_docs_have_the_list() -> None:
    lines = (ROOT / "docs/commands.md").read_text(encoding="utf-8").splitlines()
    start = lines.index("| object | attributes | why |") + 2
    assert lines[start : lines.index("", start)] == [
        *(f"| {kind} | all | {why} |" for kind, why in INERT_OBJECTS.items()),
        f"| {', '.join(INERT_RECORDS)} | all | no authority is enforced |",
        *(
            f"| {', '.join(each.kinds)} | {' '.join(sorted(each.keywords))} | {each.sentence} |"
            for each in INERT_ATTRIBUTES
        ),
    ]
