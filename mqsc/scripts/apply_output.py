"""What `mqsc apply` would do, or did, as text and as JSON."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence

import click

from mqsc.apply.planning import ApplyPlan
from mqsc.console.json_output import print_json
from mqsc.console.options import Choices
from mqsc.console.plan_output import as_row, lines_of, shown
from mqsc.console.terminal import columns, is_terminal, printable
from mqsc.plan import CHANGING, Action, Planned

_DONE = {Action.CREATE: "created", Action.UPDATE: "updated", Action.DELETE: "deleted"}
_PROBLEMS = frozenset({Action.ERROR, Action.KEPT, Action.DIFFERS})


def print_rows(choices: Choices, rows: Sequence[Planned], *, done: bool, details: bool = True) -> None:
    """Print a row for each object: the plan, or what was `done`. With --quiet only the problems."""
    if print_json(choices.format, (as_row(row, done=done) for row in rows)):
        return
    shown = [row for row in rows if row.action in _PROBLEMS] if choices.quiet else rows
    width, terminal = columns(), is_terminal(sys.stdout)
    for row in shown:
        for text in lines_of(row, done=done, details=details, width=width):
            for line in text.split("\n"):
                click.echo(printable(line) if terminal else line)


def print_summary(choices: Choices, qmgr: str, plan: ApplyPlan, *, done: bool, none: str = "") -> None:
    """How many objects are concerned, and the changed default objects that they start from, on stderr.

    `none` is what `mqsc diff`, which only tells differences, says of no rows.
    """
    counts = Counter(row.action for row in plan.rows)
    words = {action: _DONE.get(action, action.value) if done else action.value for action in Action}
    counted = [f"{counts[action]} {words[action]}" for action in Action if counts[action]]
    ending = "" if none or any(counts[action] for action in (*CHANGING, Action.ERROR)) else "; nothing to change"
    choices.inform(f"mqsc: {'' if none else f'{qmgr}: '}{', '.join(counted) or none or 'no definitions'}{ending}")
    for each in plan.changed_defaults:
        changes = ", ".join(f"{word} {shown(old)} -> {shown(new)}" for word, (old, new) in each.changes.items())
        choices.inform(
            f"mqsc: {qmgr}: definitions start from {each.kind}({each.name}), which was changed, by no file: {changes}"
        )
