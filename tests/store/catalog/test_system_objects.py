"""The objects of a new queue manager."""

from __future__ import annotations

import pytest

from store.catalog import KINDS, SYSTEM_OBJECTS
from store.catalog.attribute import defaults
from tests.store.catalog.written import read_back

BY_NAME = {(each.kind, each.name): each for each in SYSTEM_OBJECTS}


def test_every_object_has_a_name_and_values_of_its_kind() -> None:
    wrong: list[tuple[str, str, object]] = []
    for each in SYSTEM_OBJECTS:
        kind = KINDS[each.kind]
        if kind.name_type.accept(each.name) != each.name:
            wrong.append((each.kind, each.name, "name"))
        unknown = set(each.attributes()) ^ set(defaults(kind, each.subtype))
        if unknown:
            wrong.append((each.kind, each.name, unknown))
        wrong += [
            (each.kind, each.name, keyword)
            for keyword, value in each.overrides.items()
            if read_back(kind.attributes[keyword], value) != value
        ]
    assert wrong == []


def test_names_are_unique_where_they_must_be() -> None:
    places = [(each.namespace, each.name) for each in SYSTEM_OBJECTS]
    assert len(places) == len(set(places))


def test_every_default_object_that_a_kind_names_is_there() -> None:
    named = {(kind.keyword, name) for kind in KINDS.values() for name in kind.default_objects.values()}
    assert named <= set(BY_NAME)


@pytest.mark.parametrize(
    ("kind", "name", "keyword", "value"),
    [("QLOCAL", "SYSTEM.DEFAULT.LOCAL.QUEUE", "HARDENBO", "HARDENBO"),
     ("QLOCAL", "SYSTEM.DEFAULT.LOCAL.QUEUE", "SHARE", "SHARE"),
     ("QMODEL", "SYSTEM.DEFAULT.MODEL.QUEUE", "HARDENBO", "NOHARDENBO"),
     ("QMODEL", "SYSTEM.DEFAULT.MODEL.QUEUE", "SHARE", "NOSHARE"),
     ("QMODEL", "SYSTEM.DEFAULT.MODEL.QUEUE", "DEFTYPE", "TEMPDYN"),
     ("QMODEL", "SYSTEM.DURABLE.MODEL.QUEUE", "DEFTYPE", "PERMDYN"),
     ("QMODEL", "SYSTEM.JMS.MODEL.QUEUE", "DEFTYPE", "PERMDYN"),
     ("QMODEL", "SYSTEM.JMS.MODEL.QUEUE", "SHARE", "SHARE"),
     ("QMODEL", "SYSTEM.JMS.MODEL.QUEUE", "DEFSOPT", "SHARED"),
     ("QMODEL", "SYSTEM.JMS.MODEL.QUEUE", "MAXDEPTH", 5000),
     ("QMODEL", "SYSTEM.JMS.MODEL.QUEUE", "BOTHRESH", 0),
     ("QMODEL", "SYSTEM.JMS.MODEL.QUEUE", "BOQNAME", ""),
     ("QLOCAL", "SYSTEM.CLUSTER.TRANSMIT.QUEUE", "USAGE", "XMITQ"),
     ("CHANNEL", "SYSTEM.DEF.CLUSRCVR", "MCATYPE", "THREAD"),
     ("CHANNEL", "SYSTEM.AUTO.SVRCONN", "CHLTYPE", "SVRCONN"),
     ("TOPIC", "SYSTEM.BASE.TOPIC", "PUB", "ENABLED"),
     ("CHLAUTH", "*", "USERLIST", ["*MQADMIN"]),
     ("AUTHINFO", "SYSTEM.DEFAULT.AUTHINFO.IDPWOS", "CHCKCLNT", "REQDADM")],
)  # fmt: skip
def test_shipped_values(kind: str, name: str, keyword: str, value: object) -> None:
    assert BY_NAME[kind, name].attributes()[keyword] == value


@pytest.mark.parametrize(
    "name",
    ["SYSTEM.DEAD.LETTER.QUEUE", "SYSTEM.ADMIN.COMMAND.QUEUE", "SYSTEM.ADMIN.QMGR.EVENT", "SYSTEM.ADMIN.PERFM.EVENT",
     "SYSTEM.DEFAULT.INITIATION.QUEUE", "SYSTEM.CHANNEL.INITQ", "SYSTEM.CICS.INITIATION.QUEUE"],
)  # fmt: skip
def test_queues_that_other_parts_count_on(name: str) -> None:
    assert ("QLOCAL", name) in BY_NAME
