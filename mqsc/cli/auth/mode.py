"""`mqsc auth status`, `mode` and `os-groups`: whether authorities are enforced, and who may do everything."""

from mqsc.console.options import Choices, command, confirm
from mqsc.console.parameters import iso
from mqsc.console.target import opened_queue_manager
from mqsc.console.terminal import print_json, print_line
from store.admin import authority, user_accounts
from store.rules.authorization import AUTO, ENFORCE, OFF, WARN

MEANINGS = {
    (AUTO, ""): "the store has no user and no group, so nothing is refused",
    (AUTO, ENFORCE): "the store has users or groups, so authorities are enforced",
    (ENFORCE, ENFORCE): "authorities are enforced",
    (WARN, WARN): "nothing is refused; the history records what would be",
    (OFF, OFF): "no authority is asked for; CONNAUTH and CHLAUTH still act",
}


@command()
def status(choices: Choices) -> None:
    """Show the mode, users, groups and records, the administrators, and who can write the store's file."""
    with opened_queue_manager(choices) as qmgr:
        found = authority.status(qmgr)
    row = {**found._asdict(), "last_refusal": found.last_refusal and iso(found.last_refusal)}
    if print_json(choices.format, [row]):
        return
    print_line(f"{found.qmgr}: mode {found.mode}: {MEANINGS[found.mode, found.acts]}")
    print_line(f"administrators: {', '.join(found.administrators)}")
    groups = "count" if found.os_groups else "do not count"
    print_line(f"{found.users} users, {found.groups} groups, {found.records} records")
    print_line(f"groups of the operating system {groups}")
    print_line(f"last refusal: {row['last_refusal'] or 'none'}")
    others = "; users other than its owner can write it" if found.file_mode & 0o022 else ""
    print_line(f"{found.file}: {found.owner or '?'}, mode {found.file_mode:04o}{others}")
    print_line("Anyone who can write the file can do everything, whatever the records say.")


@command()
def mode(choices: Choices, mode: str) -> None:
    """Set whether authorities are enforced.

    auto enforces them as soon as the store has a user or a group; enforce always does; warn refuses nothing, and the
    history records what would be refused; off asks for no authority, but CONNAUTH and CHLAUTH act.
    """
    with opened_queue_manager(choices, group=False) as qmgr:
        user_accounts.set_mode(qmgr, mode)
        acts = authority.status(qmgr).acts
    confirm(f"{qmgr.name}: mode {mode}: {MEANINGS[mode, acts]}.")


@command("os-groups")
def os_groups(choices: Choices, state: str) -> None:
    """Let the groups of the operating system's user of the same name count (on) or not (off, the default).

    They are read once, and again after REFRESH SECURITY.
    """
    with opened_queue_manager(choices, group=False) as qmgr:
        user_accounts.set_os_groups(qmgr, on=state == "on")
    confirm(f"{qmgr.name}: groups of the operating system {'count' if state == 'on' else 'do not count'}.")
