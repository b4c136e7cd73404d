"""Authority records as commands of setmqaut."""

from __future__ import annotations

import pytest

from mqsc.export.definition import Definition
from mqsc.ibm.setmqaut import setmqaut_lines
from store.catalog import KINDS, Stored


@pytest.mark.parametrize(
    ("profile", "type", "entity", "rights", "line"),
    [
        ("A.B", "QUEUE", ("GROUP", "clerks"), ["GET", "PUT"], "-n A.B -t queue -g clerks +get +put"),
        ("A.**", "TOPIC", ("PRINCIPAL", "joe"), ["SUB"], "-n 'A.**' -t topic -p joe +sub"),
        ("self", "QMGR", ("GROUP", "a b"), ["CONNECT"], "-t qmgr -g 'a b' +connect"),
        ("QM2", "RQMNAME", ("PRINCIPAL", "o'neil"), [], """-n QM2 -t rqmname -p 'o'"'"'neil' +none"""),
    ],
)
def test_a_record(profile: str, type: str, entity: tuple[str, str], rights: list[str], line: str) -> None:
    enttype, who = entity
    values: dict[str, Stored] = {"OBJTYPE": type, "ENTTYPE": enttype, "ENTITY": who, "AUTHLIST": rights}
    records = [Definition(KINDS["AUTHREC"], profile, values), Definition(KINDS["QLOCAL"], "Q", {})]
    assert [*setmqaut_lines("QM1", records)] == [f"setmqaut -m QM1 {line}"]
