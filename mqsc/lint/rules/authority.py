"""Lint rules on authority records, and on the users of channels (authority §8.6)."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from mqsc.diagnostic import Violation
from mqsc.lint.lint_rule import lint_rule
from mqsc.lint.script_command import ScriptCommand
from mqsc.lint.scripts import DefinedObject, Scripts, is_shipped
from mqsc.store.catalog import KINDS
from mqsc.store.rules.authority import changed, expanded
from mqsc.store.rules.authority_profiles import (
    CLASS,
    SELF,
    is_generic_profile,
    profile_fits,
    profile_order,
)
from mqsc.store.rules.authorization import GROUP, PRINCIPAL

_RECEIVING = ("RCVR", "RQSTR", "CLUSRCVR")
# With one of these, a user can get everything else.
_FAR_REACHING = frozenset({"ALTUSR", "CHG", "CRT", "SETALL", "SETID"})


class Granted(NamedTuple):
    """A record as the scripts leave it; `entity` is (PRINCIPAL or GROUP, name), and `command`
    the last that set it.
    """

    type: str
    profile: str
    entity: tuple[str, str]
    words: frozenset[str]
    command: ScriptCommand

    @property
    def who(self) -> str:
        """The entity as MQSC has it."""
        return f"{self.entity[0]}('{self.entity[1]}')"

    def violation(self, message: str, suggestion: str) -> Violation:
        """A violation at the command."""
        return Violation(self.command.location_of("PROFILE"), message, suggestion)


Records = dict[tuple[str, str, tuple[str, str]], Granted]


def granted(scripts: Scripts, only: str | None = None) -> Records:
    """The authority records that the scripts leave, by type, profile and entity; with `only`,
    those of that profile.
    """
    records: Records = {}
    for command in scripts.grants:
        type = str(command.attributes.get("OBJTYPE", ""))
        profile = SELF if type == "QMGR" else str(command.attributes.get("PROFILE", ""))
        for entity in _entities(command) if only in (None, profile) else ():
            key = type, profile, entity
            if command.verb == "DELETE":
                records.pop(key, None)
                continue
            had = records[key].words if key in records else frozenset[str]()
            added, taken = (
                expanded(type, _list(command, word)) or frozenset()
                for word in ("AUTHADD", "AUTHRMV")
            )
            records[key] = Granted(*key, frozenset(changed(had, added, taken)), command)
    return records


def _entities(command: ScriptCommand) -> Iterator[tuple[str, str]]:
    return ((kind, name) for kind in (PRINCIPAL, GROUP) for name in _list(command, kind))


def _list(command: ScriptCommand, keyword: str) -> list[str]:
    words = command.options.get(keyword)
    return [str(each) for each in words] if isinstance(words, list) else []


def _for_queues(records: Records) -> Callable[[str], list[Granted]]:
    """What finds the records for the queue of a name; a dump may have thousands of queues, each
    with its own record.
    """
    own, generic = defaultdict[str, list[Granted]](list), list[Granted]()
    for record in records.values():
        if record.type == "QUEUE":
            (generic if is_generic_profile(record.profile) else own[record.profile]).append(record)
    return lambda name: [
        *own.get(name, ()),
        *(each for each in generic if profile_fits(each.profile, name)),
    ]


def _held(covering: Iterable[Granted], entity: tuple[str, str]) -> frozenset[str]:
    """What the most specific of the records for an object grants to a user or group."""
    own = [grant for grant in covering if grant.entity == entity]
    return min(own, key=lambda grant: profile_order(grant.profile)).words if own else frozenset()


@lint_rule("MQSC-C47", "note", "scripts", "Authority without CONNECT")
def no_connect(scripts: Scripts) -> Iterator[Violation]:
    """A user or group that may use queues needs CONNECT on the queue manager too. Not reported if a
    group has it.

    Bad:
        SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('apps') AUTHADD(PUT)

    Good:
        SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('apps') AUTHADD(PUT)
        SET AUTHREC OBJTYPE(QMGR) GROUP('apps') AUTHADD(CONNECT,INQ)
    """
    records, seen = granted(scripts), set[tuple[str, str]]()
    connects = {
        grant.entity
        for grant in records.values()
        if grant.type == "QMGR" and "CONNECT" in grant.words
    }
    if any(kind == GROUP for kind, _ in connects):
        return
    for grant in records.values():
        if (
            grant.type == "QUEUE"
            and grant.words
            and grant.entity not in connects
            and grant.entity not in seen
        ):
            seen.add(grant.entity)
            cure = f"SET AUTHREC OBJTYPE(QMGR) {grant.who} AUTHADD(CONNECT,INQ)"
            yield grant.violation(
                f"{grant.who} may use queues, but has no CONNECT on the queue manager",
                cure,
            )


@lint_rule("MQSC-C48", "note", "scripts", "CONNECT without INQ")
def connect_without_inquire(scripts: Scripts) -> Iterator[Violation]:
    """JMS and other clients inquire the queue manager when they connect, and fail without INQ.

    Bad:
        SET AUTHREC OBJTYPE(QMGR) GROUP('apps') AUTHADD(CONNECT)

    Good:
        SET AUTHREC OBJTYPE(QMGR) GROUP('apps') AUTHADD(CONNECT,INQ)
    """
    for grant in granted(scripts).values():
        if grant.type == "QMGR" and "CONNECT" in grant.words and "INQ" not in grant.words:
            yield grant.violation(
                f"JMS clients of {grant.who} fail when they connect",
                "AUTHADD(CONNECT,INQ)",
            )


@lint_rule("MQSC-C49", "note", "scripts", "GET without INQ and BROWSE")
def get_without_inquire(scripts: Scripts) -> Iterator[Violation]:
    """Consumers of JMS inquire the queue and browse it. `consumer()` inquires it too.

    Bad:
        SET AUTHREC OBJTYPE(QMGR) GROUP('apps') AUTHADD(CONNECT,INQ)
        SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('apps') AUTHADD(GET)

    Good:
        SET AUTHREC OBJTYPE(QMGR) GROUP('apps') AUTHADD(CONNECT,INQ)
        SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('apps') AUTHADD(GET,INQ,BROWSE)
    """
    for grant in granted(scripts).values():
        # No consumer of JMS has the queues of IBM's own programs, such as the model of MQ Explorer.
        if is_shipped(grant.profile):
            continue
        if grant.type == "QUEUE" and "GET" in grant.words and not {"INQ", "BROWSE"} <= grant.words:
            yield grant.violation(
                f"consumers of JMS fail: {grant.who} lacks INQ or BROWSE",
                "AUTHADD(GET,INQ,BROWSE)",
            )


@lint_rule("MQSC-C50", "note", "scripts", "Backout queue that the consumer may not use")
def backout_queue(scripts: Scripts) -> Iterator[Violation]:
    """A consumer moves a poison message itself: it needs PUT and PASSALL on the backout queue.

    Bad:
        DEFINE QLOCAL(B)
        DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(B)
        SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('apps') AUTHADD(GET,INQ,BROWSE)

    Good:
        DEFINE QLOCAL(B)
        DEFINE QLOCAL(A) BOTHRESH(3) BOQNAME(B)
        SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('apps') AUTHADD(GET,INQ,BROWSE)
        SET AUTHREC PROFILE(B) OBJTYPE(QUEUE) GROUP('apps') AUTHADD(PUT,PASSALL)
    """
    covering = _for_queues(granted(scripts))
    for queue in scripts.of_kind("QLOCAL"):
        other = str(queue.get("BOQNAME") or "")
        for grant in covering(queue.name) if other else ():
            if "GET" in grant.words and not {"PUT", "PASSALL"} <= _held(
                covering(other),
                grant.entity,
            ):
                cure = (
                    f"SET AUTHREC PROFILE({other}) OBJTYPE(QUEUE) {grant.who} AUTHADD(PUT,PASSALL)"
                )
                yield grant.violation(
                    f"{grant.who} gets from {queue.name}, but may not put to its BOQNAME {other}",
                    cure,
                )


@lint_rule("MQSC-C51", "warning", "scripts", "Model queue without DSP")
def model_without_display(scripts: Scripts) -> Iterator[Violation]:
    """To open a model queue, a program needs DSP on it besides what it opens the dynamic queue for.

    Bad:
        DEFINE QMODEL(M)
        SET AUTHREC PROFILE(M) OBJTYPE(QUEUE) GROUP('apps') AUTHADD(GET,INQ,BROWSE)

    Good:
        DEFINE QMODEL(M)
        SET AUTHREC PROFILE(M) OBJTYPE(QUEUE) GROUP('apps') AUTHADD(GET,INQ,BROWSE,DSP)
    """
    models = {model.name for model in scripts.of_kind("QMODEL")} | {"SYSTEM.DEFAULT.MODEL.QUEUE"}
    for grant in granted(scripts).values():
        if (
            grant.type == "QUEUE"
            and grant.profile in models
            and "GET" in grant.words
            and "DSP" not in grant.words
        ):
            yield grant.violation(
                f"{grant.who} may not open the model queue {grant.profile}",
                "AUTHADD(DSP)",
            )


@lint_rule("MQSC-C52", "warning", "scripts", "Clients that may be administrators")
def anyone_is_administrator(scripts: Scripts) -> Iterator[Violation]:
    """Without MCAUSER a client is the user that it claims to be, also an administrator, unless a
    channel authentication record prevents that.

    Bad:
        ALTER QMGR CHLAUTH(DISABLED)
        DEFINE CHANNEL(A) CHLTYPE(SVRCONN)

    Good:
        ALTER QMGR CHLAUTH(DISABLED)
        DEFINE CHANNEL(A) CHLTYPE(SVRCONN) MCAUSER('app')
    """
    if scripts.qmgr is None or scripts.qmgr.get("CHLAUTH") not in ("DISABLED", "WARN"):
        return
    for channel in scripts.of_kind("CHANNEL"):
        if (
            channel.get("CHLTYPE") == "SVRCONN"
            and channel.get("MCAUSER") == ""
            and not is_shipped(channel.name)
        ):
            message = f"everyone who claims to be an administrator is one on {channel.name}"
            yield Violation(channel.location, message, "MCAUSER, or CHLAUTH(ENABLED)")


@lint_rule("MQSC-C53", "note", "object", "Partner that may put everywhere")
def partner_puts_everywhere(channel: DefinedObject, scripts: Scripts) -> Iterator[Violation]:
    """Without MCAUSER, messages from the partner are put with full authority, commands for the
    queue manager too.

    Bad:
        DEFINE CHANNEL(A) CHLTYPE(RCVR)

    Good:
        DEFINE CHANNEL(A) CHLTYPE(RCVR) MCAUSER('partner')
    """
    receives = channel.kind.keyword == "CHANNEL" and channel.get("CHLTYPE") in _RECEIVING
    mapped = any(
        record.attributes.get("USERSRC") in (None, "MAP") and record.attributes.get("MCAUSER")
        for record in scripts.records
    )
    if receives and channel.get("MCAUSER") == "" and not mapped and not is_shipped(channel.name):
        message = (
            f"the partner of {channel.name} may put to every queue, SYSTEM.ADMIN.COMMAND.QUEUE too"
        )
        yield Violation(
            channel.location,
            message,
            "MCAUSER, a user with the authority that is needed",
        )


@lint_rule("MQSC-C54", "warning", "scripts", "User of a channel lacks authority")
def channel_user_lacks(scripts: Scripts) -> Iterator[Violation]:
    """The MCAUSER of a receiving channel needs CONNECT and SETALL on the queue manager, ALTUSR with
    PUTAUT(CTX), and SETALL on each queue that it puts to. Not reported for a user without any
    record.

    Bad:
        DEFINE CHANNEL(A) CHLTYPE(RCVR) MCAUSER('partner')
        SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('partner') AUTHADD(CONNECT,INQ)

    Good:
        DEFINE CHANNEL(A) CHLTYPE(RCVR) MCAUSER('partner')
        SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('partner') AUTHADD(CONNECT,INQ,SETALL)
    """
    records = granted(scripts)
    for channel in scripts.of_kind("CHANNEL"):
        entity = PRINCIPAL, str(channel.get("MCAUSER") or "")
        is_receiving = channel.get("CHLTYPE") in _RECEIVING
        own = [grant for grant in records.values() if is_receiving and grant.entity == entity]
        if not own:
            continue
        needed = {"CONNECT", "SETALL", *(["ALTUSR"] if channel.get("PUTAUT") == "CTX" else [])}
        lacks = sorted(needed - _held((grant for grant in own if grant.type == "QMGR"), entity))
        if lacks:
            cure = f"SET AUTHREC OBJTYPE(QMGR) {own[0].who} AUTHADD({','.join(lacks)})"
            yield Violation(
                channel.location_of("MCAUSER"),
                f"{entity[1]} lacks authority on the queue manager",
                cure,
            )
        for grant in own:
            if grant.type == "QUEUE" and "PUT" in grant.words and "SETALL" not in grant.words:
                yield grant.violation(
                    f"{channel.name} puts with all context, which {entity[1]} may not",
                    "AUTHADD(SETALL)",
                )


@lint_rule("MQSC-C55", "note", "scripts", "Far-reaching authority")
def far_reaching(scripts: Scripts) -> Iterator[Violation]:
    """Who may create objects, name another user or set context, or use the queues of the queue
    manager itself, can get everything else. Not reported for the users of channels.

    Bad:
        SET AUTHREC PROFILE('@class') OBJTYPE(QUEUE) GROUP('apps') AUTHADD(CRT)
        SET AUTHREC OBJTYPE(QMGR) GROUP('apps') AUTHADD(CONNECT,INQ)

    Good:
        SET AUTHREC OBJTYPE(QMGR) GROUP('apps') AUTHADD(CONNECT,INQ)
    """
    users = {channel.get("MCAUSER") for channel in scripts.of_kind("CHANNEL")}
    users |= {record.attributes.get("MCAUSER") for record in scripts.records}
    for grant in granted(scripts).values():
        reaches = (
            grant.words & _FAR_REACHING if grant.profile in (SELF, CLASS) else frozenset[str]()
        )
        if grant.words and grant.profile in ("SYSTEM.*", "SYSTEM.**"):
            reaches = grant.words
        if reaches and grant.entity[1] not in users:
            message = (
                f"{grant.who} may do more than it seems with {', '.join(sorted(reaches))} on "
                f"{grant.profile}"
            )
            yield grant.violation(message, "only what the programs use")


@lint_rule("MQSC-C56", "note", "scripts", "Authority for a transmission queue")
def transmission_queue(scripts: Scripts) -> Iterator[Violation]:
    """PUT on a transmission queue reaches every queue of the partner; with SETALL a program can
    forge the header.

    Bad:
        DEFINE QLOCAL(X) USAGE(XMITQ)
        SET AUTHREC PROFILE(X) OBJTYPE(QUEUE) GROUP('apps') AUTHADD(PUT)

    Good:
        DEFINE QLOCAL(X) USAGE(XMITQ)
        DEFINE QREMOTE(R) RNAME(A) RQMNAME(QM2) XMITQ(X)
        SET AUTHREC PROFILE(R) OBJTYPE(QUEUE) GROUP('apps') AUTHADD(PUT)
    """
    names = {each.name for each in scripts.of_kind("QLOCAL") if each.get("USAGE") == "XMITQ"}
    for grant in granted(scripts).values():
        if grant.type == "QUEUE" and grant.profile in names and grant.words & {"PUT", "SETALL"}:
            message = f"{grant.who} may put to every queue behind {grant.profile}"
            yield grant.violation(message, "a remote queue, and PUT on that")


@lint_rule("MQSC-C57", "warning", "scripts", "Profile that covers one qualifier")
def one_qualifier(scripts: Scripts) -> Iterator[Violation]:
    """In a profile `*` stands for a single qualifier: `*` covers A, but not A.B. `**` covers
    everything.

    Bad:
        SET AUTHREC PROFILE('*') OBJTYPE(QUEUE) GROUP('apps') AUTHADD(PUT)

    Good:
        SET AUTHREC PROFILE('**') OBJTYPE(QUEUE) GROUP('apps') AUTHADD(PUT)
    """
    for grant in granted(scripts).values():
        if grant.profile == "*":
            yield grant.violation("the profile covers no name with a period", "PROFILE('**')")


@lint_rule("MQSC-C58", "warning", "command", "Authority that a deletion takes away")
def deleted_with_object(command: ScriptCommand, scripts: Scripts) -> Iterator[Violation]:
    """DELETE removes the authority records with the full name of the object, unless AUTHREC(NO) is
    given: those that were set before are gone.

    Bad:
        DEFINE QLOCAL(A)
        SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('apps') AUTHADD(PUT)
        DELETE QLOCAL(A)
        DEFINE QLOCAL(A)

    Good:
        DEFINE QLOCAL(A)
        DELETE QLOCAL(A)
        DEFINE QLOCAL(A)
        SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) GROUP('apps') AUTHADD(PUT)
    """
    kind = command.kind
    if command.verb != "DELETE" or kind is None or command.options.get("AUTHREC") == "NO":
        return
    type = "QUEUE" if kind.namespace == KINDS["QLOCAL"].namespace else kind.keyword
    if any(
        (of, profile) == (type, command.name) for of, profile, _ in granted(scripts, command.name)
    ):
        message = (
            f"the authority records for {command.name} that were set before are deleted with it"
        )
        yield Violation(command.location_of(), message, "SET AUTHREC after it, or AUTHREC(NO)")


@lint_rule("MQSC-C59", "note", "scripts", "PRINCIPAL may grant to a group")
def principal_is_group(scripts: Scripts) -> Iterator[Violation]:
    """By default, a queue manager on AIX or Linux gives the authority of a principal to its whole
    primary group. Reported once.

    Bad:
        SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('app') AUTHADD(CONNECT,INQ)

    Good:
        SET AUTHREC OBJTYPE(QMGR) GROUP('apps') AUTHADD(CONNECT,INQ)
    """
    for grant in [
        grant for grant in granted(scripts).values() if grant.entity[0] == PRINCIPAL and grant.words
    ][:1]:
        message = f"{grant.who} may be everyone in the primary group of that user"
        yield grant.violation(message, "GROUP, or a queue manager with SecurityPolicy=user")


@lint_rule("MQSC-C60", "note", "scripts", "Record that is never asked")
def never_asked(scripts: Scripts) -> Iterator[Violation]:
    """Records for RQMNAME count only with ClusterQueueAccessControl=RQMName in qm.ini. Otherwise
    the transmission queue is asked.

    Bad:
        SET AUTHREC PROFILE(QM2) OBJTYPE(RQMNAME) GROUP('apps') AUTHADD(PUT)

    Good:
        SET AUTHREC OBJTYPE(QMGR) GROUP('apps') AUTHADD(CONNECT,INQ)
    """
    for grant in granted(scripts).values():
        if grant.type == "RQMNAME":
            message = f"the authority for {grant.profile} is not asked by default"
            yield grant.violation(message, "PUT on the transmission queue, or on a remote queue")


@lint_rule("MQSC-C61", "note", "command", "Rule that only warns")
def only_warns(command: ScriptCommand, scripts: Scripts) -> Iterator[Violation]:
    """WARN(YES) is for trying out: the connection is let in, and only an event tells about it.

    Bad:
        SET CHLAUTH('A') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS) WARN(YES)

    Good:
        SET CHLAUTH('A') TYPE(ADDRESSMAP) ADDRESS('*') USERSRC(NOACCESS)
    """
    if command.attributes.get("WARN") == "YES" or command.attributes.get("CHLAUTH") == "WARN":
        yield Violation(
            command.location_of(),
            "nothing is blocked, there is only an event",
            "WARN(NO)",
        )
