"""`mqsc user`, `mqsc auth status`, `mode` and `os-groups`: users, groups, and whether
authorities are enforced.
"""

import sys
from collections.abc import Sequence

import click

from mqsc.cli.qmgr import print_table
from mqsc.console.agreement import is_agreed
from mqsc.console.json_rows import print_data
from mqsc.console.object_names import GROUP, USER, ObjectName
from mqsc.console.options import Choices, command, confirm
from mqsc.console.parameters import iso, iso_or_none
from mqsc.console.target import FAILED, NothingRunError, failing, opened_queue_manager, opened_store
from mqsc.console.terminal import is_terminal, print_line, printable
from mqsc.console.text.reasons import counted
from mqsc.http.contract import READER_ROLE
from mqsc.store.admin import authority, user_accounts
from mqsc.store.error import UserAccountError
from mqsc.store.rules.authorization import AUTO, ENFORCE, EVERYBODY, OFF, WARN

HEADINGS = ("NAME", "ADMINISTRATOR", "GROUPS", "CREATED", "CHANGED")


@command()
@click.argument("name")
@click.option(
    "--administrator",
    is_flag=True,
    help="An administrator, who needs a password with CHCKLOCL(REQDADM) or CHCKCLNT(REQDADM).",
)
@click.option(
    "--reader",
    is_flag=True,
    help="One who may only read over HTTP (mqsc serve --http): a member of MQWebAdminRO.",
)
@click.option(
    "--group",
    "groups",
    multiple=True,
    metavar="NAME",
    help="Make the user a member; repeatable.",
)
def add(
    choices: Choices,
    name: str,
    administrator: bool,
    reader: bool,
    groups: Sequence[str],
) -> None:
    """Add the user NAME, with a password from the terminal or the first line of standard input."""
    if administrator and reader:
        raise click.UsageError("give --administrator or --reader")
    if reader:
        groups = (*groups, READER_ROLE)
    with opened_store(choices) as store, failing(UserAccountError):
        # Before anybody types a password.
        user_accounts.check_new_name(store, name)
        before = user_accounts.enforcing(store)
        user_accounts.add_user(store, name, _password(), administrator=administrator, groups=groups)
        begins = [each for each in user_accounts.enforcing(store) if each not in before]
    confirm(f"The user {printable(name)} was added.")
    if begins:
        choices.inform(
            f"mqsc: the store has users now, so {', '.join(begins)} asks programs of others than "
            "you for authorities"
            " (mode auto); `mqsc auth mode warn` only records what would be refused",
        )


@command("groups")
@click.argument("name", type=ObjectName(USER), required=False)
@click.option(
    "--add",
    "add_to",
    multiple=True,
    metavar="GROUP",
    help="A group to join; repeatable.",
)
@click.option(
    "--remove",
    "remove_from",
    type=ObjectName(GROUP, is_filter=True),
    multiple=True,
    metavar="GROUP",
    help="A group to leave; repeatable.",
)
def change_groups(
    choices: Choices,
    name: str | None,
    add_to: Sequence[str],
    remove_from: Sequence[str],
) -> None:
    """List the groups and their members, or change and show those of the user NAME.

    A change acts at the next connect, open or command.
    """
    if name is None:
        if add_to or remove_from:
            raise click.UsageError("name the user whose groups change")
        with opened_store(choices._replace(only_reads=True)) as store:
            members_of_groups = user_accounts.groups(store)
        print_table(
            choices,
            ("GROUP", "MEMBERS"),
            [(group, " ".join(members)) for group, members in members_of_groups.items()],
            "there are no groups; `mqsc user groups NAME --add GROUP` makes one",
        )
        return
    with opened_store(choices) as store, failing(UserAccountError):
        if add_to or remove_from:
            user_accounts.change_groups(store, name, add_to, remove_from)
        else:
            user_accounts.check_existing_name(store, name)
        own = [group for group, members in user_accounts.groups(store).items() if name in members]
    confirm(f"{printable(name)} is in {', '.join(map(printable, [*own, EVERYBODY]))}.")


@command()
@click.argument("name", type=ObjectName(USER))
def change_password(choices: Choices, name: str) -> None:
    """Give the user NAME another password, from the terminal or the first line of standard
    input.
    """
    with opened_store(choices) as store, failing(UserAccountError):
        user_accounts.check_existing_name(store, name)
        user_accounts.change_password(store, name, _password())
    confirm(f"The password of {printable(name)} was changed.")


