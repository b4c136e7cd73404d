"""Definitions by kind and name, their defaults, rows and history."""

from __future__ import annotations

from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS, Kind
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.engine import definitions
from mqsc.store.engine.definitions import HIDDEN, Defined
from mqsc.store.error import MQError
from mqsc.store.sqlite.database import Transaction
from tests.rows import rows
from tests.store.admin.looking import history

QLOCAL, CHANNEL, CHLAUTH = KINDS["QLOCAL"], KINDS["CHANNEL"], KINDS["CHLAUTH"]

NAMES = [
    (QLOCAL, "A.b/c_%9", True),
    (QLOCAL, "A" * 48, True),
    (QLOCAL, "A" * 49, False),
    (QLOCAL, "", False),
    (QLOCAL, "A B", False),
    (QLOCAL, "A\n", False),
    (CHANNEL, "C" * 20, True),
    (CHANNEL, "C" * 21, False),
    (CHANNEL, "  ", False),
    (CHANNEL, "Ä" * 10, True),
    (CHANNEL, "Ä" * 11, False),
]


def is_valid(kind: Kind, name: str) -> bool:
    try:
        definitions.check_name(kind, name)
    except MQError as error:
        return (error.reason, error.object_name) != (MQRCCF.OBJECT_NAME_ERROR, name)
    return True


def test_names_by_kind_in_bytes() -> None:
    assert [(kind, name, is_valid(kind, name)) for kind, name, _ in NAMES] == NAMES


def test_a_channel_has_reason_codes_subtypes_and_namespaces_of_its_own() -> None:
    assert definitions.refusals(QLOCAL) == (MQRC.UNKNOWN_OBJECT_NAME, MQRCCF.OBJECT_ALREADY_EXISTS)
    assert definitions.refusals(CHANNEL) == (
        MQRCCF.CHANNEL_NOT_FOUND,
        MQRCCF.CHANNEL_ALREADY_EXISTS,
    )
    assert (
        len(definitions.namespaces(KINDS["QLOCAL"])),
        len(definitions.namespaces(KINDS["CHANNEL"])),
    ) == (1, 2)
    assert definitions.subtype_of(CHANNEL, {}, {"CHLTYPE": "SDR"}, {"CHLTYPE": "RCVR"}) == "SDR"
    assert (
        definitions.subtype_of(CHANNEL, {}),
        definitions.subtype_of(QLOCAL, {"CHLTYPE": "SDR"}),
    ) == ("", "")


def test_what_was_added_later_has_its_default_and_what_is_unknown_is_left_out() -> None:
    found = definitions.complete(QLOCAL, {"MAXDEPTH": 7, "FORMERLY": 1})
    assert found == {**definitions.shipped(QLOCAL), "MAXDEPTH": 7}
    assert definitions.beside_defaults(QLOCAL, found) == {"MAXDEPTH": 7}
    sender = definitions.complete(CHANNEL, {"CHLTYPE": "SDR"})
    assert sender == {**definitions.shipped(CHANNEL, "SDR")}
    # The subtype is kept even though it equals that of its default object.
    assert definitions.beside_defaults(CHANNEL, sender) == {"CHLTYPE": "SDR"}


def test_how_a_queue_came_to_be_is_no_attribute_of_define() -> None:
    assert "DEFTYPE" in QLOCAL.attributes
    of_local, of_model = (
        definitions.definable(KINDS["QLOCAL"]),
        definitions.definable(KINDS["QMODEL"]),
    )
    assert ["DEFTYPE" in of_local, "DEFTYPE" in of_model, "MAXDEPTH" in of_local] == [
        False,
        True,
        True,
    ]


# (kind, subtype, name, the kind found or the reason)
FINDS = [
    ("QLOCAL", "", "Q", "QLOCAL"),
    ("QALIAS", "", "Q", MQRCCF.OBJECT_WRONG_TYPE),
    ("QLOCAL", "", "NONE", MQRC.UNKNOWN_OBJECT_NAME),
    ("QLOCAL", "", "q", MQRC.UNKNOWN_OBJECT_NAME),
    ("CHANNEL", "", "CLIENT", "CHANNEL"),
    ("CHANNEL", "CLNTCONN", "CLIENT", "CHANNEL"),
    ("CHANNEL", "SDR", "CLIENT", MQRCCF.CHANNEL_NOT_FOUND),
    ("CHANNEL", "RCVR", "SENDER", MQRCCF.OBJECT_WRONG_TYPE),
    ("CHANNEL", "", "NONE", MQRCCF.CHANNEL_NOT_FOUND),
]


