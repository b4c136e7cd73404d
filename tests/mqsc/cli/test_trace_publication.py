"""`mqsc trace` of a publication: it and its copies as one life (B91)."""

from __future__ import annotations

import pytest

from mqsc.store import open_store
from mqsc.store.constants import MQOT, MQPMO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.message import Message, PutMessageOptions
from tests.mqsc.session import Session

M = b"M" * 24


@pytest.fixture
def shop(session: Session) -> Session:
    session("""
        qmgr create QM1
        DEFINE QLOCAL(Q)
        DEFINE QLOCAL(FULL) MAXDEPTH(0)
        DEFINE SUB(A) TOPICSTR('a/#') DEST(Q)
        DEFINE SUB(B) TOPICSTR('a/+') DESTCLAS(MANAGED)
        DEFINE SUB(RED) TOPICSTR('a/b') DEST(Q) SELECTOR('color = ''red''')
        DEFINE SUB(LOST) TOPICSTR('a/b') DEST(FULL)
        DEFINE SUB(OTHER) TOPICSTR('x') DEST(Q)
    """)
    return session


def publish(options: int = 0, msg_id: bytes = b"") -> bytes:
    """Publish, and return the MsgId that the call returns."""
    with (
        open_store("sqlite:///store.db") as store,
        store.queue_manager().connect() as connection,
    ):
        descriptor = MessageDescriptor(msg_id=msg_id) if msg_id else MessageDescriptor()
        return connection.put1(
            "",
            Message(b"hi", descriptor),
            PutMessageOptions(options),
            object_type=MQOT.TOPIC,
            object_string="a/b",
        ).msg_id


def of_subscription(session: Session, name: str) -> str:
    """The MsgId of the copy of a subscription."""
    rows = session("history --kind PUT --cause publication --format json").rows
    return str(next(each["msg_id"] for each in rows if each["detail"]["subscription"] == name))


def life(session: Session, msg_id: str) -> list[tuple[str, str | None]]:
    rows = session(f"trace {msg_id} --format json").rows
    return [
        (each["kind"], (each.get("detail") or {}).get("subscription"))
        for each in rows
        if each["kind"] != "THERE"
    ]


def test_b91_each_copy_leads_to_all_of_them(shop: Session) -> None:
    publish()
    wanted = [("PUBLISH", None), ("PUT", "A"), ("PUT", "B")]
    for name in ("A", "B"):
        assert life(shop, of_subscription(shop, name)) == wanted
    shop("get Q => 0")
    assert life(shop, of_subscription(shop, "B"))[3] == ("GET", None)


@pytest.mark.parametrize(
    ("options", "given"), [(0, M), (MQPMO.NEW_MSG_ID, b"")], ids=["given", "new"]
)
def test_b91_the_identifier_of_the_publication(shop: Session, options: int, given: bytes) -> None:
    msg_id = publish(options, given)
    publish()
    assert life(shop, msg_id.hex()) == [("PUBLISH", None), ("PUT", "A"), ("PUT", "B")]


def test_b91_who_did_not_receive_it_and_why(shop: Session) -> None:
    publish()
    shown = shop(f"trace {of_subscription(shop, 'A')}").out
    assert "published to a/b" in shown
    assert "for 3 subscriptions, 2 delivered" in shown
    assert "not delivered to LOST (2053 MQRC_Q_FULL)" in shown
    assert "not for RED (selector)" in shown
    assert "for subscription B" in shown
    assert "OTHER" not in shown
    assert shown.count("Now: ") == 2


def test_two_publications_are_two_lives(shop: Session) -> None:
    publish()
    first = of_subscription(shop, "A")
    publish()
    assert len(life(shop, first)) == 3


def test_the_history_names_excluded_subscriptions(shop: Session) -> None:
    for number in range(30):
        shop(f"DEFINE SUB(S{number}) TOPICSTR('a/b') DEST(Q) REQONLY(YES)")
    publish()
    (row,) = shop("history --kind PUBLISH --format json").rows
    assert len(row["detail"]["excluded"]) == 20
    assert row["detail"]["excluded"]["RED"] == "selector"
    assert row["detail"]["excluded_more"] == 11
