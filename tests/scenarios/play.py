"""Scenarios as text: programs put, get and commit line by line, and each line says what comes of it.

A line is `[WHO:] VERB WORDS [=> WHAT COMES OF IT]`; without an arrow the call ends with 0/0. WHO is a program with a
connection of its own, A when none is named. Lines in capitals are MQSC commands.

    put m1 m2 on Q expiry=10 syncpoint     names are the data of the messages; other words are fields or MQPMO options
    get from Q browse-first lock => m1     what is got: its name, fields, or CC/RC
    on Q => m1 m2                          what is there to be got or browsed, in order
    depth Q => 2                           CURDEPTH
    history EXPIRE Q => get                the causes of the events of a kind on a queue
    advance 2.5                            seconds
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mqsc
from store import constants
from store.admin.scanning import scan, timer
from store.connection import Connection
from store.constants import MQCO, MQGMO, MQMO, MQOO, MQOT, MQPMO
from store.descriptor import (
    GetMessageOptions,
    Message,
    MessageDescriptor,
    PutMessageOptions,
)
from store.error import MQError
from store.handle import ObjectHandle
from store.headers import mqdlh, mqxqh
from store.queue_manager import QueueManager
from tests.scenarios.looking import curdepth, happened, waiting_on

MQSC_VERBS = frozenset(("DEFINE", "ALTER", "DELETE", "CLEAR", "REFRESH", "DISPLAY"))
TO_PUT = MQOO.OUTPUT | MQOO.SET_ALL_CONTEXT | MQOO.PASS_ALL_CONTEXT
TO_GET = MQOO.INPUT_SHARED | MQOO.BROWSE | MQOO.SAVE_ALL_CONTEXT | MQOO.CO_OP
# Fields whose values have names of their own, and what those names begin with.
NAMED = {"report": "MQRO", "feedback": "MQFB", "msg_type": "MQMT", "msg_flags": "MQMF"}
MATCHED = {
    "msg_id": MQMO.MATCH_MSG_ID,
    "correl_id": MQMO.MATCH_CORREL_ID,
    "group_id": MQMO.MATCH_GROUP_ID,
    "msg_seq_number": MQMO.MATCH_MSG_SEQ_NUMBER,
    "offset": MQMO.MATCH_OFFSET,
}
IDS = frozenset(("msg_id", "correl_id", "group_id"))
# Numbers in them are digits.
TEXTS = frozenset(("codec", "hex", "put_date", "put_time", "reply_to_q", "reply_to_q_mgr", "user_identifier"))
SYNONYMS = {"bc": "backout_count", "seq": "msg_seq_number", "flags": "msg_flags"}
# What is told of a message beside its descriptor.
TOLD: dict[str, Callable[[Message], int | None]] = {
    "length": lambda message: len(message.body),
    "data_length": lambda message: message.data_length,
    "embedded": lambda message: mqxqh.embedded_expiry(message.body, message.descriptor.encoding),
    "reason": lambda message: mqdlh.unpack(message.body).reason,
}


# What a line came to, in the words that it was expected in.
Outcome = Callable[[list[str]], list[str]]


class Play:
    """A queue manager and the programs that use it."""

    def __init__(self, qmgr: QueueManager) -> None:
        self.qmgr = qmgr
        self.connections: dict[str, Connection] = {}
        self.handles: dict[tuple[str, str, str], ObjectHandle] = {}
        self.placed: dict[str, MessageDescriptor] = {}
        # The handle of each program's last get, whose context its puts may pass on, and what it got.
        self.got: dict[str, ObjectHandle] = {}
        self.last: dict[str, Message] = {}
        self.closed: dict[tuple[str, str], ObjectHandle] = {}

    def run(self, text: str) -> None:
        """Play the lines of a scenario; AssertionError shows the line that came out otherwise."""
        for line in filter(None, (each.strip() for each in text.splitlines())):
            said, _, expected = line.partition("=>")
            outcome = self._play(said.split(), line.split(" ", 1)[0] in MQSC_VERBS, said)
            wanted = expected.split() or ["0/0"]
            shown = outcome(wanted)
            assert shown == wanted, f"{line}\n    came to {' '.join(shown)}"

    def _play(self, words: list[str], is_command: bool, line: str) -> Outcome:
        if is_command:
            return self._command(line)
        who = words.pop(0)[:-1] if words[0].endswith(":") else "A"
        verb = words.pop(0)
        try:
            shown: Outcome = getattr(self, f"_{verb}")(who, words)
        except MQError as refused:
            code = f"{refused.completion}/{int(refused.reason)}"
            return lambda wanted: [code]
        return shown

    def _command(self, line: str) -> Outcome:
        (reply,) = mqsc.run(self.qmgr, line)
        assert reply.completion == 0, reply.text
        return lambda wanted: [told(reply.rows, each) for each in wanted]

    def connection(self, who: str) -> Connection:
        """The connection of a program."""
        if who not in self.connections:
            self.connections[who] = self.qmgr.connect(application=who, user=who.lower())
        return self.connections[who]

    def handle(self, who: str, queue: str, purpose: str, options: int) -> ObjectHandle:
        """A program's handle to put to a queue, or to get from it; opened when it is first used."""
        key = (who, queue, purpose)
        if key not in self.handles:
            self.handles[key] = self.connection(who).open(queue, options)
        return self.handles[key]

    def _open(self, who: str, words: list[str]) -> Outcome:
        called = after(words, "as") or words[0]
        (queue,), fields, options = self._sorted(words, MQOO)
        kind = fields.get("type", "Q")
        handle = self.connection(who).open(
            queue,
            options,
            queue_manager=str(fields.get("at", "")),
            dynamic_name=str(fields.get("dynamic", "AMQ.*")),
            alternate_user=str(fields.get("alternate", "")),
            object_type=kind if isinstance(kind, int) else int(getattr(MQOT, kind)),
        )
        for purpose in ("put", "get"):
            self.handles[who, called, purpose] = handle
        return lambda wanted: [f"name={handle.name}" if "=" in each else "0/0" for each in wanted]

    def _close(self, who: str, words: list[str]) -> Outcome:
        (called,), _, options = self._sorted(words, MQCO)
        reason = 0
        for key in [key for key in self.handles if key[:2] == (who, called)]:
            if self.handles[key].is_open:
                reason = self.handles[key].close(options) or reason
            self.closed[who, called] = self.handles.pop(key)
        return lambda wanted: [f"{int(reason != 0)}/{reason}"]

    def _again(self, who: str, words: list[str]) -> Outcome:
        """Every call with a handle that was closed."""
        closed = self.closed[who, words[0]]
        calls = (lambda: closed.put(Message(b"")), closed.get, closed.close, lambda: closed.inquire(1))
        codes = {code_of(call) for call in calls}
        return lambda wanted: sorted(codes)

    def _put(self, who: str, words: list[str]) -> Outcome:
        queue = after(words, "on") or "Q"
        names, fields, options = self._sorted(words, MQPMO)
        handle = self.handle(who, queue, "put", TO_PUT)
        warned: Outcome = done
        for name in names:
            message = self._message(name, dict(fields))
            self.placed[name] = handle.put(message, PutMessageOptions(options, context=self.got.get(who)))
            warned = ended(message)
        return warned

    def _put1(self, who: str, words: list[str]) -> Outcome:
        queue = after(words, "on") or "Q"
        (name,), fields, options = self._sorted(words, MQPMO)
        at, alternate = str(fields.pop("at", "")), str(fields.pop("alternate", ""))
        message = self._message(name, fields)
        context = PutMessageOptions(options, context=self.got.get(who))
        self.placed[name] = self.connection(who).put1(queue, message, context, queue_manager=at, alternate_user=alternate)
        return ended(message)

    def _message(self, name: str, fields: dict[str, Any]) -> Message:
        length, embedded = int(fields.pop("length", 0)), fields.pop("embedded", None)
        body = bytes.fromhex(fields.pop("hex", "")) or name.encode(fields.pop("codec", "ascii")).ljust(length, b".")
        if embedded is not None:
            sent = MessageDescriptor(expiry=int(embedded), priority=0, persistence=0, msg_id=name.encode())
            body = mqxqh.pack(mqxqh.TransmissionHeader("FAR", "QM2", sent)) + body
            fields["format"] = "MQXMIT"
        if "dead" in fields:
            letter = mqdlh.DeadLetterHeader(2053, "Q", "QM1", 546, 1208, str(fields.pop("dead")), 7, "QM1", "", "")
            body, fields["format"] = mqdlh.pack(letter) + body, "MQDEAD"
        if "cut" in fields:
            body = body[: int(fields.pop("cut"))]
        return Message(body, MessageDescriptor(**fields))

    def _get(self, who: str, words: list[str]) -> Outcome:
        queue = after(words, "from") or "Q"
        _, fields, options = self._sorted(words, MQGMO)
        buffer, wait = fields.pop("buffer", None), fields.pop("wait_interval", 0)
        match = fields.pop("match", 0) | sum(MATCHED[name] for name in fields)
        handle = self.handle(who, queue, "get", TO_GET)
        asked = GetMessageOptions(options, wait_interval=wait, match_options=match, buffer_length=buffer, **fields)
        message = handle.get(asked)
        self.got[who], self.last[who] = handle, message
        return lambda wanted: [self._shown(message, each) for each in wanted]

    def _shown(self, message: Message, wanted: str) -> str:
        name, equals, value = wanted.partition("=")
        if "/" in wanted:
            return f"{message.completion}/{message.reason}"
        if not equals:
            return message.body.rstrip(b".").decode("latin_1")
        if name in TOLD:
            return f"{name}={TOLD[name](message)}"
        seen = getattr(message.descriptor, SYNONYMS.get(name, name))
        return wanted if seen == self._value(SYNONYMS.get(name, name), value) else f"{name}={seen}"

    def _sorted(self, words: list[str], options: type[Any]) -> tuple[list[str], dict[str, Any], int]:
        """The words of a call: names of messages, fields with their values, options."""
        fields = dict(each.split("=", 1) for each in words if "=" in each)
        known = [each for each in words if "=" not in each and is_option(options, each)]
        names = [name for each in words if "=" not in each and each not in known for name in spread(each)]
        whole = {SYNONYMS.get(name, name): value for name, value in fields.items()}
        valued = {name: self._value(name, value) for name, value in whole.items()}
        return names, valued, sum(option(options, each) for each in known)

    def _value(self, name: str, value: str) -> Any:
        """A value in a scenario: a number, names of constants, or an id of a message put before."""
        if name in IDS:
            placed = self.placed.get(value)
            if placed is None:
                return value.encode().ljust(24, b"\0")
            return placed.group_id if name == "group_id" else placed.msg_id
        if name == "accounting_token":
            return value.encode()
        if name in TEXTS:
            return value
        if value.startswith("0x"):
            return int(value, 16)
        if value.lstrip("-").isdigit():
            return int(value)
        if name in NAMED:
            return sum(int(getattr(getattr(constants, NAMED[name]), each)) for each in value.split("+"))
        return value

    def _commit(self, who: str, words: list[str]) -> Outcome:
        self.connection(who).commit()
        return done

    def _back(self, who: str, words: list[str]) -> Outcome:
        self.connection(who).back()
        return done

    def _disconnect(self, who: str, words: list[str]) -> Outcome:
        self._leave(who).disconnect()
        return done

    def _abend(self, who: str, words: list[str]) -> Outcome:
        self._leave(who).abend()
        return done

    def _leave(self, who: str) -> Connection:
        self.handles = {key: handle for key, handle in self.handles.items() if key[0] != who}
        return self.connections.pop(who)

    def _broken(self, who: str, words: list[str]) -> Outcome:
        """The queue manager ends and starts while the program holds on to its connection."""
        self.qmgr.end(immediate=True)
        self.qmgr.start()
        return done

    def _end(self, who: str, words: list[str]) -> Outcome:
        """A controlled end: the queue manager waits for its programs."""
        self.qmgr.end()
        return done

    def _begin(self, who: str, words: list[str]) -> Outcome:
        self.connection(who).begin()
        return done

    def _restart(self, who: str, words: list[str]) -> Outcome:
        self.qmgr.end(immediate=True)
        self.qmgr.start()
        self.connections, self.handles = {}, {}
        return done

    def _tick(self, who: str, words: list[str]) -> Outcome:
        due = timer(self.qmgr).due
        if due is not None and due <= self.qmgr.now():
            scan(self.qmgr)
        return done

    def _advance(self, who: str, words: list[str]) -> Outcome:
        self.qmgr.store.environment.clock.advance(seconds=float(words[0]))
        return done

    def _depth(self, who: str, words: list[str]) -> Outcome:
        return lambda wanted: [str(curdepth(self.qmgr, words[0]))]

    def _history(self, who: str, words: list[str]) -> Outcome:
        kind, queue = words
        causes = [str(cause) for _, cause, about, _ in happened(self.qmgr.store, kind) if about == queue]
        return lambda wanted: causes or ["nothing"]

    def _on(self, who: str, words: list[str]) -> Outcome:
        return lambda wanted: waiting_on(self.qmgr, words[0]) or ["nothing"]