def test_a_definition_is_found_by_kind_subtype_and_name(qmgr: QueueManager) -> None:
    create(qmgr, QLOCAL, "Q", {})
    create(qmgr, CHANNEL, "CLIENT", {"CHLTYPE": "CLNTCONN"})
    create(qmgr, CHANNEL, "SENDER", {"CHLTYPE": "SDR", "XMITQ": "X", "CONNAME": "h"})
    found: list[tuple[str, str, str, object]] = []
    with Transaction(qmgr.store.database, durable=False) as tx:
        for kind, subtype, name, _ in FINDS:
            try:
                ended: object = definitions.find(tx, qmgr.name, KINDS[kind], name, subtype).type
            except MQError as refused:
                ended = refused.reason
            found.append((kind, subtype, name, ended))
        sender = definitions.find(tx, qmgr.name, CHANNEL, "SENDER")
    assert found == FINDS
    assert [definitions.is_of(CHANNEL, subtype, sender) for subtype in ("SDR", "", "SVR")] == [
        True,
        True,
        False,
    ]


def test_of_a_secret_only_that_it_was_given_is_kept() -> None:
    secret = min(definitions.secrets(KINDS["QMGR"]))
    given = {secret: "sesame", "DESCR": "x"}
    assert definitions.without_secrets(KINDS["QMGR"], given) == {secret: HIDDEN, "DESCR": "x"}
    assert definitions.without_secrets(KINDS["QMGR"], {secret: ""}) == {secret: ""}
    assert definitions.secrets(QLOCAL) == frozenset()


def test_differences_are_before_and_after() -> None:
    assert definitions.differences({"A": 1, "B": 2}, {"A": 1, "B": 3, "C": 4}) == {
        "B": (2, 3),
        "C": (None, 4),
    }


@rows(
    (QLOCAL, {"DESCR": "x"}, ["Q"]),
    (CHLAUTH, {"TYPE": "USERMAP", "CLNTUSER": "joe"}, ["Q", "USERMAP", "joe"]),
)
def test_the_key_of_a_record_tells_records_of_one_profile_apart(
    kind: Kind,
    attributes: dict[str, str],
    key: list[str],
) -> None:
    name = definitions.record_name(kind, "Q", attributes)
    assert [part for part in name.split("\n") if part] == key
    assert len(name.split("\n")) == 1 + len(kind.identity)
    assert definitions.plain_name(name) == "Q"


def test_rows_of_a_new_object() -> None:
    attributes = {**definitions.shipped(QLOCAL), "MAXDEPTH": 7}
    row = definitions.object_row(QLOCAL, "QM1", "Q", attributes, 5)
    assert (row["owner"], row["namespace"], row["name"], row["type"]) == (
        "QM1",
        "queue",
        "Q",
        "QLOCAL",
    )
    assert (row["created_at"], row["altered_at"], row["attributes"]) == (5, 5, attributes)
    columns = definitions.queue_row(QLOCAL, "QM1", "Q", attributes)
    assert (columns["owner"], columns["name"], columns["type"], columns["max_depth"]) == (
        "QM1",
        "Q",
        "QLOCAL",
        7,
    )
    client = definitions.object_row(CHANNEL, "QM1", "C", {"CHLTYPE": "CLNTCONN"}, 5)
    assert client["namespace"] == CHANNEL.namespace_of("CLNTCONN") != CHANNEL.namespace


def test_a_change_is_recorded_with_the_values_before_and_after(qmgr: QueueManager) -> None:
    with Transaction(qmgr.store.database, durable=False) as tx:
        call = qmgr.call_context(tx)
        definitions.record(
            tx,
            call,
            "ALTER",
            Defined("QLOCAL", "Q"),
            {"MAXDEPTH": (5000, 7)},
            "test",
        )
        definitions.record(tx, call, "DELETE", Defined("CHANNEL", "Q"), {})
    found = [(each.kind, each.cause, each.target, each.detail) for each in history(qmgr.store, "Q")]
    assert found == [
        ("ALTER", "test", "QLOCAL", {"MAXDEPTH": [5000, 7]}),
        ("DELETE", None, "CHANNEL", None),
    ]
