"""Lint rules on channels and listeners."""

from collections.abc import Iterator

from mqsc.diagnostic import Violation
from mqsc.lint.lint_rule import lint_rule
from mqsc.lint.scripts import DefinedObject, Scripts, is_shipped
from mqsc.store.catalog import KINDS, types

DEFAULT_PORT = 1414
_CALLING = KINDS["CHANNEL"].attributes["CONNAME"].required_for


@lint_rule("MQSC-C35", "note", "object", "Listener that is never started")
def never_started(listener: DefinedObject, scripts: Scripts) -> Iterator[Violation]:
    """The default is CONTROL(MANUAL): after a restart of the queue manager nobody can connect until
    someone starts the listener.

    Bad:
        DEFINE LISTENER(L) TRPTYPE(TCP) PORT(1415)

    Good:
        DEFINE LISTENER(L) TRPTYPE(TCP) PORT(1415) CONTROL(QMGR)
    """
    # CONTROL(MANUAL) is the default.
    control = listener.attributes.get("CONTROL")
    is_started = (listener.kind.keyword, listener.name) in scripts.started
    if (
        listener.kind.keyword == "LISTENER"
        and listener.known
        and control is None
        and not is_started
    ):
        message = (
            f"{listener.name} does not start with the queue manager, so nobody can connect after a "
            "restart"
        )
        yield Violation(
            listener.location,
            message,
            "CONTROL(QMGR), or CONTROL(MANUAL) if that is intended",
        )


@lint_rule("MQSC-C36", "warning", "scripts", "Two listeners on one port")
def shared_port(scripts: Scripts) -> Iterator[Violation]:
    """The second listener does not start. Without PORT, or with PORT(0), the port is 1414.

    Bad:
        DEFINE LISTENER(L) TRPTYPE(TCP) CONTROL(QMGR)
        DEFINE LISTENER(M) TRPTYPE(TCP) PORT(1414) CONTROL(QMGR)

    Good:
        DEFINE LISTENER(L) TRPTYPE(TCP) CONTROL(QMGR)
        DEFINE LISTENER(M) TRPTYPE(TCP) PORT(1415) CONTROL(QMGR)
    """
    first: dict[tuple[str, object, object], DefinedObject] = {}
    for listener in scripts.of_kind("LISTENER"):
        if not listener.known or listener.get("TRPTYPE") != "TCP":
            continue
        port = listener.get("PORT") or DEFAULT_PORT
        key = (listener.location.file, listener.get("IPADDR"), port)
        other = first.setdefault(key, listener)
        if other is not listener:
            message = (
                f"{listener.name} and {other.name} (line {other.location.line}) both listen on "
                f"port {port}"
            )
            yield Violation(listener.location_of("PORT"), message, "another PORT")


@lint_rule("MQSC-C45", "warning", "object", "Address that cannot be read")
def unreadable_address(channel: DefinedObject, scripts: Scripts) -> Iterator[Violation]:
    """MQ accepts any CONNAME. If a parenthesis or a comma is missing, or if it is blank, the
    channel fails when it starts, or uses another port. Servers need none.

    Bad:
        DEFINE CHANNEL(C) CHLTYPE(RQSTR) CONNAME('host(1414')

    Good:
        DEFINE CHANNEL(C) CHLTYPE(RQSTR) CONNAME('host(1414)')
    """
    # MQ finds out when the channel starts.
    address = channel.get("CONNAME") if channel.kind.keyword == "CHANNEL" else None
    if address:
        if types.is_list_of_addresses(str(address)):
            return
        message = f"the addresses of {channel.name} cannot be read: {address}"
    else:
        if address is None or channel.get("CHLTYPE") not in _CALLING or is_shipped(channel.name):
            return
        message = f"{channel.name} has no address"
    yield Violation(
        channel.location_of("CONNAME"),
        message,
        "CONNAME('host(1414)'), several with commas between",
    )
