"""The published relations are complete, documented, and need no database library."""

import re
import subprocess
import sys

import pytest

from mqsc.store import published
from mqsc.store.constants import name_of
from mqsc.store.published import (
    EVENT_COLUMNS,
    KINDS,
    PENDING_COLUMNS,
    RELATIONS,
    Relation,
    reason_names,
)
from mqsc.store.sql.core.schema import PENDING_VIEW
from mqsc.store.table import cells

SENTENCE = r"[A-Z0-9].+\."

EVENT_NAMES = (
    "seq at qmgr kind cause queue target msg_id correl_id priority persistence length put_at "
    "expires_at "
    "put_application put_user unit connection application user reason rule detail"
).split()
KIND_NAMES = (
    "CREATE JOIN LEAVE OWNER ACCESS REFUSE START END PUT GET COMMIT BACKOUT EXPIRE DISCARD TRIGGER "
    "TRIGGER_LOST "
    "DEAD_LETTER REQUEUE FORWARD REPORT REPORT_LOST CLEAR MOVE DEFINE ALTER SET DELETE "
    "PUBLISH RETAIN SUBSCRIBE UNSUBSCRIBE OPEN CLOSE "
    "RECOVER PROGRAM "
    "CHANNEL CLOCK LOG OBSERVE SEND"
).split()
CLOSED = (
    ("EXPIRE", "get browse interval refresh restart handler channel"),
    ("TRIGGER", "put interval close alter initq-enabled get-enabled monitor-opened"),
    ("TRIGGER_LOST", "put interval close alter initq-enabled get-enabled monitor-opened"),
    ("DISCARD", "handler command poison nonpersistent channel"),
    ("REQUEUE", "handler command poison"),
    ("FORWARD", "handler command"),
    ("REPORT", "expiration coa cod exception"),
    ("REPORT_LOST", "expiration coa cod exception"),
    ("BACKOUT", "application abend broken restart poison resolved"),
    ("CHANNEL", "starting bound batch in-doubt resolved retry ended stopped failed"),
    ("OWNER", "start alter end takeover"),
    ("REFUSE", "password authority command channel would-block would-refuse imported"),
    ("CLOSE", ""),
    ("RETAIN", "replaced cleared"),
    ("SUBSCRIBE", "create resume alter admin"),
    ("UNSUBSCRIBE", "close command disconnect expiry restart"),
)


def test_the_history_has_exactly_the_columns_of_the_contract() -> None:
    assert [column.name for column in EVENT_COLUMNS] == EVENT_NAMES


def test_the_history_has_exactly_these_kinds() -> None:
    assert list(KINDS) == KIND_NAMES


@pytest.mark.parametrize(("kind", "causes"), CLOSED)
def test_causes_of_a_kind_are_closed(kind: str, causes: str) -> None:
    assert list(KINDS[kind].causes) == causes.split()


@pytest.mark.parametrize("relation", RELATIONS.values(), ids=list(RELATIONS))
def test_every_column_has_a_type_and_a_sentence(relation: Relation) -> None:
    for column in relation.columns:
        assert column.type in {"INTEGER", "TEXT", "BLOB"}
        assert re.fullmatch(SENTENCE, column.doc), column
    assert relation.key == (relation.columns[0].name if relation.table else "")


def test_every_kind_and_cause_has_a_sentence() -> None:
    for kind in KINDS.values():
        for sentence in (kind.doc, *kind.causes.values(), *kind.detail.values()):
            assert re.fullmatch(SENTENCE, sentence), (kind.name, sentence)


COLUMNS = ("kinds", "part", "name", "meaning")


def test_no_row_is_repeated() -> None:
    rows = [row[:-1] for row in cells(published.__file__, "event_kinds.csv", COLUMNS)]
    told = [(kind, *rest) for names, *rest in rows for kind in names.split()]
    assert len(set(told)) == len(told)


def test_the_view_has_exactly_the_published_columns() -> None:
    assert re.findall(r" AS (\w+)[,\s]", PENDING_VIEW.split("AS\n")[1] + " ") == [
        c.name for c in PENDING_COLUMNS
    ]


def test_reading_the_declarations_loads_no_database_library() -> None:
    script = (
        "import sys, store.published; print([m for m in ('sqlalchemy', 'sqlite3', 'pyspark') if m "
        "in sys.modules])"
    )
    answer = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stdout.strip() == "[]"


REASONS = [
    (2053, "MQRC_Q_FULL"),
    (265, "MQFB_APPL_CANNOT_BE_STARTED"),
    (0, "MQRC_NONE"),
    (77_777, None),
]


@pytest.mark.parametrize(("number", "name"), REASONS)
def test_the_name_of_a_reason(number: int, name: str | None) -> None:
    assert reason_names().get(number) == name


def test_no_number_that_both_families_know_has_two_names() -> None:
    both = [
        number
        for number in reason_names()
        if "MQRC" in name_of("MQRC", number) and "MQFB" in name_of("MQFB", number)
    ]
    assert both == [0]
