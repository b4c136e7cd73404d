"""`mqsc topic explain`: where attributes come from, and each condition that a subscription fails."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

import mqsc
from mqsc.store import open_store
from mqsc.store.admin.topic_explanation import explain
from mqsc.store.constants import MQOT, MQSO
from mqsc.store.error import MQError
from mqsc.store.message import Message, PutMessageOptions
from tests.mqsc.screen import too_wide
from tests.mqsc.session import Session

# Each subscription with the condition that it fails for a red publication of level 5 to
# shop/tea/green, None if it receives it.
SUBSCRIPTIONS: list[tuple[str, str, str | None]] = [
    ("RED", "TOPICSTR('shop/tea/#') SELECTOR('color = ''red''')", None),
    ("HERE", "TOPICSTR('shop/tea/green')", None),
    ("CHARS", "TOPICSTR('shop/tea/g*n') WSCHEMA(CHAR)", None),
    ("ABOVE", "TOPICSTR('shop/#')", "blocked"),
    ("OTHER", "TOPICSTR('shop/tea')", "string"),
    ("BLUE", "TOPICSTR('shop/tea/+') SELECTOR('color = ''blue''')", "selector"),
    ("SIZED", "TOPICSTR('shop/tea/+') SELECTOR('size > 3')", "selector"),
    ("LOW", "TOPICSTR('shop/tea/green') SUBLEVEL(1)", "level"),
    ("HIGH", "TOPICSTR('shop/tea/green') SUBLEVEL(6)", "level"),
    ("ASKING", "TOPICSTR('shop/tea/green') REQONLY(YES)", "request only"),
    ("OVER", "TOPICSTR('shop/tea/green') EXPIRY(10)", "expired"),
]
ASKED = "shop/tea/green --level 5 --property color=red --persistent"


@pytest.fixture
def shop(session: Session) -> Session:
    session("""
        qmgr create QM1 --clock manual
        clock set 2026-03-01T09:00:00
        DEFINE QLOCAL(Q)
        DEFINE TOPIC(SHOP) TOPICSTR('shop') DEFPRTY(7)
        DEFINE TOPIC(TEA) TOPICSTR('shop/tea') WILDCARD(BLOCK) DEFPSIST(YES)
    """)
    for name, words, _ in SUBSCRIPTIONS:
        level = "" if "SUBLEVEL" in words else "SUBLEVEL(5)"
        session(f'run -c "DEFINE SUB({name}) {words} {level} DEST(Q)"')
    session("clock advance 2s")
    return session


def explained(session: Session, asked: str = ASKED) -> dict[str, Any]:
    (row,) = session(f"topic explain {asked} --format json => !|").rows
    return dict(row)


def test_each_condition(shop: Session) -> None:
    found = explained(shop)
    failed = {each["name"]: each["failed"] for each in found["subscriptions"]}
    assert failed == {name: condition for name, _, condition in SUBSCRIPTIONS}
    assert found["receive"] == 3
    why = {each["name"]: each["why"] for each in found["subscriptions"]}
    assert why["ABOVE"] == "blocked at TEA (shop/tea), which has WILDCARD(BLOCK)"
    assert why["BLUE"].startswith("its selector is false")
    assert why["SIZED"].startswith("its selector is unknown")
    assert why["LOW"] == "its level 1 is below 5, which receives it"
    assert why["HIGH"] == "its level 6 is above that of the publication"
    assert why["OVER"] == "expired at 2026-03-01T09:00:01Z"


def test_a_publication_does_what_was_said(shop: Session) -> None:
    """The copies of a publication are those that the explanation names."""
    said = {each["name"] for each in explained(shop)["subscriptions"] if each["failed"] is None}
    with open_store("sqlite:///store.db") as store, store.queue_manager("QM1").connect() as program:
        properties = program.create_message_handle()
        properties.set("color", "red")
        program.put1(
            "",
            Message(b"x"),
            PutMessageOptions(publication_level=5, message_handle=properties),
            object_type=MQOT.TOPIC,
            object_string="shop/tea/green",
        )
    puts = shop("history --kind PUT --format json").rows
    copies = [each["detail"] for each in puts if each["cause"] == "publication"]
    assert {each["subscription"] for each in copies} == said


def test_where_attributes_come_from(shop: Session) -> None:
    found = explained(shop)["attributes"]
    assert found["DEFPRTY"] == {"value": 7, "object": "SHOP"}
    assert found["DEFPSIST"] == {"value": "YES", "object": "TEA"}
    assert found["PUB"] == {"value": "ENABLED", "object": "SYSTEM.BASE.TOPIC"}
    shop("DELETE TOPIC(SYSTEM.BASE.TOPIC)")
    assert explained(shop)["attributes"]["PUB"] == {"value": "ENABLED", "object": None}


def test_as_text(shop: Session) -> None:
    shown = shop(f"topic explain {ASKED}").out
    assert shown.splitlines()[0] == (
        "shop/tea/green at QM1, 2026-03-01T09:00:02Z: a node of the topic tree, below topic "
        "object TEA (shop/tea)"
    )
    assert "A publication of level 5 now would reach 3 of 11 subscriptions." in shown
    assert "  RED (shop/tea/#): on Q\n" in shown
    assert "  CHARS (shop/tea/g*n, by characters): on Q\n" in shown
    assert "  OTHER (shop/tea): its topic string does not match\n" in shown


@pytest.mark.parametrize(
    ("commands", "refused", "fails", "shown"),
    [
        ("ALTER TOPIC(SHOP) PUB(DISABLED)", 2051, None, "would be refused with 2051"),
        ("ALTER QMGR PSMODE(DISABLED)", 2531, None, "would be refused with 2531"),
        ("ALTER QLOCAL(Q) PUT(DISABLED)", None, 2502, "would fail with 2502"),
        ("ALTER QLOCAL(Q) PUT(DISABLED)", None, 2502, "there is no dead-letter queue"),
        (
            "ALTER QLOCAL(Q) PUT(DISABLED)\nDEFINE QLOCAL(DLQ)\nALTER QMGR DEADQ(DLQ)",
            None,
            None,
            "it goes to the dead-letter queue DLQ",
        ),
        ("ALTER QLOCAL(Q) PUT(DISABLED)\nALTER TOPIC(TEA) USEDLQ(NO)", None, 2502, "USEDLQ(NO)"),
    ],
)
def test_refusals(
    shop: Session, commands: str, refused: int | None, fails: int | None, shown: str
) -> None:
    for command in commands.splitlines():
        shop(command)
    found = explained(shop)
    assert (found["refused"], found["fails"]) == (refused, fails)
    assert shown in " ".join(shop(f"topic explain {ASKED}").out.split())


def test_own_and_groups(shop: Session) -> None:
    """Of two of one group the one with the longer literal string gets the copy."""
    options = MQSO.CREATE | MQSO.GROUP_SUB | MQSO.SET_CORREL_ID
    with open_store("sqlite:///store.db") as store, store.queue_manager("QM1").connect() as program:
        queue = program.open("Q", mqsc.MQOO.INPUT_SHARED)
        for string in ("g/#", "g/b"):
            wanted = mqsc.SubscriptionDescriptor(options, object_string=string, correl_id=b"G" * 24)
            program.subscribe(wanted, queue)
        rows = explained(shop, "g/b")["subscriptions"]
        found = {each["topic_string"]: each["failed"] for each in rows if each["connection"]}
        assert found == {"g/#": "group", "g/b": None}
        rows = explained(shop, f"g/b --not-own {program.number}")["subscriptions"]
        assert {each["failed"] for each in rows if each["connection"]} == {"own"}


def test_nothing_changes(shop: Session) -> None:
    before = shop("history --format json").rows
    explained(shop, "never/used")
    assert shop("history --format json").rows == before
    assert (
        shop("topic explain never/used")
        .out.splitlines()[0]
        .endswith("not a node of the topic tree")
    )


def test_wrong_input(shop: Session) -> None:
    shop("""
        topic explain '' => 20 ! the topic string is empty
        topic explain a --level 10 => 20 ! 10
        topic explain a --property color => 20 ! not a property
        topic explain a --property 'a b=1' => 20 ! property
        topic explain a --as-of 5 => 20 ! SUBSCRIBE
    """)
    with open_store("sqlite:///store.db") as store, pytest.raises(MQError, match="2441"):
        explain(store.queue_manager("QM1"), "a" * 10_241)


def test_control_characters_are_escaped(shop: Session) -> None:
    assert "\x1b" not in shop("topic explain 'a\x1b[31m'").out


@pytest.mark.parametrize("width", [40, 80])
def test_widths(shop: Session, width: int, tmp_path: Path) -> None:
    assert too_wide(tmp_path, width, *shlex.split(f"topic explain {ASKED}"), shortest=20) == []