@command()
@click.argument("name", type=ObjectName(USER))
@click.option("--yes", "-y", is_flag=True, help="Do not ask for confirmation.")
def remove(choices: Choices, name: str, yes: bool) -> int:
    """Remove the user NAME. Connections that the user has made stay. On a terminal, a question
    comes first.
    """
    with opened_store(choices) as store, failing(UserAccountError):
        user_accounts.check_existing_name(store, name)
        number = sum(name in members for members in user_accounts.groups(store).values())
        what = f"the user {printable(name)}, a member of {counted(number, 'group')}"
        if not is_agreed(f"Remove {what}?", yes=yes):
            return FAILED
        user_accounts.remove_user(store, name)
    confirm(f"The user {printable(name)} was removed.")
    return 0


@command("list", reads=True)
def list_users(choices: Choices) -> None:
    """List the users of the store, without anything about their passwords."""
    with opened_store(choices) as store:
        users, members_of_groups = user_accounts.users(store), user_accounts.groups(store)
    member_of = {
        each.name: " ".join(
            name for name, members in members_of_groups.items() if each.name in members
        )
        for each in users
    }
    dates = {each.name: (iso(each.created_at), iso(each.changed_at)) for each in users}
    rows = [
        (each.name, each.administrator, member_of[each.name], *dates[each.name]) for each in users
    ]
    print_table(choices, HEADINGS, rows, "there are no users; `mqsc user add NAME` adds one")


def _password() -> str:
    if is_terminal(sys.stdin):
        return str(click.prompt("Password", hide_input=True, confirmation_prompt="Again", err=True))
    try:
        line = sys.stdin.readline() if sys.stdin is not None else ""
    except UnicodeDecodeError as error:
        raise NothingRunError("the password is not UTF-8") from error
    if not line:
        raise NothingRunError("standard input has no password; its first line is taken")
    return line.rstrip("\r\n")


MEANINGS = {
    (AUTO, ""): "the store has no user and no group, so nothing is refused",
    (AUTO, ENFORCE): "the store has users or groups, so authorities are enforced",
    (ENFORCE, ENFORCE): "authorities are enforced",
    (WARN, WARN): "nothing is refused; the history records what would be",
    (OFF, OFF): "no authority is asked for; CONNAUTH and CHLAUTH still act",
}


@command(reads=True)
def status(choices: Choices) -> None:
    """Show the mode, users, groups and records, the administrators, and who can write the
    store's file.
    """
    with opened_queue_manager(choices) as qmgr:
        overview = authority.status(qmgr)
    row = {**overview._asdict(), "last_refusal": iso_or_none(overview.last_refusal)}
    if print_data(choices.format, [row]):
        return
    print_line(f"{overview.qmgr}: mode {overview.mode}: {MEANINGS[overview.mode, overview.acts]}")
    print_line(f"administrators: {', '.join(overview.administrators)}")
    counting = "count" if overview.os_groups else "do not count"
    counts = {"user": overview.users, "group": overview.groups, "record": overview.records}
    print_line(", ".join(counted(number, what) for what, number in counts.items()))
    print_line(f"groups of the operating system {counting}")
    print_line(f"last refusal: {row['last_refusal'] or 'none'}")
    others = "; users other than its owner can write it" if overview.file_mode & 0o022 else ""
    print_line(f"{overview.file}: {overview.owner or '?'}, mode {overview.file_mode:04o}{others}")
    print_line("Anyone who can write the file can do everything, whatever the records say.")


@command("mode")
@click.argument("mode", type=click.Choice(("auto", "enforce", "warn", "off")))
def set_mode(choices: Choices, mode: str) -> None:
    """Set whether authorities are enforced.

    auto enforces them as soon as the store has a user or a group; enforce always does; warn refuses
    nothing, and the history records what would be refused; off asks for no authority, but CONNAUTH
    and CHLAUTH act.
    """
    with opened_queue_manager(choices, group=False) as qmgr:
        user_accounts.set_mode(qmgr, mode)
        acts = authority.status(qmgr).acts
    confirm(f"{qmgr.name}: mode {mode}: {MEANINGS[mode, acts]}.")


@command("os-groups")
@click.argument("state", type=click.Choice(("on", "off")))
def os_groups(choices: Choices, state: str) -> None:
    """Let the groups of the operating system's user of the same name count (on) or not (off, the
    default).

    They are read once, and again after REFRESH SECURITY.
    """
    with opened_queue_manager(choices, group=False) as qmgr:
        user_accounts.set_os_groups(qmgr, on=state == "on")
    confirm(
        f"{qmgr.name}: groups of the operating system "
        f"{'count' if state == 'on' else 'do not count'}.",
    )
