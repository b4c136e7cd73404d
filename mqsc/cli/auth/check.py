"""`mqsc auth check`: advice on authority records, channels and channel authentication records."""

from __future__ import annotations

from mqsc.console.json_rows import print_rows
from mqsc.console.options import Choices, command
from mqsc.console.target import FAILED, opened_queue_manager
from mqsc.console.text.authority import mqsc_of
from mqsc.store.admin import ineffective_records, unanswerable_requests
from mqsc.targets.on_target import on_target


@command(reads=True)
@on_target
def check(choices: Choices) -> int:
    """Check the authority records, channels and channel authentication records of a queue manager.

    The advice is that of `mqsc check` on an export. It names records without effect, and reply
    queues of messages on queues to which users that may get these messages may not put. Exit code
    10 if there is any.
    """
    from mqsc.lint.rules import FUNCTION_RULES, access, authority
    from mqsc.lint.script_check import ScriptCheck
    from mqsc.scripts.export import ExportSelection, export_commands
    from mqsc.scripts.export_output import script_lines

    with opened_queue_manager(choices) as qmgr, ScriptCheck() as checked:
        checked.read(script_lines(export_commands(qmgr, ExportSelection())))
        more = (
            access.channel_authentication_off,
            access.passwords_not_checked,
            access.acts_as_administrator,
            access.blocks_nobody,
        )
        rules = {
            each.rule_id
            for each in FUNCTION_RULES
            if each.check in more or each.check.__module__ == authority.__name__
        }
        findings = [
            (each.rule_id, each.severity, each.text)
            for each in checked.diagnostics()
            if each.rule_id in rules
        ]
        for what, cure in unanswerable_requests.unanswerable(qmgr):
            kind, entity = cure.entity
            findings.append(("", "note", f"{kind}('{entity}') may not {what}; {mqsc_of(cure)}"))
        for grant, why in ineffective_records.without_effect(qmgr):
            kind, entity = grant.entity
            text = f"PROFILE({grant.profile}) OBJTYPE({grant.type}) {kind}('{entity}') {why}"
            findings.append(("", "note", text))
    rows = (dict(zip(("rule", "severity", "text"), each, strict=True)) for each in findings)
    finding_lines = (
        f"{severity}{f' {rule_id}' if rule_id else ''}: {text}"
        for rule_id, severity, text in findings
    )
    print_rows(choices.format, rows, finding_lines)
    if not findings:
        choices.inform("mqsc: nothing was found")
    return FAILED if findings else 0
