"""`mqsc auth explain`, `refused`, `matrix`, `learn`, `unused` and `check`: what users may do and
need, and why not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from mqsc.console.object_names import DESTINATION, USER, GivenName, ObjectName, remember_name
from mqsc.console.options import WITHOUT_FORMAT, Choices, command, earlier_word, format_option
from mqsc.console.parameters import Ago, PastMoment, iso
from mqsc.console.target import (
    FAILED,
    CommandFailedError,
    NothingRunError,
    failing,
    opened_queue_manager,
)
from mqsc.console.terminal import print_data, print_line, print_rows, printable
from mqsc.console.text.authority import (
    OPERATIONS,
    doing,
    doubled,
    line_of,
    lines,
    mqsc_of,
    open_options,
)
from mqsc.history.output import moment
from mqsc.language.command_table import meant
from mqsc.store.admin import authority, authority_use
from mqsc.store.error import MQError
from mqsc.store.rules import authorization, channel_auth, opening
from mqsc.store.rules.authority_profiles import SELF
from mqsc.store.rules.authorization import GROUP, PRINCIPAL
from mqsc.targets.on_target import on_target

if TYPE_CHECKING:
    from mqsc.store.admin.authority import Cure
    from mqsc.store.client.api import QueueManager


@command()
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
    of MQOO, or their sum. Exit code 0 if the user may, 10 if not, 20 if there is no such object.
    Only administrators may ask about others than themselves.
    """
    with opened_queue_manager(
        choices,
        for_users=user is not None and user == choices.user_name(),
    ) as qmgr:
        if last or refusal is not None:
            return _explain_recorded(choices, qmgr, user, refusal)
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
        reason, wanted = authority.authorities_to_open_by_name(
            qmgr, (name, object_qmgr), options, type_.upper()
        )
        if reason:
            from mqsc.console.text.reasons import error_text

            text = error_text(MQError(reason, place))
            raise NothingRunError(f"{text} So 2035 is not the reason.")
        judged = authority.judge(qmgr, user, wanted, alternate_user)
        code = _print(
            choices,
            qmgr,
            judged,
            doing(words or ["inq"], place),
            _asked_instead(wanted, name),
        )
        if choices.format in (None, "text"):
            _print_connect(qmgr, user)
        return code


def _print_connect(qmgr: QueueManager, user: str) -> None:
    """What the user lacks before it can open anything."""
    for cure in authority.judge(qmgr, user, authorization.CONNECT).cures:
        print_line(line_of("then", f"{printable(user)} may not connect either: {mqsc_of(cure)}"))


def _asked_instead(wanted: Sequence[authorization.Wanted], name: str) -> str:
    """The note if another object than the one named is asked."""
    asked = next((each.name for each in wanted if each.type == "QUEUE"), name)
    if asked == name:
        return ""
    return f"messages to another queue manager go to the transmission queue {asked}, so it is asked"


def _print(
    choices: Choices,
    qmgr: QueueManager,
    judged: authority.Judged,
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
    print_rows(choices.format, [row], lines(qmgr.name, judged, what, instead))
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
    wanted = wanted_by(request, lambda type, name: authority.exists(qmgr, type, name))
    if needed(request)[0] is Subject.ROWS:
        wanted.append(authorization.Wanted(object_type(request), request.name, "DSP"))
    named = f"({request.name})" if request.name else ""
    return _print(
        choices,
        qmgr,
        authority.judge(qmgr, user, wanted),
        f"{request.verb} {request.noun}{named}",
    )


def _explain_connect(
    choices: Choices,
    qmgr: QueueManager,
    user: str,
    channel: str | None,
    address: str,
) -> int:
    if channel is not None:
        client = channel_auth.ConnectingClient(channel, address, user=user)
        verdict = authority.judge_client(qmgr, client)
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
                )
                map_to = (
                    f"SET CHLAUTH({channel}) TYPE(USERMAP) CLNTUSER('{doubled(user)}') "
                    "USERSRC(MAP) MCAUSER('app')"
                )
                print_line(
                    line_of("cure", f"connect as a user who is no administrator, or {map_to}"),
                )
                print_line(line_of("not", "CHLAUTH(DISABLED): it would let everybody in"))
            return FAILED
        else:
            user = verdict.user
    return _print(
        choices,
        qmgr,
        authority.judge(qmgr, user, authorization.CONNECT),
        f"connect to {qmgr.name}",
    )


