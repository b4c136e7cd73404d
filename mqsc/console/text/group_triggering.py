"""What each member of a queue-sharing group decides about a shared queue, as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mqsc.console.tables import aligned
from mqsc.console.terminal import wrapped

if TYPE_CHECKING:
    from store.admin.group_trigger_explanation import MemberView, SharedInputHandle
    from store.admin.trigger_explanation import TriggerExplanation

_HEADINGS = ("MEMBER", "INPUT", "ELSEWHERE", "DECIDES BY", "C4", "INITQ", "PUT TRIGGERS")


def member_lines(found: TriggerExplanation, width: int) -> Iterator[str]:
    """A table of the members, or a paragraph for each if the table is too wide; then the handles that matter."""
    rows = [_cells(each) for each in found.members]
    table = [*aligned([_HEADINGS, *rows])]
    if max(map(len, table)) <= width:
        yield from table
    else:
        for name, *cells in rows:
            own, elsewhere, criteria, c4, initq, outcome = cells
            said = f"{name}: input here {own}, elsewhere {elsewhere}; decides by {criteria}; C4 {c4}; INITQ {initq}"
            yield from wrapped(f"{said}; a put now triggers: {outcome}", width, hanging="      ")
    for handle in found.input_handles:
        yield from wrapped(_handle(handle), width, hanging="      ")


def _cells(view: MemberView) -> tuple[str, ...]:
    exclusive = view.exclusive_anywhere
    elsewhere = "exclusive" if exclusive and not view.own_input else ("yes" if view.input_elsewhere else "no")
    own = f"{view.own_input} exclusive" if exclusive and view.own_input else str(view.own_input)
    criteria = f"{view.trigger_type}, TRIGMPRI({view.trigger_priority})"
    initq = f"{'shared' if view.initq_is_shared else 'own'}, IPPROCS({view.monitors})" if view.initq_exists else "none"
    c4 = "met" if view.allowed else "unmet"
    return view.member, own, elsewhere, f"{criteria}{' relaxed' if view.relaxed else ''}", c4, initq, _outcome(view)


def _outcome(view: MemberView) -> str:
    if view.would_trigger:
        return "yes"
    return f"no: {', '.join(f'C{number}' for number in view.obstacles)}" if view.obstacles else "no: another does"


def _handle(handle: SharedInputHandle) -> str:
    mode, effect = "shared", f"relaxes {' and '.join(handle.relaxes)}" if handle.relaxes else "relaxes no member"
    if handle.exclusive:
        mode, effect = "exclusive", "no member triggers"
    return (
        f"Open for {mode} input on {handle.member}: application {handle.application}, user {handle.user}, "
        f"process {handle.process_id}, connection {handle.connection}; {effect}"
    )
