"""The definitions before a period that still say something about its queues.

Tables ask whether a queue ever had ACCTQ(OFF), and for its last BOTHRESH. A dynamic queue has both
from its model: BOTHRESH as it was when the queue was created.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

from mqsc.reports.row_conditions import either, equals, has, is_in

DEFINITIONS = ("DEFINE", "ALTER")
_LASTING = '"(ACCTQ|BOTHRESH)"'
# Of events with equal values in these and in what they say about the attributes, the last one says
# all.
_ALIKE = ("qmgr", "kind", "cause", "queue", "target", "rule", "lasting")


def can_last(events: pa.Table, queues: pa.Array) -> pa.ChunkedArray:
    """Whether each definition gives a value that lasts, or is about a model or one of these queues
    of the period.
    """
    of_model = equals(events["target"], "QMODEL")
    return either(has(events["detail"], _LASTING), of_model, is_in(events["queue"], queues))


def lasting(definitions: pa.Table) -> pa.Table:
    """The last ones of definitions that are alike, and those of models that held when the dynamic
    queues among these were created. `definitions` are all of a store for which `can_last` holds.
    """
    detail = definitions["detail"]
    said = pc.if_else(has(detail, _LASTING), detail, pa.scalar(None, pa.string()))
    told = definitions.append_column("lasting", said)
    of_alike = told.group_by([*_ALIKE]).aggregate([("seq", "max")])
    last = definitions.filter(is_in(definitions["seq"], of_alike["seq_max"].combine_chunks()))
    numbers = {*last["seq"].to_pylist(), *_of_models(told, last)}
    return definitions.filter(is_in(definitions["seq"], numbers))


def _of_models(told: pa.Table, last: pa.Table) -> Iterator[int]:
    """The numbers of the last definitions of each model before a dynamic queue was created."""
    models = told.filter(equals(told["target"], "QMODEL"))
    by = ["qmgr", "queue", "kind", "lasting"]
    of_model: dict[tuple[str, str], list[list[int]]] = defaultdict(list)
    for row in models.group_by(by).aggregate([("seq", "list")]).to_pylist():
        of_model[row["qmgr"], row["queue"]].append(sorted(row["seq_list"]))
    created = last.filter(equals(last["cause"], "dynamic")).select(["qmgr", "rule", "seq"])
    for row in created.to_pylist():
        for numbers in of_model[row["qmgr"], row["rule"]]:
            yield from numbers[: bisect_left(numbers, row["seq"])][-1:]