def _explain_recorded(
    choices: Choices,
    qmgr: QueueManager,
    user: str | None,
    number: int | None,
) -> int:
    found = authority.refused(qmgr, user=user, number=number)
    if not found:
        what = "nothing was refused" if number is None else f"event {number} is no refusal"
        raise CommandFailedError(what + (f" to {printable(user)}" if user else ""))
    last = found[0]
    print_rows(choices.format, [_refusal_row(last)], [_headline(last), *_why(qmgr, last)])
    return FAILED


def _headline(refusal: authority.RecordedRefusal) -> str:
    row, detail = refusal.event, refusal.detail
    what = f"{detail.get('call', 'MQCONN')} {detail.get('object', '')}".strip()
    times = "" if refusal.times == 1 else f", {refusal.times} times"
    channel = f", channel {detail['channel']}" if "channel" in detail else ""
    would = "WOULD BE REFUSED" if row.cause.startswith("would") else "REFUSED"
    return printable(
        f"{would} 2035 at {iso(row.at)}{times}: {row.application} as {row.user}{channel}: {what}",
    )


def _why(qmgr: QueueManager, refusal: authority.RecordedRefusal) -> Iterator[str]:
    recorded, detail = refusal.event, refusal.detail
    if recorded.cause == "password":
        asks = detail.get(
            "record",
            "CHCKLOCL or CHCKCLNT of the AUTHINFO object that CONNAUTH names",
        )
        yield line_of("why", f"the password is missing or wrong; {asks} asks for it")
        yield line_of(
            "cure",
            "give user and password in the program (MQCSP); `mqsc user list` shows the users",
        )
    elif recorded.cause in ("channel", "would-block"):
        yield line_of(
            "rule",
            f"{detail.get('record')} ({detail.get('message')}), address {detail.get('address')}",
        )
        yield line_of(
            "cure",
            f"DISPLAY CHLAUTH({detail.get('channel')}) shows the records; SET CHLAUTH changes them",
        )
    else:
        judged = authority.judge(qmgr, recorded.user, refusal.missing)
        yield from list(lines(qmgr.name, judged, "do that now"))[1:]
        if judged.allowed:
            yield line_of("now", "all of it is granted")


def _refusal_row(refusal: authority.RecordedRefusal) -> dict[str, Any]:
    row = refusal.event
    return {
        "seq": row.seq,
        "at": iso(row.at),
        "cause": row.cause,
        "user": row.user,
        "application": row.application,
        "times": refusal.times,
        **refusal.detail,
    }


@command(common=WITHOUT_FORMAT)
@click.option(
    "--since",
    type=PastMoment(),
    help="Only refusals since then, for example 1h or a time.",
)
@click.option(
    "--user",
    "who",
    type=ObjectName(USER, is_filter=True),
    metavar="NAME",
    help="Only those of this user.",
)
@format_option("mqsc")
@earlier_word("--as", now="--format")
def refused(choices: Choices, since: int | Ago | None, who: str | None) -> None:
    """List what was refused, or would have been in mode warn, with its cure: equal refusals as
    one, the last first. With --format mqsc, only the commands that cure.
    """
    with opened_queue_manager(choices) as qmgr:
        refusals = authority.refused(qmgr, moment(since, qmgr.store, choices) or 0, who)
        if choices.format == "mqsc":
            cures = [
                cure
                for each in refusals
                for cure in authority.judge(qmgr, each.event.user, each.missing).cures
            ]
            for text in dict.fromkeys(map(mqsc_of, cures)):
                print_line(text)
            return
        print_rows(choices.format, map(_refusal_row, refusals), _refusal_lines(qmgr, refusals))
    if not refusals:
        choices.inform("mqsc: nothing was refused")


def _refusal_lines(
    qmgr: QueueManager, refusals: Iterable[authority.RecordedRefusal]
) -> Iterator[str]:
    for each in refusals:
        yield _headline(each)
        yield from (
            line for line in _why(qmgr, each) if line.split()[0] in ("cure", "rule", "why", "now")
        )


