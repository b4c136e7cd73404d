"""`mqsc channel map`: what the host names in connection names lead to."""

import re
from pathlib import Path

import click

from mqsc.cli.qmgr import print_table
from mqsc.console.options import Choices, command, confirm
from mqsc.console.target import CommandFailedError, opened_store
from mqsc.store.admin.channel.hosts import hosts, map_host, unmap_host
from mqsc.store.client.store import Store
from mqsc.store.client.store_url import path_of
from mqsc.store.rules.channel.connection_name import Address, addresses, map_key
from mqsc.store.rules.names import is_object_name

# A name, an IPv4 or an IPv6 address.
_HOST_AND_PORT = re.compile(
    r"(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?|[0-9a-f:.]+(?:%[a-z0-9._-]+)?)\([0-9]{1,5}\)",
)
TARGETS = "QM2, local(QM2), sqlite:///other.db(QM2)"


@command("map")
@click.argument("host", required=False, metavar="[ADDRESS]")
@click.argument("target", required=False, metavar="[TARGET]")
@click.option("--remove", is_flag=True, help="Remove ADDRESS from the map.")
def map_(choices: Choices, host: str | None, target: str | None, remove: bool) -> None:
    """Map ADDRESS, a host name as CONNAME has it, to TARGET; without arguments, show the map.

    ADDRESS is for example 'mq.example.com(1414)'; 1414 is the default port. TARGET is a queue
    manager of this store, such as QM2 or local(QM2), or of another one, such as
    sqlite:///other.db(QM2). The map is for all queue managers of the store; a channel uses it at
    its next start or retry.
    """
    if target is not None and remove:
        raise click.UsageError("--remove takes an ADDRESS, but no TARGET.")
    if host is None:
        if remove:
            raise click.UsageError("--remove needs the ADDRESS to remove.")
        _list_entries(choices)
        return
    key = _key(host)
    if remove:
        _remove(choices, key)
    elif target is None:
        raise click.UsageError(f"Missing TARGET, for example {TARGETS}.")
    else:
        _add_entry(choices, key, target)


def _key(text: str) -> str:
    mapped = addresses(text)
    if len(mapped) != 1:
        raise click.UsageError(f"{text!r} is not one address; write HOST or HOST(PORT).")
    key = map_key(mapped[0].text)
    if not mapped[0].is_host or not _HOST_AND_PORT.fullmatch(key):
        raise click.UsageError(f"{text!r} is not a network address; write HOST or HOST(PORT).")
    return key


def _add_entry(choices: Choices, key: str, target: str) -> None:
    found = addresses(target)
    where = found[0] if len(found) == 1 else Address(target, is_host=True)
    named = is_object_name(where.queue_manager) if where.queue_manager or not where.store else True
    if not named:
        raise click.UsageError(
            f"{target!r} does not name a queue manager or a store; write one of {TARGETS}.",
        )
    with opened_store(choices) as store:
        stands_for = _absolute(choices, store, where)
        map_host(store, key, stands_for)
    confirm(f"{key} is mapped to {stands_for}")


def _absolute(choices: Choices, store: Store, where: Address) -> str:
    """The target in a form that means the same in every folder; a target that is not there yet
    is pointed out.
    """
    if not where.store:
        if where.queue_manager not in (row.name for row in store.queue_managers()):
            choices.inform(
                f"mqsc: there is no queue manager {where.queue_manager} in this store yet",
            )
        return f"local({where.queue_manager})"
    path = path_of(where.store)
    if path is None:
        raise click.UsageError(f"{where.store} is not a file; write sqlite:///PATH(QMGR).")
    if not Path(path).exists():
        choices.inform(f"mqsc: there is no store {path} yet")
    name = f"({where.queue_manager})" if where.queue_manager else ""
    return f"sqlite:///{path}{name}"


def _remove(choices: Choices, key: str) -> None:
    with opened_store(choices) as store:
        if not unmap_host(store, key):
            raise CommandFailedError(f"{key} is not mapped")
    confirm(f"{key} is not mapped any more")


def _list_entries(choices: Choices) -> None:
    with opened_store(choices._replace(only_reads=True)) as store:
        mapped_hosts = hosts(store)
    print_table(choices, ("ADDRESS", "TARGET"), mapped_hosts, "no address is mapped")
