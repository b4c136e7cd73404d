"""Every numbered row of the specification has a scenario with its id, or a reason why not."""

from __future__ import annotations

import re

import pytest

from tests.scenarios.pages import headings
from tests.source import ROOT

SPECIFICATION = ROOT / "docs" / "development" / "specification"

# Rows without a page: the test module that covers them, or the reason why there is no test.
ELSEWHERE = {
    "E19": "test_mqi",
    "E26": "test_sharing_members",
    "E27": "test_sharing_members",
    "E28": "test_sharing_members",
    "E29": "test_channels",
    "E30": "test_channels",
    "E36": "the dead-letter queue handler",
    "E37": "the dead-letter queue handler",
    "E39": "test_waiting",
    "E43": "another reading of A5",
    "E44": "another reading of A5",
    "X15": "test_waiting",
    "K5": "DB2",
    "K6": "another platform",
    "B18": "DB2",
    **{f"B{number}": "test_consuming, with kills" for number in (35, 36, 41)},
    "V04": "test_in_doubt, with kills",
    "T22": "test_triggering",
    "T50": "test_triggering",
    **{f"T{number}": "the page group_triggering" for number in (54, 55, 56)},
    "T57": "the trigger monitor",
    "T58": "the trigger monitor",
    "T59": "the trigger monitor",
    "T60": "the trigger monitor",
    "P13": "test_triggering",
}
TRIGGERING = (
    "triggering_puts",
    "triggering_close",
    "triggering_changes",
    "triggering_monitors",
    "triggering_messages",
)
# (file of the specification, pattern of the ids in the first column of its tables, pages with their
# scenarios)
ROWS = [
    ("expiry-backout-channels.md", r"E\d+", ("expiry",)),
    ("expiry-backout-channels.md", r"X\d+", ("expiry_discard",)),
    ("expiry-backout-channels.md", r"B\d+", ("backout", "poison")),
    ("expiry-backout-channels.md", r"J\d+", ("poison",)),
    ("poison-and-channels.md", r"B\d+", ("poison",)),
    ("poison-and-channels.md", r"V\d+", ("in_doubt",)),
    ("expiry-backout-channels.md", r"K\d+", ("skip_backout",)),
    ("triggering.md", r"T\d+", TRIGGERING),
    ("triggering.md", r"P\d+", TRIGGERING),
    ("streaming.md", r"Q\d+", ("streaming",)),
    ("triggering.md", r"\*\*O-[A-Z-]+\*\*", TRIGGERING),
]


@pytest.mark.parametrize(("file", "pattern", "pages"), ROWS)
def test_every_row_has_a_scenario(file: str, pattern: str, pages: tuple[str, ...]) -> None:
    rows = [row.strip("*") for row in re.findall(rf"(?m)^\| *({pattern}) *\|", text_of(file))]
    played = {
        id for page in pages for heading in headings(page) for id in re.split(r"[ ,:]+", heading)
    }

    assert len(rows) >= 5
    assert [row for row in rows if row not in played] == [row for row in rows if row in ELSEWHERE]


# Tables of the calls by section of mqi-semantics.md: None to count the rows of the table there, a
# number where the section is prose, or the ids of the rows.
TABLES: dict[str, int | tuple[str, ...] | None] = {
    "1": None,
    "2.1": None,
    "2.2": None,
    "2.3": 9,
    "2.4": 5,
    "3.1": (
        *(
            "Report",
            "MsgType",
            "Expiry",
            "Feedback",
            "Encoding",
            "CodedCharSetId",
            "Format",
            "Priority",
        ),
        *(
            "Persistence",
            "MsgId",
            "CorrelId",
            "BackoutCount",
            "ReplyToQ",
            "ReplyToQMgr",
            "identity",
        ),
    ),
    "3.2": None,
    "3.3": None,
    "3.4": 5,
    "4.1": None,
    "4.2": 7,
    "4.4": None,
    "4.5": 6,
    "6": 8,
    "7": 5,
    "9": (
        "expiration",
        "COA",
        "COD",
        "PAN",
        "exception",
        "activity",
        "ids",
        "fields",
        "disposition",
        "destination",
    ),
}
# Rows that cannot occur here, with the reason.
NEVER = {
    "M1-2": "every connection is independent",
    "M1-7": "no authority is enforced, connections are not limited",
    "M1-10": "the queue manager never backs out a unit of work of a running program",
    "M2.3-8": "no authority is enforced",
    "M3.3-4": "data has no negative length",
    "M3.3-9": "the queue manager never backs out a unit of work of a running program",
    "M3.3-10": "syncpoint is always supported",
}
# Sections without tables, which have tests of their own.
SECTIONS = ("M4.3", "M5", "M8", "M11", "M12")


def test_every_row_of_the_calls_has_a_scenario() -> None:
    played = _ids_of_pages() | _ids_of_tests()
    wanted = [
        f"M{section}-{row}" for section, rows in TABLES.items() for row in _row_ids(section, rows)
    ]

    assert [row for row in wanted if row not in played] == list(NEVER)
    assert [
        section
        for section in SECTIONS
        if section not in {each.partition("-")[0] for each in played}
    ] == []