@command()
@click.option("--since", type=PastMoment(), help="Only what happened since then.")
@click.option(
    "--user",
    "who",
    type=ObjectName(USER, is_filter=True),
    metavar="NAME",
    help="Only this user.",
)
def learn(choices: Choices, since: int | Ago | None, who: str | None) -> None:
    """Print the commands that grant exactly what was used while the queue manager was in mode
    warn.
    """
    with opened_queue_manager(choices) as qmgr:
        found = authority_use.learnt(qmgr, moment(since, qmgr.store, choices) or 0, who)
    print_rows(
        choices.format, (_record_row(each, "AUTHADD") for each in found), map(mqsc_of, found)
    )
    if not found:
        choices.inform("mqsc: nothing was recorded; use `mqsc auth mode warn` and run the programs")


def _record_row(record: Cure, change: str) -> dict[str, Any]:
    """A change of an authority record: what it is about, and the command."""
    kind, name = record.entity
    return {
        "type": record.type,
        "profile": record.profile,
        "entity_type": kind,
        "entity": name,
        "words": [*record.words],
        "command": mqsc_of(record, change),
    }


# Letters of the cells of the matrix.
LETTERS = {
    "CONNECT": "c",
    "GET": "g",
    "PUT": "p",
    "BROWSE": "b",
    "INQ": "i",
    "SET": "s",
    "DSP": "d",
    "PUB": "P",
    "SUB": "S",
    **dict.fromkeys(("PASSID", "PASSALL", "SETID", "SETALL", "ALTUSR"), "x"),
    **dict.fromkeys(("CHG", "CLR", "DLT", "CTRL", "CTRLX", "CRT"), "A"),
}
_LEGEND = (
    "c connect, g get, p put, b browse, i inquire, s set, d display, x context, A administration, "
    "- nothing"
)


@command()
@click.option(
    "--queue",
    "pattern",
    default="*",
    metavar="NAME",
    help="Only these objects; may end with *.",
)
@click.option(
    "--type",
    "type_",
    type=click.Choice(("queue", "topic", "process", "namelist", "channel")),
    default="queue",
    help="Type of the objects.",
)
@click.option(
    "--user",
    "users",
    type=ObjectName(USER, is_filter=True),
    multiple=True,
    metavar="NAME",
    help="Only these users; may be repeated.",
)
@click.option(
    "--by",
    type=click.Choice(("user", "group")),
    default="user",
    help="What each column is.",
)
@click.option("--who", metavar="WORD", help="List the users with this authority, for example put.")
@click.option(
    "--reach",
    type=ObjectName(USER, is_filter=True),
    metavar="NAME",
    help="List the queues that this user reaches, also through aliases.",
)
@on_target
def matrix(
    choices: Choices,
    pattern: str,
    type_: str,
    users: Sequence[str],
    by: str,
    who: str | None,
    reach: str | None,
) -> None:
    """Show what every user, or group, may do with the queue manager and each object; system
    objects only if named.
    """
    column = PRINCIPAL if by == "user" else GROUP
    with opened_queue_manager(choices) as qmgr:
        if reach is not None:
            _print_reached(choices, reach, authority_use.reached(qmgr, reach))
            return
        remember_name(GivenName(pattern, type_, click.get_current_context(), is_filter=True))
        found = authority_use.matrix(qmgr, pattern, users=users, by=column, type=type_.upper())
        admins = authority.status(qmgr).administrators
    shown = [
        row
        for row in found.rows
        if pattern.startswith("SYSTEM") or not row[0][1].startswith("SYSTEM.")
    ]
    names = [name for _, name in found.columns]
    if who is not None:
        _print_who(choices, names, shown, who.upper())
        return
    every = (
        {"type": type, "name": name, **dict(zip(names, map(sorted, words), strict=True))}
        for (type, name), words in shown
    )
    if print_data(choices.format, every):
        return
    print_line(f"administrators: {', '.join(map(printable, admins))}")
    title = [qmgr.name if name == SELF and type == "QMGR" else name for (type, name), _ in shown]
    widths = [max(len(each), 8) for each in names]
    first = max(map(len, title), default=0)
    heading = "  ".join(
        printable(name).ljust(width) for name, width in zip(names, widths, strict=True)
    )
    print_line(f"{'':<{first}}  {heading}".rstrip())
    for name, (_, words) in zip(title, shown, strict=True):
        cells = "  ".join(
            _cell(each).ljust(width) for each, width in zip(words, widths, strict=True)
        )
        print_line(f"{name:<{first}}  {cells}".rstrip())
    print_line(_LEGEND)


