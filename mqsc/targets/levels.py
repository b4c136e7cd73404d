"""Attributes that queue managers of older levels do not have (targets §3).

A level in levels.csv is the first one that may have the attribute, of continuous delivery too: what
is below it certainly does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from msgspec.structs import replace

from mqsc.plan import Action, Planned
from mqsc.scripts.declarations import DeclaredCommand, removes
from mqsc.scripts.planning import ApplyPlan
from mqsc.scripts.selection import EVERYTHING, Selection
from mqsc.store.table import table
from mqsc.targets.reading import TargetState


@cache
def levels() -> Mapping[tuple[str, str], int]:
    """The first level that may have an attribute, by kind and keyword."""
    rows = table(__file__, "levels.csv", ("kind", "keyword", "level"))
    return {(row["kind"], row["keyword"]): int(row["level"]) for row in rows}


def check_level(
    plan: ApplyPlan,
    statements: Iterable[DeclaredCommand],
    state: TargetState,
    selection: Selection = EVERYTHING,
) -> ApplyPlan:
    """The plan with an error for each command of the files that the level of the target refuses.

    If the level is not known, a line on stderr names the attributes that may be too new.
    """
    newer = [*_newer(statements, selection)]
    if not newer:
        return plan
    level, name = state.level, state.target.name
    if not level:
        words = sorted({f"{word} ({needed})" for _, word, needed in newer})
        state.choices.inform(
            f"mqsc: the level of {name} is not known; these need one: {', '.join(words)}",
        )
        return plan
    errors = [
        _refused(statement, f"{word} needs command level {needed}, and {name} has {level}")
        for statement, word, needed in newer
        if needed > level
    ]
    return replace(plan, rows=(*plan.rows, *errors))


def _newer(
    statements: Iterable[DeclaredCommand],
    selection: Selection,
) -> Iterator[tuple[DeclaredCommand, str, int]]:
    """The definitions among the commands that have an attribute for which a level is known."""
    for statement in statements:
        request = statement.request
        if request is None or not statement.is_definition or removes(request):
            continue
        kind = request.kinds[0].keyword
        if not selection.has(kind, request.name):
            continue
        for word in request.attributes:
            if (kind, word) in levels():
                yield statement, word, levels()[kind, word]


def _refused(statement: DeclaredCommand, sentence: str) -> Planned:
    answered, request = statement.answered, statement.request
    assert request is not None
    return Planned(
        answered.file,
        answered.line,
        answered.command,
        Action.ERROR,
        request.kinds[0].keyword,
        request.name,
        message_id="AMQ8405I",
        text=sentence,
    )
