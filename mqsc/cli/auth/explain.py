"""`mqsc auth explain`: what a user may do and needs, and why not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from mqsc.cli.auth.refusals import explain_recorded
from mqsc.console.json_rows import print_data, print_rows
from mqsc.console.object_names import DESTINATION, USER, GivenName, ObjectName, remember_name
from mqsc.console.options import Choices, command
from mqsc.console.target import FAILED, NothingRunError, failing, opened_queue_manager
from mqsc.console.terminal import print_line, printable
from mqsc.console.text.authority import (
    HANGING,
    OPERATIONS,
    doing,
    doubled,
    line_of,
    lines,
    mqsc_of,
    open_options,
)
from mqsc.store.admin import authority_explanation, command_authority
from mqsc.store.error import MQError
from mqsc.store.mqi.client_channel import record_asks
from mqsc.store.mqi.password_check import PasswordAsked, password_asked
from mqsc.store.rules import channel_auth, opening, wanted_authorities
from mqsc.targets.on_target import on_target

if TYPE_CHECKING:
    from mqsc.store.client.queue_manager import QueueManager


@command(reads=True)
@click.argument("user", type=ObjectName(USER, is_filter=True), required=False)
@click.argument("what", nargs=-1)
@click.option("--connect", is_flag=True, help="Whether the user may connect.")
@click.option(
    "--channel",
    type=ObjectName("channel", is_filter=True, is_exact=True),
    metavar="NAME",
    help="With --connect: as a client on this channel.",
)
@click.option(
    "--alternate-user",
    type=ObjectName(USER, is_filter=True),
    metavar="NAME",
    help="AlternateUserId of the open.",
)
@click.option("--last", is_flag=True, help="Explain the last refusal, or the last one of USER.")
@click.option(
    "--refusal",
    type=int,
    metavar="SEQ",
    help="Explain the refusal with this event number.",
)
@click.option(
    "--object-qmgr",
    type=ObjectName(DESTINATION),
    default="",
    metavar="NAME",
    help="ObjectQMgrName of the open.",
)
@click.option(
    "--address",
    default="127.0.0.1",
    show_default=True,
    help="With --channel: where the client is.",
)
@click.option(
    "--type",
    "type_",
    type=click.Choice(("queue", "process", "namelist", "qmgr")),
    default="queue",
    show_default=True,
    help="Type of object.",
)
@on_target
def explain(
    choices: Choices,
    user: str | None,
    what: Sequence[str],
    connect: bool,
    channel: str | None,
    alternate_user: str | None,
    last: bool,
    refusal: int | None,
    object_qmgr: str,
    address: str,
    type_: str,
) -> int:
    """Say whether USER may do WHAT, which records decide, and which command would change that;
    nothing changes.

    WHAT is an object and operations (ORDERS put), an MQSC command in quotes, or, with --connect,
    nothing. Operations are put, put1, get, browse, inq, set, passid, passall, setid, setall, names
    of MQOO, or their sum. Exit code 0 if the user may, and may connect; 10 if not, or if CONNAUTH
    or CHLAUTH refuses the user; 20 if there is no such object. Only administrators may ask about
    others than themselves.
    """
    with opened_queue_manager(
        choices,
        for_users=user is not None and user == choices.user_name(),
    ) as qmgr:
        if last or refusal is not None:
            return explain_recorded(choices, qmgr, user, refusal)
        if user is None or bool(what) == connect:
            raise click.UsageError(
                "name a user and an object with an operation, or --connect, --last or --refusal",
            )
        if connect:
            return _explain_connect(choices, qmgr, user, channel, address)
        if len(what) == 1 and " " in what[0].strip():
            return _explain_command(choices, qmgr, user, what[0])
        if len(what) < 2 and type_ != "qmgr":
            raise click.UsageError(
                f"what should {user} do with {what[0]}? One of {', '.join(OPERATIONS)}",
            )
        name, *words = what
        if type_ != "qmgr":
            remember_name(GivenName(name, type_, click.get_current_context()))
        with failing(ValueError, click.UsageError):
            options = open_options(words or ["inq"])
        if alternate_user is not None:
            options |= opening.ALTERNATE_USER_AUTHORITY
        place = f"{name} at {object_qmgr}" if object_qmgr else name or "the queue manager"
        reason, wanted = authority_explanation.authorities_to_open_by_name(
            qmgr, (name, object_qmgr), options, type_.upper()
        )
        if reason:
            from mqsc.console.text.reasons import error_text

            text = error_text(MQError(reason, place))
            raise NothingRunError(f"{text} So 2035 is not the reason.")
        judged = authority_explanation.judge(qmgr, user, wanted, alternate_user)
        code = _print(
            choices,
            qmgr,
            judged,
            doing(words or ["inq"], place),
            _asked_instead(wanted, name),
        )
        connecting = authority_explanation.judge(qmgr, user, wanted_authorities.CONNECT)
        if choices.format in (None, "text"):
            _print_connect(user, connecting, also=not judged.allowed)
        return code if connecting.allowed else FAILED


def _print_connect(user: str, judged: authority_explanation.Judged, *, also: bool) -> None:
    """What the user lacks before it can open anything."""
    for cure in judged.cures:
        text = f"{printable(user)} may not connect{' either' if also else ''}: {mqsc_of(cure)}"
        print_line(line_of("then" if also else "but", text), HANGING)


def _asked_instead(wanted: Sequence[wanted_authorities.Wanted], name: str) -> str:
    """The note if another object than the one named is asked."""
    asked = next((each.name for each in wanted if each.type == "QUEUE"), name)
    if asked == name:
        return ""
    return f"messages to another queue manager go to the transmission queue {asked}, so it is asked"


def _print(
    choices: Choices,
    qmgr: QueueManager,
    judged: authority_explanation.Judged,
    what: str,
    instead: str = "",
) -> int:
    """Print a verdict; the exit code."""
    code = 0 if judged.allowed else FAILED
    row = {
        "user": judged.who.user,
        "doing": what,
        "allowed": judged.allowed,
        "mode": judged.mode or "none",
        "administrator": judged.who.is_administrator,
        "groups": [*judged.who.groups],
        "asked": [each.history_text for each in judged.wanted],
        "missing": [each.history_text for each in judged.missing],
        "notes": [*judged.notes],
        "cures": [mqsc_of(each) for each in judged.cures],
    }
    print_rows(choices.format, [row], lines(qmgr.name, judged, what, instead), HANGING)
    return code


def _explain_command(choices: Choices, qmgr: QueueManager, user: str, text: str) -> int:
    from mqsc.language.refusal import CommandRefusal
    from mqsc.script import commands_in, read_request
    from mqsc.verbs.permission import needed, object_type, wanted_by
    from mqsc.verbs.permissions import Subject

    line = next(iter(commands_in([text])), None)
    if line is None:
        raise NothingRunError("there is no command in it")
    request = read_request(line)
    if isinstance(request, CommandRefusal):
        raise NothingRunError(f"{printable(text)!r} is not a command: {request.sentence}")
    wanted = wanted_by(request, lambda type, name: command_authority.exists(qmgr, type, name))
    if needed(request)[0] is Subject.ROWS:
        wanted.append(wanted_authorities.Wanted(object_type(request), request.name, "DSP"))
    named = f"({request.name})" if request.name else ""
    return _print(
        choices,
        qmgr,
        authority_explanation.judge(qmgr, user, wanted),
        f"{request.verb} {request.noun}{named}",
    )


def _explain_connect(
    choices: Choices,
    qmgr: QueueManager,
    user: str,
    channel: str | None,
    address: str,
) -> int:
    by_record = ""
    named_user = user
    if channel is not None:
        client = channel_auth.ConnectingClient(channel, address, user=user)
        verdict = authority_explanation.judge_client(qmgr, client)
        if verdict is None:
            choices.inform(
                f"mqsc: no channel of type SVRCONN is named {channel}, or no record is asked: it "
                "does not matter",
            )
        elif verdict.refused:
            said = {
                "allowed": False,
                "user": user,
                "refused": verdict.refused,
                "channel": channel,
            }
            if not print_data(choices.format, [said]):
                print_line(
                    f"REFUSED 2035: the channel {channel} is blocked for {printable(verdict.user)} "
                    f"({verdict.refused}).",
                )
                record = verdict.record or {}
                print_line(
                    line_of("rule", f"CHLAUTH({record.get('CHLAUTH')}) TYPE({record.get('TYPE')})"),
                    HANGING,
                )
                map_to = (
                    f"SET CHLAUTH({channel}) TYPE(USERMAP) CLNTUSER('{doubled(user)}') "
                    "USERSRC(MAP) MCAUSER('app')"
                )
                print_line(
                    line_of("cure", f"connect as a user who is no administrator, or {map_to}"),
                    HANGING,
                )
                print_line(line_of("not", "CHLAUTH(DISABLED): it would let everybody in"))
            return FAILED
        else:
            user, by_record = verdict.user, record_asks(qmgr, named_user, verdict)
    password = password_asked(qmgr, named_user, client=channel is not None, by_record=by_record)
    if password.by and not (password.exists and password.usable):
        _print_without_password(choices, qmgr, named_user, password)
        return FAILED
    code = _print(
        choices,
        qmgr,
        authority_explanation.judge(qmgr, user, wanted_authorities.CONNECT),
        f"connect to {qmgr.name}",
    )
    if password.by and choices.format in (None, "text"):
        text = f"{password.by} asks for the password of {printable(named_user)}"
        print_line(line_of("note", text), HANGING)
    return code


def _print_without_password(
    choices: Choices,
    qmgr: QueueManager,
    user: str,
    password: PasswordAsked,
) -> None:
    """The refusal of a user whose password cannot be right."""
    said = {"allowed": False, "user": user, "refused": "password"}
    if print_data(choices.format, [said]):
        return
    shown = printable(user)
    print_line(f"REFUSED 2035: {shown} may not connect to {qmgr.name}.")
    if not password.usable:
        print_line(line_of("why", "CONNAUTH names no AUTHINFO object of type IDPWOS"), HANGING)
        return
    why = f"{password.by} asks for a password, and the store does not know {shown}"
    print_line(line_of("why", why), HANGING)
    print_line(line_of("cure", f"mqsc user add {shown}"))