def _cell(words: Iterable[str]) -> str:
    found = {*words}
    return (
        "".join(dict.fromkeys(letter for word, letter in LETTERS.items() if word in found)) or "-"
    )


def _print_who(choices: Choices, names: Sequence[str], rows: Sequence[Any], word: str) -> None:
    if word not in LETTERS:
        raise click.UsageError(f"{word} is not an authority{meant(word, [*LETTERS])}")
    holders = [
        {
            "type": type,
            "name": name,
            "holders": [each for each, found in zip(names, words, strict=True) if word in found],
        }
        for (type, name), words in rows
    ]
    print_rows(choices.format, holders, map(_holders_line, holders))


def _holders_line(holders: Mapping[str, Any]) -> str:
    return f"{holders['name']}: {', '.join(holders['holders']) or 'nobody'}"


def _print_reached(
    choices: Choices, user: str, queues_reached: Sequence[authority_use.Reached]
) -> None:
    rows = ({**each._asdict(), "words": sorted(each.words)} for each in queues_reached)
    print_rows(choices.format, rows, (_reached_line(user, each) for each in queues_reached))
    if not queues_reached:
        choices.inform(f"mqsc: {printable(user)} reaches no queue")


def _reached_line(user: str, reached: authority_use.Reached) -> str:
    words = ", ".join(sorted(reached.words)).lower()
    at = f" at {reached.elsewhere}" if reached.elsewhere else ""
    through = "" if reached.name == reached.queue and not at else f" through {reached.name}"
    behind = ", and so every queue of a partner" if reached.is_transmission else ""
    return f"{user} can {words}: {reached.queue}{at}{through}{behind}"


@command()
@click.option(
    "--days",
    type=click.IntRange(min=1),
    default=30,
    show_default=True,
    help="How far back to look.",
)
def unused(choices: Choices, days: int) -> None:
    """Print the commands that take away authorities on queues that no program used: a hint, not a
    proof.

    Opens and puts count. What commands needed, such as DSP, is not recorded and never printed.
    """
    with opened_queue_manager(choices) as qmgr:
        found = authority_use.unused(qmgr, days)
    rows = (_record_row(each, "AUTHRMV") for each in found)
    print_rows(choices.format, rows, (mqsc_of(each, "AUTHRMV") for each in found))
    choices.inform(
        f"mqsc: in the last {days} days, these were not used"
        if found
        else "mqsc: all of it was used",
    )


@command()
@on_target
def check(choices: Choices) -> int:
    """Check the authority records, channels and channel authentication records of a queue manager.

    The advice is that of `mqsc check` on an export. It names records without effect, and reply
    queues of messages on queues to which users that may get these messages may not put. Exit code
    10 if there is any.
    """
    from mqsc.lint.rules import FUNCTION_RULES, authority, channels
    from mqsc.lint.script_check import ScriptCheck
    from mqsc.scripts.export import ExportSelection, export_commands
    from mqsc.scripts.export_output import script_lines

    with opened_queue_manager(choices) as qmgr, ScriptCheck() as checked:
        checked.read(script_lines(export_commands(qmgr, ExportSelection())))
        more = (
            channels.channel_authentication_off,
            channels.passwords_not_checked,
            channels.acts_as_administrator,
            channels.blocks_nobody,
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
        for what, cure in authority_use.unanswerable(qmgr):
            kind, entity = cure.entity
            findings.append(("", "note", f"{kind}('{entity}') may not {what}; {mqsc_of(cure)}"))
        for grant, why in authority_use.without_effect(qmgr):
            kind, entity = grant.entity
            text = f"PROFILE({grant.profile}) OBJTYPE({grant.type}) {kind}('{entity}') {why}"
            findings.append(("", "note", text))
    rows = (dict(zip(("rule", "severity", "text"), each, strict=True)) for each in findings)
    lines = (
        f"{severity}{' ' * bool(rule_id)}{rule_id}: {text}" for rule_id, severity, text in findings
    )
    print_rows(choices.format, rows, lines)
    if not findings:
        choices.inform("mqsc: nothing was found")
    return FAILED if findings else 0
