"""MQINQ and MQSET: values, refusals, and every selector."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from mqsc.store.admin.altering import change, change_queue_manager
from mqsc.store.admin.defining import create
from mqsc.store.catalog import KINDS, Attribute
from mqsc.store.catalog.types import Items, Number
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQCA, MQIA, MQOO, MQOT, MQPMO, MQRC
from mqsc.store.message import Message, PutMessageOptions
from mqsc.store.mqi.inquiry_selectors import Selector, selectors_of
from tests.processes.programs import run_program
from tests.rows import rows
from tests.store.mqi.calls import reason_of

QLOCAL, QALIAS, QREMOTE, QMODEL = (
    KINDS[kind] for kind in ("QLOCAL", "QALIAS", "QREMOTE", "QMODEL")
)
# The value of a name of 48 characters, inquired from an object whose type does not have it.
NO_NAME = "*" * 48


@pytest.fixture
def connection(qmgr: QueueManager) -> Iterator[Connection]:
    """A connection to a queue manager with a queue Q, its alias A, and a definition R of a
    remote queue.
    """
    create(
        qmgr,
        QLOCAL,
        "Q",
        {"DESCR": "the base", "PUT": "DISABLED", "DEFSOPT": "EXCL", "TRIGTYPE": "DEPTH"},
    )
    create(qmgr, QALIAS, "A", {"TARGET": "Q", "DESCR": "the alias"})
    create(qmgr, QLOCAL, "X", {"USAGE": "XMITQ"})
    create(qmgr, QREMOTE, "R", {"RNAME": "THERE", "RQMNAME": "QM2", "XMITQ": "X"})
    with qmgr.connect() as connected:
        yield connected


DATES_OF_Q: dict[int, int | str] = {
    MQCA.CREATION_DATE: "2023-11-14",
    MQCA.CREATION_TIME: "22.13.20",
}


# (object, options besides MQOO_INQUIRE, values)
@rows(
    (
        "Q",
        0,
        {
            MQIA.Q_TYPE: 1,
            MQCA.Q_NAME: "Q",
            MQCA.Q_DESC: "the base",
            MQIA.INHIBIT_PUT: 1,
            MQIA.INHIBIT_GET: 0,
        },
    ),
    (
        "Q",
        0,
        {
            MQIA.DEF_INPUT_OPEN_OPTION: 4,
            MQIA.TRIGGER_TYPE: 3,
            MQIA.SHAREABILITY: 1,
            MQIA.CAP_EXPIRY: -1,
        },
    ),
    ("Q", 0, {MQIA.MAX_Q_DEPTH: 5000, MQCA.BASE_Q_NAME: NO_NAME, **DATES_OF_Q}),
    ("A", 0, {MQIA.Q_TYPE: 3, MQCA.Q_DESC: "the alias", MQCA.BASE_Q_NAME: "Q", MQIA.BASE_TYPE: 1}),
    ("A", 0, {MQIA.CURRENT_Q_DEPTH: -1, MQIA.MAX_Q_DEPTH: -1, MQIA.Q_DEPTH_HIGH_EVENT: -1}),
    ("A", 0, {MQCA.PROCESS_NAME: NO_NAME, MQCA.CREATION_TIME: "*" * 8}),
    ("A", MQOO.SET, {MQIA.Q_TYPE: 3}),
    ("A", MQOO.OUTPUT, {MQIA.Q_TYPE: 1, MQCA.BASE_Q_NAME: NO_NAME}),
    ("A", MQOO.INPUT_SHARED, {MQCA.Q_NAME: "Q"}),
    (
        "R",
        0,
        {MQIA.Q_TYPE: 6, MQCA.REMOTE_Q_NAME: "THERE", MQCA.XMIT_Q_NAME: "X", MQIA.INHIBIT_GET: -1},
    ),
    ("R", MQOO.OUTPUT, {MQCA.REMOTE_Q_MGR_NAME: "QM2"}),
    ("SYSTEM.DEFAULT.MODEL.QUEUE", 0, {MQIA.DEFINITION_TYPE: 3, MQIA.Q_TYPE: 1}),
)
def test_m5_what_mqinq_tells(
    connection: Connection,
    name: str,
    options: int,
    values: dict[int, int | str],
) -> None:
    assert connection.open(name, MQOO.INQUIRE | options).inquire(*values) == values


def test_a_selector_that_does_not_apply_is_a_warning(connection: Connection) -> None:
    handle = connection.open("Q", MQOO.INQUIRE)
    for selector, ended in ((MQIA.MAX_Q_DEPTH, (0, 0)), (MQCA.BASE_Q_NAME, (1, 2068))):
        found = handle.inquire(MQIA.Q_TYPE, selector)
        assert (found.completion, found.reason) == ended


OF_THE_QUEUE_MANAGER: list[dict[int, int | str]] = [
    {
        MQCA.Q_MGR_NAME: "QM1",
        MQIA.CODED_CHAR_SET_ID: 1208,
        MQIA.PLATFORM: 3,
        MQIA.MAX_PRIORITY: 9,
        MQIA.SYNCPOINT: 1,
    },
    {
        MQIA.EXPIRY_INTERVAL: 0,
        MQIA.START_STOP_EVENT: 1,
        MQIA.REVERSE_DNS_LOOKUP: 0,
        MQIA.MONITORING_Q: 0,
    },
    {MQIA.SUITE_B_STRENGTH: 1, MQCA.DEAD_LETTER_Q_NAME: "", MQIA.MAX_UNCOMMITTED_MSGS: 10000},
    {MQIA.TRIGGER_INTERVAL: 999_999_999, MQIA.PERFORMANCE_EVENT: 0},
]


@rows(
    (
        MQOT.PROCESS,
        "P",
        {MQIA.APPL_TYPE: 6, MQCA.APPL_ID: "run", MQCA.PROCESS_NAME: "P", MQCA.USER_DATA: ""},
    ),
    (
        MQOT.NAMELIST,
        "N",
        {MQIA.NAME_COUNT: 2, MQCA.NAMES: "ON".ljust(48) + "Q".ljust(48), MQIA.NAMELIST_TYPE: 0},
    ),
    (MQOT.NAMELIST, "N", {MQCA.NAMELIST_DESC: ""}),
    *((MQOT.Q_MGR, "", values) for values in OF_THE_QUEUE_MANAGER),
)
def test_m5_objects_that_are_no_queues(
    qmgr: QueueManager,
    kind: int,
    name: str,
    values: dict[int, int | str],
) -> None:
    create(qmgr, KINDS["PROCESS"], "P", {"APPLICID": "run"})
    create(qmgr, KINDS["NAMELIST"], "N", {"NAMES": ["ON", "Q"]})
    with qmgr.connect() as connection:
        handle = connection.open(name, MQOO.INQUIRE, object_type=kind)
        assert handle.inquire(*values) == values


@rows(
    (MQOT.Q, "Q", MQOO.SET, [MQIA.Q_TYPE], MQRC.NOT_OPEN_FOR_INQUIRE),
    (MQOT.Q, "Q", MQOO.INQUIRE, [MQIA.Q_TYPE, 1999], MQRC.SELECTOR_ERROR),
    (MQOT.Q, "Q", MQOO.INQUIRE, [0], MQRC.SELECTOR_ERROR),
    (MQOT.Q, "Q", MQOO.INQUIRE, [MQIA.TRIGGER_INTERVAL], MQRC.SELECTOR_ERROR),
    (MQOT.Q, "Q", MQOO.INQUIRE, [MQIA.HIGH_Q_DEPTH], MQRC.SELECTOR_ERROR),
    (MQOT.Q, "Q", MQOO.INQUIRE, [MQIA.Q_TYPE] * 257, MQRC.SELECTOR_LIMIT_EXCEEDED),
    (MQOT.Q_MGR, "", MQOO.INQUIRE, [MQIA.Q_TYPE], MQRC.SELECTOR_ERROR),
    (MQOT.Q_MGR, "", MQOO.INQUIRE, [MQCA.INITIAL_KEY], MQRC.SELECTOR_ERROR),
    (MQOT.PROCESS, "SYSTEM.DEFAULT.PROCESS", MQOO.INQUIRE, [MQCA.Q_NAME], MQRC.SELECTOR_ERROR),
)
def test_m5_what_mqinq_refuses(
    connection: Connection,
    kind: int,
    name: str,
    options: int,
    asked: list[int],
    reason: int,
) -> None:
    handle = connection.open(name, options, object_type=kind)
    assert reason_of(lambda: handle.inquire(*asked)) == reason


def test_m5_no_selector_and_256_of_them(connection: Connection) -> None:
    handle = connection.open("Q", MQOO.INQUIRE)
    assert handle.inquire() == {}
    assert handle.inquire(*[MQIA.Q_TYPE] * 256) == {MQIA.Q_TYPE: 1}


def test_a_handle_that_was_closed_answers_2019(connection: Connection) -> None:
    handle = connection.open("Q", MQOO.INQUIRE)
    handle.close()
    assert reason_of(lambda: handle.inquire(MQIA.Q_TYPE)) == MQRC.HOBJ_ERROR


def test_m5_values_are_those_of_now_and_of_no_unit_of_work(
    qmgr: QueueManager,
    connection: Connection,
) -> None:
    change(qmgr, QLOCAL, "Q", {"PUT": "ENABLED"})
    handle = connection.open("Q", MQOO.INQUIRE | MQOO.OUTPUT | MQOO.INPUT_SHARED)
    handle.put([Message(b"1"), Message(b"2")], PutMessageOptions(MQPMO.SYNCPOINT))
    counts = (MQIA.CURRENT_Q_DEPTH, MQIA.OPEN_INPUT_COUNT, MQIA.OPEN_OUTPUT_COUNT)
    assert handle.inquire(*counts) == dict(zip(counts, (2, 1, 1), strict=True))
    connection.back()
    second = connection.open("A", MQOO.OUTPUT)
    change(qmgr, QLOCAL, "Q", {"DESCR": "altered"})
    selectors = (*counts, MQCA.Q_DESC)
    assert handle.inquire(*selectors) == dict(zip(selectors, (0, 1, 2, "altered"), strict=True))
    second.close()
    assert handle.inquire(MQIA.OPEN_OUTPUT_COUNT) == {MQIA.OPEN_OUTPUT_COUNT: 1}


def test_a_depth_event_that_has_come_is_switched_off(qmgr: QueueManager) -> None:
    create(
        qmgr,
        QLOCAL,
        "D",
        {"MAXDEPTH": 1, "QDPHIEV": "ENABLED", "QDPMAXEV": "DISABLED", "QSVCIEV": "HIGH"},
    )
    change_queue_manager(qmgr, {"PERFMEV": "ENABLED"})
    selectors = (
        MQIA.Q_DEPTH_HIGH_EVENT,
        MQIA.Q_DEPTH_LOW_EVENT,
        MQIA.Q_DEPTH_MAX_EVENT,
        MQIA.Q_SERVICE_INTERVAL_EVENT,
    )
    with qmgr.connect() as connection:
        handle = connection.open("D", MQOO.INQUIRE | MQOO.OUTPUT)
        assert list(handle.inquire(*selectors).values()) == [1, 0, 0, 1]
        handle.put(Message(b"x"))
        assert list(handle.inquire(*selectors).values()) == [0, 1, 1, 1]


def test_an_object_changed_with_force_answers_2041(
    qmgr: QueueManager,
    connection: Connection,
) -> None:
    handle = connection.open("A", MQOO.INQUIRE)
    change(qmgr, QALIAS, "A", {"TARGET": "X"}, force=True)
    assert reason_of(lambda: handle.inquire(MQIA.Q_TYPE)) == MQRC.OBJECT_CHANGED


def test_a_queue_manager_that_ended_answers_2009(qmgr: QueueManager) -> None:
    handle = qmgr.connect().open("SYSTEM.DEFAULT.LOCAL.QUEUE", MQOO.INQUIRE)
    qmgr.end(immediate=True)
    assert reason_of(lambda: handle.inquire(MQIA.Q_TYPE)) == MQRC.CONNECTION_BROKEN


# Another program: opens the queue for input and output, and kills itself.
_PROGRAM = """
import os, sys
from mqsc.store.constants import MQOO
from mqsc.store.client.store import open_store
connection = open_store(sys.argv[1]).queue_manager("QM1").connect()
handle = connection.open("Q", MQOO.INPUT_SHARED | MQOO.OUTPUT)
os.kill(os.getpid(), 9)
"""


def test_handles_of_a_dead_program_are_not_counted(
    qmgr: QueueManager,
    connection: Connection,
) -> None:
    ended = run_program(_PROGRAM, f"sqlite:///{qmgr.store.path}")
    assert (ended.returncode, ended.stderr) == (-9, "")
    handle = connection.open("Q", MQOO.INQUIRE)
    counts = (MQIA.OPEN_INPUT_COUNT, MQIA.OPEN_OUTPUT_COUNT)
    assert handle.inquire(*counts) == dict.fromkeys(counts, 0)


def test_a_queue_deleted_meanwhile_is_gone(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        first = connection.open("SYSTEM.DEFAULT.MODEL.QUEUE", MQOO.OUTPUT, dynamic_name="D")
        handle = connection.open("D", MQOO.INQUIRE)
        first.close()
        assert reason_of(lambda: handle.inquire(MQIA.Q_TYPE)) == MQRC.Q_DELETED


QUEUE, PROCESS, NAMELIST, QUEUE_MANAGER = map(
    selectors_of,
    ("queue", "process", "namelist", "qmgr"),
)
TABLES: dict[str, Mapping[int, Selector]] = {
    **dict.fromkeys(("QLOCAL", "QMODEL", "QALIAS", "QREMOTE"), QUEUE),
    **{"PROCESS": PROCESS, "NAMELIST": NAMELIST, "QMGR": QUEUE_MANAGER},
}
# Attributes without a selector: facts about clusters, new attributes without a documented number,
# and secrets.
WITHOUT = set(
    "PSID TPIPE OTELPCTL OTELTRAC CLUSDATE CLUSTIME CLUSQMGR CLUSQT AUTHEVSC INITKEY KEYRPWD".split(),
)
WITHOUT_IN_A_KIND = {("QLOCAL", "QMID"), ("QALIAS", "QMID"), ("NAMELIST", "NAMCOUNT")}
# The name of an object is not one of its attributes.
NAMES = {"QUEUE", "PROCESS", "NAMELIST"}
DATES = {"ALTDATE": 12, "CRDATE": 12, "ALTTIME": 8, "CRTIME": 8}


def asked() -> Iterator[tuple[str, Attribute]]:
    return (
        (kind, row) for kind in TABLES for row in KINDS[kind].attributes.values() if not row.option
    )


def test_every_attribute_has_a_selector_and_every_selector_an_attribute() -> None:
    missing = {
        (kind, row.keyword)
        for kind, row in asked()
        if row.keyword not in {selector.keyword for selector in TABLES[kind].values()}
        and row.keyword not in WITHOUT
    }
    assert missing == WITHOUT_IN_A_KIND
    known = {row.keyword for _, row in asked()} | NAMES
    assert {row.keyword for table in TABLES.values() for row in table.values()} <= known


@pytest.mark.parametrize("kind", TABLES)
def test_no_two_selectors_share_a_number_or_an_attribute(kind: str) -> None:
    rows = list(TABLES[kind].values())
    assert all(number == row.number for number, row in TABLES[kind].items())
    several = [row for row in rows if row.keyword == "NAMES"]
    assert len({row.keyword for row in rows}) == len(rows) - max(0, len(several) - 1)


def test_every_word_has_a_number() -> None:
    unnumbered = [
        (kind, row.keyword, word)
        for kind, row in asked()
        for selector in TABLES[kind].values()
        if selector.keyword == row.keyword
        and not selector.length
        and not isinstance(row.type, Number)
        for word in ((row.type.of if isinstance(row.type, Items) else row.type).words)
        if word not in selector.words
        and (row.keyword, word) != ("TYPE", "QCLUSTER")
        and word != "Q"
    ]
    assert unnumbered == []


def test_every_text_has_the_length_of_its_field() -> None:
    wrong = [
        (kind, row.keyword, selector.length)
        for kind, row in asked()
        for selector in TABLES[kind].values()
        if selector.keyword == row.keyword
        and selector.length
        and selector.length
        != (DATES.get(row.keyword) or getattr(row.type, "length", selector.length))
    ]
    assert wrong == []


def test_numbers_and_texts_lie_in_their_ranges() -> None:
    for table in TABLES.values():
        for row in table.values():
            assert (1 <= row.number <= 2000) if not row.length else (2001 <= row.number <= 4000), (
                row
            )
            assert row.not_applicable == ("*" * row.length if row.length else -1)


def test_what_mqset_can_change_and_how_it_refuses() -> None:
    assert {row.keyword: row.refusal for row in QUEUE.values() if row.refusal} == {
        **dict.fromkeys(("GET", "PUT", "DISTL"), 2020),
        **{"TRIGGER": 2075, "TRIGTYPE": 2078, "TRIGDPTH": 2076, "TRIGMPRI": 2077, "TRIGDATA": 2006},
    }
    assert not any(
        row.refusal for table in (PROCESS, NAMELIST, QUEUE_MANAGER) for row in table.values()
    )


def test_every_selector_has_a_value_of_its_kind(qmgr: QueueManager) -> None:
    with qmgr.connect() as connection:
        handle = connection.open("", MQOO.INQUIRE, object_type=MQOT.Q_MGR)
        values = handle.inquire(*QUEUE_MANAGER)
    wrong = {
        row.keyword: values[number]
        for number, row in QUEUE_MANAGER.items()
        if isinstance(values[number], str) is not bool(row.length)
        or values[number] == row.not_applicable != -1
    }
    assert wrong == {}
