"""`mqsc topic`: publications, subscriptions and explanations from the command line."""

from __future__ import annotations

import json

import pytest

from tests.mqsc.conftest import Command

TREE = """
DEFINE QLOCAL(Q)
DEFINE TOPIC(PRICES) TOPICSTR('prices') DEFPRTY(5)
DEFINE TOPIC(SECRET) TOPICSTR('prices/secret') WILDCARD(BLOCK)
DEFINE SUB(ALL) TOPICSTR('#') DEST(Q)
DEFINE SUB(RED) TOPICSTR('prices/tea') DEST(Q) SELECTOR('Color = ''red''')
DEFINE SUB(ASKS) TOPICSTR('prices/tea') DEST(Q) REQONLY(YES)
DEFINE SUB(OTHER) TOPICSTR('news') DEST(Q)
"""


@pytest.fixture
def tree(mqsc: Command) -> Command:
    mqsc("run", "-c", TREE)
    return mqsc


def test_publications_are_printed(tree: Command) -> None:
    said = tree("topic", "publish", "prices/tea", "one", "two", "--property", "Color=red")
    assert "2 messages published to prices/tea" in said.err
    assert tree("get", "Q", "--all").out.splitlines() == ["one", "one", "two", "two"]
    tree("topic", "publish", "prices/tea", "kept", "--retain", "--persistent")
    printed = tree("topic", "subscribe", "prices/+", "--wait", "0")
    assert printed.out == "kept\n"
    nothing = tree("topic", "subscribe", "news/#", "--wait", "0")
    assert (nothing.out, "no publication came" in nothing.err) == ("", True)


def test_a_named_subscription_collects_publications(tree: Command) -> None:
    durable = ("topic", "subscribe", "prices/#", "--name", "mine", "--wait", "0")
    assert tree(*durable).out == ""
    tree("topic", "publish", "prices/tea", "one", "two")
    assert tree(*durable, "--limit", "1").out == "one\n"
    (row,) = tree(*durable, "--remove", "--format", "jsonl").rows
    assert row["body"]["text"] == "two"
    assert "mine" not in tree("run", "-e", "-c", "DISPLAY SUB(*)").out


def test_b91_who_would_receive_a_publication_and_why_not(tree: Command) -> None:
    """B91: the failed condition of each subscription, and where attributes come from."""
    said = tree("topic", "explain", "prices/tea").out
    assert "  DEFPRTY   5                                from PRICES" in said.splitlines()
    assert "ALL (#, on Q) receives it" in said
    assert "RED (prices/tea, on Q) receives it if its selector is true: Color = 'red'" in said
    assert "ASKS (prices/tea, on Q) does not: it gets publications on request only" in said
    assert "OTHER" not in said
    assert "OTHER (news, on Q) does not: its topic string does not match" in (
        tree("topic", "explain", "prices/tea", "--all").out
    )
    assert "ALL (#, on Q) does not: WILDCARD(BLOCK) at prices/secret" in (
        tree("topic", "explain", "prices/secret").out
    )
    assert "does not: another SUBLEVEL comes first, or PubLevel is lower" in (
        tree("topic", "explain", "prices/tea", "--level", "0").out
    )


def test_an_explanation_as_json(tree: Command) -> None:
    (found,) = json.loads(tree("topic", "explain", "prices/tea", "--format", "json").out)
    assert found["objects"] == ["PRICES", "SYSTEM.BASE.TOPIC"]
    assert found["attributes"]["DEFPRTY"] == {"value": 5, "from": "PRICES"}
    conditions = {each["name"]: each["condition"] for each in found["subscriptions"]}
    assert conditions == {"ALL": None, "RED": None, "ASKS": "request only"}


def test_publishing_is_switched_off(tree: Command) -> None:
    tree("run", "-c", "ALTER QMGR PSMODE(DISABLED)")
    assert "PSMODE of the queue manager is DISABLED" in tree("topic", "explain", "prices/tea").out
    assert tree("topic", "publish", "prices/tea", "x").code == 10


@pytest.mark.parametrize(
    "words",
    [
        ("publish", "prices/tea"),
        ("publish", "prices/tea", "x", "--property", "1=2"),
        ("subscribe", "prices/tea", "--remove"),
        ("explain",),
        ("explain", "prices/tea", "--level", "10"),
    ],
)
def test_wrong_arguments(tree: Command, words: tuple[str, ...]) -> None:
    assert tree("topic", *words).code == 20
