"""What a subscriber sees of a publication."""

from __future__ import annotations

from dataclasses import dataclass

from mqsc.store.constants import MQCOPY, MQTYPE
from mqsc.store.descriptor import NO_ID, MessageDescriptor
from mqsc.store.rules.properties.property_names import PropertyName, meaning
from mqsc.store.rules.properties.property_set import Property, PropertyDescriptor
from mqsc.store.rules.topics import publication
from mqsc.store.rules.topics.publication import CopyFacts
from tests.store.tables import named_verdicts

OWN = b"A" * 24


@dataclass
class Subscriber:
    user: str = "bob"
    correl_id: bytes | None = b"C" * 24
    priority: int = -3
    accounting_token: bytes | None = None
    appl_identity_data: str = ""
    user_data: str = ""
    property_form: str = "MSGPROP"


BOB = Subscriber()


def copied(
    subscriber: Subscriber = BOB,
    *,
    temporary: bool = False,
    **fields: object,
) -> MessageDescriptor:
    published = MessageDescriptor(priority=2, persistence=1, user_identifier="anna")
    for name, value in fields.items():
        setattr(published, name, value)
    return publication.copy_for(published, subscriber, CopyFacts(OWN, "QM1", 3, temporary))


def test_b26_identifiers() -> None:
    assert copied(msg_id=b"M" * 24).msg_id == b"M" * 24
    assert copied(msg_id=NO_ID).msg_id == OWN


def test_b27_correlation_identifiers() -> None:
    assert copied(correl_id=b"P" * 24).correl_id == b"C" * 24
    assert copied(Subscriber(correl_id=None), correl_id=b"P" * 24).correl_id == b"P" * 24


test_b29_priorities = named_verdicts(
    lambda priority: copied(Subscriber(priority=priority)).priority,
    ("as published", -3, 2),
    ("as the queue", -1, 3),
    ("of the subscription", 6, 6),
)


def test_b28_b30_context_and_persistence() -> None:
    found = copied()
    assert (found.user_identifier, found.put_appl_type, found.put_appl_name) == ("bob", 26, "QM1")
    assert found.persistence == 1
    assert copied(temporary=True).persistence == 0


def test_b32_properties_that_are_passed_on() -> None:
    kept = Property(PropertyName("usr", "Color"), int(MQTYPE.STRING), "red")
    own = PropertyDescriptor(copy_options=int(MQCOPY.FORWARD))
    dropped = Property(PropertyName("usr", "Own"), int(MQTYPE.STRING), "x", own)
    assert [*publication.passed_on([kept, dropped])] == [kept.name]


def test_properties_that_are_added() -> None:
    added = publication.added_properties(Subscriber(user_data="x"), "a/b", is_retained=True)
    names = ("MQTopicString", "MQSubUserData", "MQIsRetained")
    assert [added[meaning(name)].value for name in names] == ["a/b", "x", True]
    plain = publication.added_properties(Subscriber(), "a/b", is_retained=False)
    assert [*plain] == [meaning("MQTopicString")]


def test_b34_the_folder_of_publish_subscribe() -> None:
    folder = publication.publish_folder("a<b", is_retained=True)
    assert folder == (
        "<psc><Command>Publish</Command><PubOpt>RetainPub</PubOpt><Topic>a&lt;b</Topic></psc>"
    )
