"""Authority records as the commands of IBM's `setmqaut`, for a queue manager that is administered so."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mqsc.export.definition import Definition

_ENTITIES = {"GROUP": "-g", "PRINCIPAL": "-p"}


def setmqaut_lines(qmgr: str, records: Iterable[Definition]) -> Iterator[str]:
    """A command for every authority record, with every right that it gives; +none for one that gives nothing."""
    for record in records:
        if record.kind.keyword != "AUTHREC":
            continue
        values = record.values
        type_ = str(values["OBJTYPE"])
        named = [] if type_ == "QMGR" else ["-n", record.name]
        rights = values["AUTHLIST"] if isinstance(values["AUTHLIST"], list) else []
        entity = [_ENTITIES[str(values["ENTTYPE"])], str(values["ENTITY"])]
        given = [f"+{right.lower()}" for right in rights or ["NONE"]]
        yield shlex.join(["setmqaut", "-m", qmgr, *named, "-t", type_.lower(), *entity, *given])
