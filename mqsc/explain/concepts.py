"""The concepts of MQ that are neither keywords nor codes: poison messages, backout, syncpoint."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from mqsc.language.explanation import Explanation, Part


class Concept(NamedTuple):
    """A concept, other words for it, what it is, and what to try: first commands `in_shell`, which
    only the shell has, then others.
    """

    name: str
    also: tuple[str, ...]
    text: str
    commands: tuple[str, ...]
    in_shell: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        return (self.name, *self.also)


CONCEPTS = (
    Concept(
        "poison message",
        ("poison", "poisoned", "poison messages"),
        "A message that programs get and back out again and again, because they cannot "
        "process it. When its backout count reaches BOTHRESH, a consumer moves it to BOQNAME "
        "or to the dead-letter queue; the queue manager itself never does.",
        ("mqsc poison QUEUE", "mqsc explain BOTHRESH"),
    ),
    Concept(
        "backout",
        (
            "back out",
            "backed out",
            "mqback",
            "rollback",
            "roll back",
            "backout count",
            "backoutcount",
        ),
        "The end of a unit of work that undoes it: messages got return to their queues with a "
        "backout count greater by one, messages put disappear. The work of a killed program "
        "is backed out.",
        ("mqsc poison QUEUE", "mqsc explain BOTHRESH"),
        in_shell=("back",),
    ),
    Concept(
        "backout queue",
        ("backoutqueue", "backout threshold"),
        "The queue named by BOQNAME, to which consumers move messages whose backout count has "
        "reached BOTHRESH. Messages of it are moved back with mqsc dlq retry.",
        ("mqsc poison QUEUE", "mqsc dlq show QUEUE", "mqsc explain BOQNAME"),
    ),
    Concept(
        "commit",
        ("mqcmit", "committed", "uncommitted"),
        "The end of a unit of work that makes it take effect: messages put can be got by "
        "others, messages got are gone.",
        ("DISPLAY QSTATUS(QUEUE) UNCOM",),
        in_shell=("commit",),
    ),
    Concept(
        "syncpoint",
        (
            "sync point",
            "unit of work",
            "unit",
            "uow",
            "transaction",
            "mqgmo_syncpoint",
            "mqpmo_syncpoint",
        ),
        "A put or get under syncpoint is part of the unit of work of its connection, which a "
        "commit makes final and a backout undoes, as a whole. Without syncpoint a call takes "
        "effect at once.",
        ("DISPLAY CONN(*) TYPE(ALL)", "mqsc history --unit N"),
        in_shell=("put QUEUE TEXT --syncpoint",),
    ),
    Concept(
        "skip backout",
        ("mark skip backout", "mqgmo_mark_skip_backout"),
        "A get with MQGMO_MARK_SKIP_BACKOUT takes one message out of the next backout: it "
        "then belongs to a new unit of work, in which the program can put it on an error "
        "queue.",
        ("mqsc explain 2062",),
        in_shell=("get QUEUE --syncpoint --mark-skip-backout",),
    ),
    Concept(
        "in doubt",
        ("indoubt",),
        "A unit of work whose outcome is decided elsewhere: the end of a channel that sent a "
        "batch and does not know whether it arrived, or a prepared unit. It is kept until it "
        "is resolved.",
        (
            "mqsc channel explain NAME",
            "DISPLAY CHSTATUS(NAME) INDOUBT",
            "RESOLVE CHANNEL(NAME) ACTION(COMMIT)",
        ),
    ),
    Concept(
        "dead-letter queue",
        ("dead letter", "dlq", "undelivered message queue", "undeliverable"),
        "The queue named by DEADQ of the queue manager: messages that cannot be delivered go "
        "there, with a header (MQDLH) that says where they should have gone and why not.",
        ("mqsc dlq show", "mqsc explain DEADQ", "mqsc explain MQDEAD"),
    ),
    Concept(
        "dead-letter handler",
        ("rules table", "rules"),
        "A program that processes the messages of a dead-letter queue by the rules of a "
        "table: patterns that messages match, and an action for each.",
        ("mqsc dlq check FILE", "mqsc dlq test FILE", "mqsc dlq run FILE"),
    ),
    Concept(
        "queue full",
        ("full", "full queue", "queue is full"),
        "A put fails with 2053 (MQRC_Q_FULL) when the queue holds MAXDEPTH messages; messages "
        "that are put but not committed, or got but not committed, count too. Raise MAXDEPTH, "
        "or find out why nothing is got.",
        (
            "DISPLAY QSTATUS(QUEUE) CURDEPTH IPPROCS UNCOM LGETTIME",
            "mqsc explain 2053",
            "mqsc explain QDEPTHHI",
        ),
    ),
    Concept(
        "depth",
        ("queue depth", "queue empty", "empty"),
        "The number of messages on a queue, CURDEPTH: uncommitted and expired ones that have "
        "not been discarded are included.",
        ("DISPLAY QSTATUS(QUEUE) CURDEPTH", "mqsc expiry QUEUE"),
    ),
    Concept(
        "expiry",
        ("expired", "expire", "expiration", "ttl", "time to live"),
        "The lifetime of a message, in tenths of a second: after it the message cannot be got "
        "any more, and the next get or scan that finds it discards it. CAPEXPRY limits it for "
        "a queue.",
        ("mqsc expiry QUEUE", "mqsc explain EXPRYINT"),
    ),
    Concept(
        "triggering",
        ("trigger", "trigger message", "trigger event", "initiation queue", "trigger monitor"),
        "The queue manager puts a trigger message on an initiation queue when messages arrive "
        "on a queue with TRIGGER; a trigger monitor gets it and starts the program of the "
        "PROCESS. Fourteen conditions decide.",
        ("mqsc trigger explain QUEUE", "mqsc trigger run", "mqsc explain TRIGTYPE"),
    ),
    Concept(
        "persistence",
        ("persistent", "persistent message", "not persistent", "durable"),
        "A persistent message survives the end and the crash of a queue manager; it is on "
        "disk when the put or the commit returns. Others do not survive the end of the queue "
        "manager, unless NPMCLASS(HIGH) keeps them.",
        ("mqsc put QUEUE TEXT --persistent", "mqsc explain DEFPSIST"),
    ),
    Concept(
        "priority",
        ("message priority",),
        "From 0 to 9, the highest first. A message without one of its own gets DEFPRTY of the "
        "queue; MSGDLVSQ(FIFO) ignores it when messages are got.",
        ("mqsc put QUEUE TEXT --priority 5", "mqsc explain MSGDLVSQ"),
    ),
    Concept(
        "message group",
        ("group of messages", "grouping", "segment"),
        "Messages with one GroupId and numbers from 1, which programs can put and get in "
        "their order.",
        ("mqsc explain MQGMO_LOGICAL_ORDER", "mqsc explain MQPMO_LOGICAL_ORDER"),
    ),
    Concept(
        "report message",
        ("reports", "coa", "cod", "confirm on arrival", "confirm on delivery", "exception report"),
        "A message that MQ sends to the reply queue of another one: on arrival (COA), "
        "delivery (COD), expiry, or an error (exception). Its Feedback says which.",
        ("mqsc put QUEUE TEXT --report coa,cod --reply-to-q QUEUE", "mqsc explain MQFB_COA"),
    ),
    Concept(
        "selector",
        ("selection", "selection string"),
        "A condition on the properties and header fields of messages, in a form of SQL: a get "
        "with one sees only the messages that satisfy it.",
        ("mqsc get QUEUE --selector \"color = 'red' AND size > 5\"",),
    ),
    Concept(
        "message property",
        ("properties", "property", "mqrfh2"),
        "A named, typed value of a message, apart from its data. PROPCTL of the queue decides "
        "how programs see it.",
        ("mqsc put QUEUE TEXT --property color=red", "mqsc explain PROPCTL"),
    ),
    Concept(
        "transmission queue",
        ("xmit queue", "xmitq queue"),
        "A local queue with USAGE(XMITQ): messages for another queue manager wait there until "
        "a channel sends them.",
        ("mqsc channel explain NAME", "mqsc explain XMITQ"),
    ),
    Concept(
        "dynamic queue",
        ("temporary queue", "temporary dynamic queue", "model queue"),
        "A queue made when a program opens a QMODEL. A temporary one is deleted when it is "
        "closed; a permanent one stays until it is deleted.",
        ("mqsc explain QMODEL", "mqsc explain DEFTYPE"),
    ),
    Concept(
        "queue-sharing group",
        ("shared queue", "sharing group", "qsg"),
        "Queue managers of one store that share queues: each of them can put to and get from "
        "a queue with QSGDISP(SHARED).",
        ("mqsc qmgr create NAME --group GROUP", "mqsc explain QSGDISP"),
    ),
    Concept(
        "stream queue",
        ("streaming", "streaming queue"),
        "A second queue, named by STREAMQ, that gets a copy of every message put on the first.",
        ("mqsc explain STREAMQ", "mqsc explain STRMQOS"),
    ),
    Concept(
        "event message",
        ("events", "queue event", "performance event"),
        "A message in PCF that the queue manager puts on a SYSTEM.ADMIN queue when something "
        "happens, such as a queue that is nearly full.",
        ("mqsc pcf --queue SYSTEM.ADMIN.PERFM.EVENT", "mqsc explain PERFMEV"),
    ),
    Concept(
        "browse",
        ("browsing",),
        "To read messages and leave them on the queue.",
        ("mqsc browse QUEUE", "mqsc explain MQGMO_BROWSE_NEXT"),
    ),
    Concept(
        "message identifier",
        ("msgid", "msg-id", "message id", "correlid", "correlation identifier"),
        "24 bytes that the queue manager gives to each message (MsgId), and 24 more that "
        "programs use to relate a reply to its request (CorrelId).",
        ("mqsc trace MSGID", "mqsc get QUEUE --msg-id HEX"),
    ),
    Concept(
        "generic name",
        ("wildcard", "generic"),
        "A name that ends in an asterisk matches all names that begin with the text before "
        "it: DISPLAY QLOCAL(APP.*).",
        ("DISPLAY QLOCAL(APP.*)", "mqsc history 'APP.*'"),
    ),
    Concept(
        "names",
        ("name", "case", "upper case", "lower case", "quotes"),
        "In MQSC, a name without quotes is read in upper case; 'Orders' keeps its case. As an "
        "argument of a command, a name means the queue or channel with exactly that name or, "
        "if there is none, the one with the name in upper case. Programs must give names "
        "exactly.",
        ("mqsc put orders x", "mqsc explain 2085"),
    ),
    Concept(
        "waiting",
        ("wait", "wait interval"),
        "A get with a wait returns when a message arrives, or fails with 2033 "
        "(MQRC_NO_MSG_AVAILABLE) after its wait interval.",
        ("mqsc get QUEUE --wait 30s", "mqsc explain 2033"),
    ),
    Concept(
        "manual clock",
        ("clock",),
        "A clock of a queue manager that advances only when you move it, so that you can try "
        "out expiry and waits.",
        ("mqsc qmgr create NAME --clock manual", "mqsc clock advance 1h"),
    ),
)
_BETWEEN = re.compile(r"[\s_-]+")


def explain_concept(word: str) -> Iterator[Explanation]:
    """Explain a concept by its name or another word for it, in singular or plural."""
    key = _key(word)
    concept = concepts().get(key) or concepts().get(key.removesuffix("s"))
    if concept is not None:
        yield Explanation(
            "concept",
            concept.name,
            f"{concept.name}: {concept.text}",
            (Part("try", "; ".join(_attempts(concept))),),
        )


def _attempts(concept: Concept) -> Iterator[str]:
    for command in concept.in_shell:
        yield f"{command} (in the shell)"
    yield from concept.commands


@cache
def concepts() -> Mapping[str, Concept]:
    """The concepts by each of their words."""
    return {_key(word): concept for concept in CONCEPTS for word in concept.words}


def concept_words() -> list[str]:
    """The words for all concepts."""
    return [word.upper() for concept in CONCEPTS for word in concept.words]


def _key(word: str) -> str:
    return _BETWEEN.sub(" ", word.strip()).lower()
