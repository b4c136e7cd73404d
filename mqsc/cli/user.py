"""`mqsc user`: the users of a store, whose passwords CONNAUTH checks."""

from __future__ import annotations

import sys

import click

from mqsc.console.json_output import print_json
from mqsc.console.options import Choices, command, confirm
from mqsc.console.parameter_types import iso
from mqsc.console.tables import table_lines
from mqsc.console.target import NothingRunError, failing, opened_store
from mqsc.console.terminal import columns, is_terminal, printable
from store.admin import user_accounts
from store.error import UserAccountError

HEADINGS = ("NAME", "ADMINISTRATOR", "CREATED", "CHANGED")


@command()
@click.argument("name")
@click.option(
    "--administrator",
    is_flag=True,
    help="An administrator, who needs a password with CHCKLOCL(REQDADM) or CHCKCLNT(REQDADM).",
)
def add(choices: Choices, name: str, administrator: bool) -> None:
    """Add the user NAME, with a password from the terminal or the first line of standard input."""
    with opened_store(choices) as store, failing(UserAccountError):
        # Before anybody types a password.
        user_accounts.check_new_name(store, name)
        user_accounts.add_user(store, name, _password(), administrator=administrator)
    confirm(f"The user {printable(name)} was added.")


@command()
@click.argument("name")
def change_password(choices: Choices, name: str) -> None:
    """Give the user NAME another password, from the terminal or the first line of standard input."""
    with opened_store(choices) as store, failing(UserAccountError):
        user_accounts.check_existing_name(store, name)
        user_accounts.change_password(store, name, _password())
    confirm(f"The password of {printable(name)} was changed.")


@command()
@click.argument("name")
def remove(choices: Choices, name: str) -> None:
    """Remove the user NAME. Connections that the user has made stay."""
    with opened_store(choices) as store, failing(UserAccountError):
        user_accounts.remove_user(store, name)
    confirm(f"The user {printable(name)} was removed.")


@command("list")
def list_users(choices: Choices) -> None:
    """List the users of the store, without anything about their passwords."""
    with opened_store(choices) as store:
        found = user_accounts.users(store)
    rows = [(each.name, each.administrator, iso(each.created_at), iso(each.changed_at)) for each in found]
    if print_json(choices.format, (dict(zip(map(str.lower, HEADINGS), row, strict=True)) for row in rows)):
        return
    cells = [(name, "yes" if administrator else "no", *times) for name, administrator, *times in rows]
    for line in table_lines(HEADINGS, cells, columns()):
        click.echo(line)


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
