"""Which hosts, channels and queue managers a program of IBM's clients finds here, and the errors for
others.

The settings travel in one environment variable, so that programs which the program starts find the
same.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence

import msgspec

from mqsc.store.constants import MQRC
from mqsc.store.rules.channel.connection_name import addresses, map_key

# Holds the settings as JSON.
VARIABLE = "MQSC_CLIENT_SETTINGS"
REFUSE_TLS = "refuse"
IGNORE_TLS = "ignore"
TLS = (REFUSE_TLS, IGNORE_TLS)


class SettingError(ValueError):
    """A setting that cannot be read; its text says what would be right."""


class KnownQueueManager(msgspec.Struct, frozen=True):
    """A queue manager as programs name it: with the channels and hosts by which they reach it.

    No channels, or no hosts: any. Hosts are lower case and with their port.
    """

    name: str
    channels: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()


class ClientSettings(msgspec.Struct, frozen=True):
    """What programs find; without queue managers every host and channel leads to the store.

    `list_name` and `tls_name` are how the person who runs the program writes the two settings.
    """

    queue_managers: tuple[KnownQueueManager, ...] = ()
    tls: str = REFUSE_TLS
    list_name: str = "--connection of `mqsc client`"
    tls_name: str = "`mqsc client --tls ignore`"


class ConnectionRequest(msgspec.Struct, frozen=True):
    """What a program asks for: blank for what it does not name."""

    queue_manager: str
    channel: str = ""
    connection_name: str = ""
    cipher_spec: str = ""


class RefusedConnection(msgspec.Struct, frozen=True):
    """Why a program is not connected: MQ's reason code, and a sentence on the setting."""

    reason: int
    sentence: str


def as_text(settings: ClientSettings) -> str:
    """The value of the environment variable."""
    return msgspec.json.encode(settings).decode()


def from_text(text: str) -> ClientSettings:
    """The settings in the environment variable, which may be empty; SettingError."""
    if not text:
        return ClientSettings()
    try:
        return msgspec.json.decode(text, type=ClientSettings)
    except msgspec.DecodeError as error:
        raise SettingError(f"{VARIABLE} cannot be read: {error}") from error


def known_queue_manager(words: Iterable[str]) -> KnownQueueManager:
    """The queue manager that these words describe: its name, and channel=NAME, host=NAME(PORT).

    Either may be a list with commas, and be repeated. SettingError.
    """
    name, *others = words
    if "=" in name:
        raise SettingError(f"write the name of the queue manager before {name}")
    channels: list[str] = []
    hosts: list[str] = []
    for word in others:
        key, _, value = word.partition("=")
        if key == "channel" and value:
            channels += filter(None, value.split(","))
        elif key == "host" and value:
            hosts += [map_key(each.text) for each in addresses(value)]
        else:
            raise SettingError(
                f"{word} is not a setting of {name}; there are channel=NAME and host=NAME(PORT)",
            )
    return KnownQueueManager(name, tuple(channels), tuple(hosts))


def words_of(line: str) -> list[str]:
    """The words of a line of settings, with quotes as in a shell; SettingError."""
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise SettingError(f"{line}: {error}") from error
    if not words:
        raise SettingError("the name of a queue manager is missing")
    return words


def reached(settings: ClientSettings, asked: ConnectionRequest) -> str | RefusedConnection:
    """The name of the queue manager that the program reaches, blank for the default one, or why
    there is none.
    """
    if asked.cipher_spec and settings.tls == REFUSE_TLS:
        return RefusedConnection(
            int(MQRC.SSL_INITIALIZATION_ERROR),
            f"the program asks for TLS ({asked.cipher_spec}), which the store does not have; "
            f"{settings.tls_name} connects it without",
        )
    is_client = bool(asked.channel or asked.connection_name)
    if not is_client or not settings.queue_managers:
        return asked.queue_manager
    hosts = [map_key(each.text) for each in addresses(asked.connection_name)]
    there = [each for each in settings.queue_managers if _is_at(each, hosts)]
    if not there:
        return _other_host(settings, asked)
    found = _named(there, asked.queue_manager)
    if found is None and not any(each.hosts for each in there):
        # The store knows whether there is one of that name.
        return asked.queue_manager
    if found is None:
        return RefusedConnection(
            int(MQRC.Q_MGR_NAME_ERROR),
            f"{asked.queue_manager} is not at {asked.connection_name}, only "
            f"{_listed(each.name for each in there)}; name the host in the line of "
            f"{asked.queue_manager} in {settings.list_name}",
        )
    if asked.channel and found.channels and asked.channel not in found.channels:
        return RefusedConnection(
            int(MQRC.UNKNOWN_CHANNEL_NAME),
            f"{found.name} has no channel {asked.channel}, only {_listed(found.channels)}; "
            f"write channel={asked.channel} in the line of {found.name} in {settings.list_name}",
        )
    return found.name


def unknown_name(settings: ClientSettings, name: str, existing: Sequence[str]) -> str:
    """The sentence for a queue manager that the store does not have."""
    there = f", only {_listed(existing)}" if existing else ""
    return (
        f"the store has no queue manager {name}{there}; "
        f"name it in {settings.list_name}, or create it with `mqsc qmgr create {name}`"
    )


def _is_at(known: KnownQueueManager, hosts: Sequence[str]) -> bool:
    return not known.hosts or not hosts or any(each in known.hosts for each in hosts)


def _named(there: Sequence[KnownQueueManager], name: str) -> KnownQueueManager | None:
    """The one of that name; for a blank name the first, those with hosts of their own before."""
    if not name:
        return min(there, key=lambda each: not each.hosts)
    return next((each for each in there if each.name == name), None)


def _other_host(settings: ClientSettings, asked: ConnectionRequest) -> RefusedConnection:
    known = settings.queue_managers
    hosts = _listed(dict.fromkeys(host for each in known for host in each.hosts))
    name = asked.queue_manager or known[0].name
    return RefusedConnection(
        int(MQRC.HOST_NOT_AVAILABLE),
        f"no queue manager of the store is at {asked.connection_name}, only at {hosts}; write "
        f"host={asked.connection_name} in the line of {name} in {settings.list_name}",
    )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
