"""The hot columns, which puts and gets read instead of the definition."""

from __future__ import annotations

import pytest

from store.catalog import KINDS, Stored, columns
from store.catalog.types import Number
from store.constants import name_of, value_of
from store.sql.schema import queue, queue_manager

ENCODED: list[tuple[str, str, Stored, str, int | str | None]] = [
    ("QLOCAL", "GET", "DISABLED", "get_enabled", 0),
    ("QLOCAL", "PUT", "ENABLED", "put_enabled", 1),
    ("QLOCAL", "MAXDEPTH", 7, "max_depth", 7),
    ("QLOCAL", "MAXMSGL", 100, "max_length", 100),
    ("QLOCAL", "DEFPRTY", 4, "default_priority", 4),
    ("QLOCAL", "DEFPSIST", "YES", "default_persistence", 1),
    ("QLOCAL", "MSGDLVSQ", "FIFO", "fifo", 1),
    ("QLOCAL", "USAGE", "XMITQ", "is_transmission", 1),
    ("QLOCAL", "SHARE", "NOSHARE", "shareable", 0),
    ("QLOCAL", "DEFSOPT", "EXCL", "default_exclusive", 1),
    ("QLOCAL", "TRIGGER", "TRIGGER", "trigger_on", 1),
    ("QLOCAL", "TRIGDATA", "x", "trigger_data", "x"),
    ("QLOCAL", "CAPEXPRY", "NOLIMIT", "cap_expiry", None),
    ("QLOCAL", "CAPEXPRY", 600, "cap_expiry", 600),
    ("QLOCAL", "CUSTOM", "A(B) capexpry( 0600 )", "custom_cap_expiry", 600),
    ("QLOCAL", "CUSTOM", "CAPEXPRY(NOLIMIT)", "custom_cap_expiry", None),
    ("QLOCAL", "CUSTOM", "", "custom_cap_expiry", None),
    ("QLOCAL", "ACCTQ", "OFF", "recorded", 0),
    ("QLOCAL", "ACCTQ", "QMGR", "recorded", 1),
    ("QLOCAL", "NPMCLASS", "HIGH", "keep_nonpersistent", 1),
    ("QLOCAL", "QDPMAXEV", "ENABLED", "full_event", 1),
    ("QALIAS", "TARGTYPE", "TOPIC", "target_is_topic", 1),
    ("QALIAS", "TARGET", "A", "target", "A"),
    ("QREMOTE", "RNAME", "A", "remote_name", "A"),
    ("QREMOTE", "RQMNAME", "QM2", "remote_queue_manager", "QM2"),
    ("QREMOTE", "XMITQ", "X", "transmission_queue", "X"),
    ("QMGR", "EXPRYINT", "OFF", "expiry_interval", None),
    ("QMGR", "EXPRYINT", 60, "expiry_interval", 60),
    ("QMGR", "TRIGINT", 1000, "trigger_interval", 1000),
    ("QMGR", "MARKINT", "NOLIMIT", "mark_interval", -1),
    ("QMGR", "INHIBTEV", "ENABLED", "inhibit_event", 1),
]


@pytest.mark.parametrize(("kind", "keyword", "stored", "column", "value"), ENCODED)
def test_stored_values_become_column_values(
    kind: str, keyword: str, stored: Stored, column: str, value: int | str | None
) -> None:
    assert columns(KINDS[kind], {keyword: stored}) == {column: value}


def test_columns_of_some_attributes_only() -> None:
    attributes: dict[str, Stored] = {"MAXDEPTH": 7, "MAXMSGL": 100, "DESCR": "x"}
    assert columns(KINDS["QLOCAL"], attributes, {"MAXDEPTH", "DESCR"}) == {"max_depth": 7}


@pytest.mark.parametrize(
    ("kind", "keyword", "family", "names"),
    [
        ("QLOCAL", "TRIGTYPE", "MQTT", {"NONE": "NONE", "FIRST": "FIRST", "EVERY": "EVERY", "DEPTH": "DEPTH"}),
        ("QMODEL", "DEFTYPE", "MQQDT", {"PERMDYN": "PERMANENT_DYNAMIC", "TEMPDYN": "TEMPORARY_DYNAMIC"}),
        ("QLOCAL", "DEFTYPE", "MQQDT", {"PREDEFINED": "PREDEFINED", "SHAREDYN": "SHARED_DYNAMIC"}),
        ("QLOCAL", "QSVCIEV", "MQQSIE", {"NONE": "NONE", "HIGH": "HIGH", "OK": "OK"}),
    ],
)
def test_words_are_encoded_as_the_mqi_numbers_them(kind: str, keyword: str, family: str, names: dict[str, str]) -> None:
    column = KINDS[kind].attributes[keyword].column
    assert column is not None
    assert {word: column.numbers[word] for word in names} == {
        word: value_of(f"{family}_{name}") for word, name in names.items()
    }


def test_application_types_have_their_mqat_numbers() -> None:
    type = KINDS["PROCESS"].attributes["APPLTYPE"].type
    assert isinstance(type, Number)
    spelled = {"WINDOWSNT": "WINDOWS_NT", "NOTESAGENT": "NOTES_AGENT", "MVS": "ZOS"}
    names = {word: name_of("MQAT", number) for word, number in type.named.items()}
    assert names == {word: f"MQAT_{spelled.get(word, word)}" for word in type.named}


def test_every_hot_column_exists_in_its_table() -> None:
    wrong = []
    for kind in KINDS.values():
        table = queue_manager if kind.keyword == "QMGR" else queue
        wrong += [(kind.keyword, word, column.name) for word, column in kind.hot_columns if column.name not in table.c]
    assert wrong == []


def test_attributes_without_a_column_and_unknown_words_are_left_out() -> None:
    assert columns(KINDS["QLOCAL"], {"DESCR": "x", "BOTHRESH": 3, "NOSUCH": 1}) == {}