def told(rows: list[dict[str, Any]], wanted: str) -> str:
    """`KEYWORD=value` as the rows of a reply have it, or that the command was done."""
    name, equals, _ = wanted.partition("=")
    return f"{name}={','.join(str(row[name]) for row in rows)}" if equals else "0/0"


def done(wanted: list[str]) -> list[str]:
    """A call that ended with 0/0."""
    return ["0/0"]


def ended(message: Message) -> Outcome:
    """How a put ended: its warning is on the message."""
    code = f"{message.completion}/{message.reason}"
    return lambda wanted: [code]


def constant(word: str) -> str:
    """`browse-first` as the constants have it."""
    return word.upper().replace("-", "_")


def spread(word: str) -> list[str]:
    """`m*3` as m1, m2 and m3; another word is a name."""
    stem, star, number = word.partition("*")
    return [f"{stem}{each}" for each in range(1, int(number) + 1)] if star else [word]


def is_option(options: type[Any], word: str) -> bool:
    """Whether a word is an option: small letters, or bits that have no name."""
    return word.startswith("0x") or (word.islower() and hasattr(options, constant(word)))


def option(options: type[Any], word: str) -> int:
    """The number of an option."""
    return int(word, 16) if word.startswith("0x") else int(getattr(options, constant(word)))


def code_of(call: Callable[[], object]) -> str:
    """How a call ends that refuses to work: CC/RC."""
    try:
        call()
    except MQError as refused:
        return f"{refused.completion}/{int(refused.reason)}"
    return "0/0"


def after(words: list[str], preposition: str) -> str:
    """The word behind a preposition, both taken out of the words; blank when it does not occur."""
    if preposition not in words:
        return ""
    at = words.index(preposition)
    words.pop(at)
    return words.pop(at)