def test_every_trap_has_a_scenario() -> None:
    traps = [f"M13-{number}" for number in re.findall(r"(?m)^(\d+)\. ", section_of("13"))]
    played = {re.split(r"[ ,]", heading)[0] for heading in headings("mqi_traps")}

    assert len(traps) == 25
    assert [trap for trap in traps if trap not in played] == []


def test_every_scenario_of_shared_triggering_is_played() -> None:
    wanted = {f"S{number}" for number in range(29, 43)}
    assert wanted <= set(re.findall(r"(?m)^\| (S\d+) \|", text_of("sharing.md")))
    played = {
        id for heading in headings("group_triggering") for id in re.findall(r"[ST]\d\d", heading)
    }
    assert wanted | {"T54", "T55", "T56"} <= played


def test_every_row_of_the_events_has_a_test() -> None:
    rows = re.findall(r"(?m)^\| (N\d+) \|", text_of("events.md"))
    source = "".join(
        path.read_text("utf-8") for path in (ROOT / "tests" / "scenarios").glob("test_events*.py")
    )
    played = {each.upper() for each in re.findall(r"(?m)^def test_(n\d\d)_", source)}
    played |= {each[:3] for each in headings("events")}

    assert len(rows) == 43
    assert [row for row in rows if row not in played] == []


def text_of(file: str) -> str:
    return (SPECIFICATION / file).read_text("utf-8")


def section_of(number: str) -> str:
    """Return the text of a section of mqi-semantics.md."""
    found = re.search(
        rf"(?ms)^##+ {re.escape(number)}\.? .*?(?=^##|\Z)",
        text_of("mqi-semantics.md"),
    )
    assert found is not None, f"no section {number}"
    return found.group()


def _row_ids(section: str, rows: int | tuple[str, ...] | None) -> tuple[str, ...]:
    if isinstance(rows, tuple):
        return rows
    if rows is None:
        # Minus the heading of the table and the line under it.
        rows = sum(line.startswith("|") for line in section_of(section).splitlines()) - 2
    return tuple(str(number) for number in range(1, rows + 1))


def _ids_of_pages() -> set[str]:
    pages = ("mqi_open", "mqi_put", "mqi_get", "mqi_groups", "mqi_units", "mqi_reports")
    return {re.split(r"[ ,]", heading)[0] for page in pages for heading in headings(page)}


def _ids_of_tests() -> set[str]:
    """`test_m1_6_a_quiescing…` has the id M1-6, `test_m4_3_…` the id M4.3 or M4-3."""
    found = set()
    # Properties have ids of the same form.
    others = {"test_properties.py", "test_selectors.py"}
    for path in (each for each in (ROOT / "tests").rglob("test_*.py") if each.name not in others):
        for section, row in re.findall(
            r"(?m)^def test_m(\d+)_(?:(\d+)_)?",
            path.read_text("utf-8"),
        ):
            found |= {f"M{section}-{row}", f"M{section}.{row}"} if row else {f"M{section}"}
    return found


def test_every_scenario_of_authority_is_in_a_test() -> None:
    """By its id in the name of a test, or in a row of one, or it does not apply here."""
    tests = (path for path in (ROOT / "tests").rglob("*.py") if path.name != "test_completeness.py")
    source = "".join(
        re.sub(r'"""(?:[^"]|"(?!""))*"""', "", path.read_text("utf-8"), count=1) for path in tests
    )
    source += (ROOT / "docs" / "not-applicable.md").read_text("utf-8")
    found = {int(each) for each in re.findall(r"(?i)(?<![a-z\d])z(\d{2,3})(?!\d)", source)}
    assert set(range(1, 119)) - found == set()


# Files of the specification, the ids of their scenarios, how many there are, and the tests that
# carry them in their names or parameters.
IN_TESTS = [
    (
        ("expiry-backout-channels.md", "poison-and-channels.md"),
        "H",
        50,
        "scenarios/test_channel* scenarios/pages/c*",
    ),
    (("pcf.md",), "F", 43, "mqsc/pcf/test_*"),
    (("properties.md",), "M", 50, "scenarios/test_properties.py scenarios/test_selectors.py"),
    (("callbacks.md",), "A", 20, "scenarios/test_callbacks.py scenarios/test_asynchronous_puts.py"),
]


@pytest.mark.parametrize(("files", "letter", "count", "patterns"), IN_TESTS)
def test_every_scenario_is_in_a_test(
    files: tuple[str, ...],
    letter: str,
    count: int,
    patterns: str,
) -> None:
    specified = {
        id for file in files for id in re.findall(rf"(?m)^\| ({letter}\d+) \|", text_of(file))
    }
    files_of_tests = [path for each in patterns.split() for path in (ROOT / "tests").glob(each)]
    # Without the docstring of the module, which names the first and the last.
    tests = "".join(path.read_text("utf-8").split('"""', 2)[-1] for path in files_of_tests)
    assert len(specified) == count
    assert (
        specified
        - {found.upper() for found in re.findall(rf"(?i)(?<![a-z\d]){letter}\d\d(?!\d)", tests)}
        == set()
    )
