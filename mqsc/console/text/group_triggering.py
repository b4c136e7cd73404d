"""The decision of each member of a queue-sharing group about a shared queue, as text."""

from collections.abc import Iterator

from mqsc.console.parameters import iso
from mqsc.console.tables import aligned
from mqsc.console.terminal import wrapped
from mqsc.store.admin.group_trigger_explanation import MemberView, SharedInputHandle
from mqsc.store.admin.trigger_explanation import TriggerExplanation
from mqsc.store.admin.uncommitted_work import UncommittedWork


def holder(work: UncommittedWork) -> str:
    since = "" if work.since is None else f", since {iso(work.since)}"
    if work.in_doubt:
        return f"a unit of work of {work.in_doubt} that is in doubt, unit {work.unit}{since}"
    return (
        f"application {work.application}, user {work.user}, "
        f"{_process(work.process_id, work.process_place)}, "
        f"connection {work.connection}, unit {work.unit}{since}"
    )


def _process(number: int, place: str) -> str:
    return f"process {number} {place}".rstrip()


_HEADINGS = ("MEMBER", "INPUT", "ELSEWHERE", "DECIDES BY", "C4", "INITQ", "PUT TRIGGERS")


def member_lines(explanation: TriggerExplanation, width: int) -> Iterator[str]:
    """A table of the members, or a paragraph for each if the table is too wide; then the handles
    that matter.
    """
    rows = [_cells(each) for each in explanation.members]
    table = [*aligned([_HEADINGS, *rows])]
    if max(map(len, table)) <= width:
        yield from table
    else:
        for name, *cells in rows:
            own, elsewhere, criteria, c4, initq, outcome = cells
            said = (
                f"{name}: input here {own}, elsewhere {elsewhere}; decides by {criteria}; C4 {c4}; "
                f"INITQ {initq}"
            )
            yield from wrapped(f"{said}; a put now triggers: {outcome}", width, hanging="      ")
    for handle in explanation.input_handles:
        yield from wrapped(_handle(handle), width, hanging="      ")


def _cells(view: MemberView) -> tuple[str, ...]:
    exclusive = view.exclusive_anywhere
    elsewhere = "yes" if view.input_elsewhere else "no"
    if exclusive and not view.own_input:
        elsewhere = "exclusive"
    own = f"{view.own_input} exclusive" if exclusive and view.own_input else str(view.own_input)
    criteria = f"{view.trigger_type}, TRIGMPRI({view.trigger_priority})"
    initq = "none"
    if view.initq_exists:
        owner = "shared" if view.initq_is_shared else "own"
        initq = f"{owner}, IPPROCS({view.monitors})"
    c4 = "met" if view.allowed else "unmet"
    return (
        view.member,
        own,
        elsewhere,
        f"{criteria}{' relaxed' if view.relaxed else ''}",
        c4,
        initq,
        _outcome(view),
    )


def _outcome(view: MemberView) -> str:
    if view.would_trigger:
        return "yes"
    return (
        f"no: {', '.join(f'C{number}' for number in view.obstacles)}"
        if view.obstacles
        else "no: another does"
    )


def _handle(handle: SharedInputHandle) -> str:
    mode = "shared"
    effect = f"relaxes {' and '.join(handle.relaxes)}" if handle.relaxes else "relaxes no member"
    if handle.exclusive:
        mode, effect = "exclusive", "no member triggers"
    return (
        f"Open for {mode} input on {handle.member}: application {handle.application}, user "
        f"{handle.user}, "
        f"{_process(handle.process_id, handle.process_place)}, connection {handle.connection}; "
        f"{effect}"
    )
