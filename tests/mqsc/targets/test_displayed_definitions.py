"""What DISPLAY shows over REST, as MQSC."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from mqsc.store.catalog import KINDS
from mqsc.targets.displayed_definitions import definition_line, is_defined_there
from mqsc.targets.target import TargetError


@pytest.mark.parametrize(
    ("kind", "values", "lines"),
    [
        (
            "QLOCAL",
            {"DESCR": "it's) DELETE(X", "QUEUE": "A", "TYPE": "QLOCAL", "CURDEPTH": 3},
            ["DEFINE QLOCAL('A') DESCR('it''s) DELETE(X')"],
        ),
        (
            "QLOCAL",
            {"QUEUE": "A", "TRIGGER": "YES", "SHARE": "NO", "HARDENBO": "NOHARDENBO"},
            ["DEFINE QLOCAL('A') TRIGGER NOSHARE NOHARDENBO"],
        ),
        # What is no word of MQSC stays in its parentheses.
        (
            "QLOCAL",
            {"QUEUE": "A", "GET": "X) PUT(DISABLED", "NEW": ["A", "b c"], "new": 1, "A B": 1},
            ["DEFINE QLOCAL('A') GET('X) PUT(DISABLED') NEW(A,'b c')"],
        ),
        (
            "QLOCAL",
            {"QUEUE": "A", "DESCR": "a\nDELETE QLOCAL(B)"},
            ["* DESCR has a value that MQSC cannot express", "DEFINE QLOCAL('A')"],
        ),
        ("NAMELIST", {"NAMELIST": "N", "NAMES": "A"}, ["DEFINE NAMELIST('N') NAMES('A')"]),
        (
            "CHANNEL",
            {"DESCR": "", "PASSWORD": "x", "CHANNEL": "C", "CHLTYPE": "SDR"},
            ["DEFINE CHANNEL('C') CHLTYPE(SDR) DESCR(' ') PASSWORD('********')"],
        ),
        ("CHANNEL", {"CHANNEL": "C", "PASSWORD": ""}, ["DEFINE CHANNEL('C')"]),
        (
            "TOPIC",
            {"TOPIC": "SYSTEM.BASE.TOPIC", "TOPICSTR": "", "PUB": "ENABLED"},
            ["ALTER TOPIC('SYSTEM.BASE.TOPIC') PUB(ENABLED)"],
        ),
        (
            "CHLAUTH",
            {"USERLIST": ["a"], "CHLAUTH": "*", "TYPE": "BLOCKUSER"},
            ["SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('a') ACTION(REPLACE)"],
        ),
        (
            "AUTHREC",
            {"PROFILE": "SELF", "OBJTYPE": "QMGR", "ENTTYPE": "GROUP", "ENTITY": "g"},
            ["SET AUTHREC OBJTYPE(QMGR) GROUP('g') AUTHADD(NONE)"],
        ),
    ],
)
def test_what_is_shown_is_written(
    kind: str,
    values: Mapping[str, object],
    lines: list[str],
) -> None:
    assert [*definition_line(KINDS[kind], values)] == lines


def test_a_flag_in_another_form_is_refused() -> None:
    with pytest.raises(TargetError, match="mqweb shows TRIGGER as MAYBE, which is not known"):
        [*definition_line(KINDS["QLOCAL"], {"QUEUE": "A", "TRIGGER": "MAYBE"})]


def test_what_programs_made_is_no_definition() -> None:
    assert not is_defined_there({"QUEUE": "T", "TYPE": "QLOCAL", "DEFTYPE": "TEMPDYN"})
    assert is_defined_there({"QUEUE": "M", "TYPE": "QMODEL", "DEFTYPE": "TEMPDYN"})
    assert not is_defined_there({"SUB": "S", "SUBTYPE": "API"})
    assert is_defined_there({"SUB": "S", "SUBTYPE": "ADMIN"})
