"""Runs scenarios written as text: each line is a call or command with its expected result.

A line is `[WHO:] VERB WORDS [=> RESULT]`; without a result the call must end with 0/0. WHO is a
program with its own connection, A by default; of several queue managers, B@QM2 is B at QM2, and QM2
a program of that name there. Verbs in capitals are MQSC commands, with `*` as WHO on every queue
manager. `#` begins a remark. Steps may share a line, separated by ` · `.

    put m1 m2 on Q expiry=10 syncpoint     names are the data of the messages; other words are fields or MQPMO options
    list m1 m2 on Q => 2/2053 object=Q     one call for all, the error with its `object` and `index`; put1 by MQPUT1
    get from Q browse-first lock => m1     the message: its name, fields, or CC/RC
    on Q => m1 m2                          the messages that can be got or browsed, in order
    depth Q => 2                           CURDEPTH
    prepare CH 7 · resolve CH 7 commit     a unit of work in doubt under a name and an identifier
    doubt => CH/7/2+3                      the units in doubt: name, identifier, puts and gets
    history EXPIRE Q => get                the causes of the events of a kind on a queue
    raised PERFM => 2224/QM1/Q 2225        gets SYSTEM.ADMIN.PERFM.EVENT: reason, and values if any word has them
    raised CHANNEL 1020 => 2283/7          of the values only parameters with these numbers
    DISPLAY QLOCAL(Q) GET => GET=ENABLED   the column of all rows; - where there is none, _ for blanks; `keys=` all
    DELETE QLOCAL(Q) => "Q... messages."   a line of the reply, where ... is any text; `lines=1` counts them
    dead => 2053/Q/m1                      reason, destination and data of all messages of the DLQ
    dead => m1 manager=QM1 bc=0            the first of them: its data without the header, fields of the header
    carried QM1 => m1 to=Q@QM1             the first message of a transmission queue, unwrapped
    advance 2.5 · clock -3600              seconds: time passes, or the clock is set
"""

from __future__ import annotations

import re

import mqsc
from mqsc.store.admin.expiry import scan, timer
from mqsc.store.client.connection import Connection
from mqsc.store.client.object_handle import ObjectHandle
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQCO, MQGMO, MQOO, MQOT, MQPMO
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.error import MQError
from mqsc.store.headers import mqdlh, mqxqh
from mqsc.store.message import GetMessageOptions, Message, PutMessageOptions
from mqsc.store.past.audit import audit
from tests.scenarios.looking import curdepth, events_on, happened, waiting_on
from tests.scenarios.words import (
    MATCHED,
    Outcome,
    after,
    code,
    code_of,
    message_of,
    selector,
    shown,
    sorted_words,
    told,
)

MQSC_VERBS = frozenset(
    "DEFINE ALTER DELETE CLEAR REFRESH DISPLAY MOVE START STOP RESET RESOLVE PING SET".split(),
)
BROWSE_NEXT = GetMessageOptions(MQGMO.BROWSE_NEXT)
EXPECTED = re.compile(r'"[^"]*"|\S+')
TO_PUT = MQOO.OUTPUT | MQOO.SET_ALL_CONTEXT | MQOO.PASS_ALL_CONTEXT
TO_GET = MQOO.INPUT_SHARED | MQOO.BROWSE | MQOO.SAVE_ALL_CONTEXT | MQOO.CO_OP


class Play:
    """Queue managers, of which the first is meant where none is named, and the programs of a
    scenario.
    """

    def __init__(self, qmgr: QueueManager, *others: QueueManager) -> None:
        self.qmgr = qmgr
        self.managers = {each.name: each for each in (qmgr, *others)}
        self.connections: dict[str, Connection] = {}
        self.handles: dict[tuple[str, str, str], ObjectHandle] = {}
        self.placed: dict[str, MessageDescriptor] = {}
        # The handle and the message of each program's last get; its puts may pass the context of
        # the handle.
        self.got: dict[str, ObjectHandle] = {}
        self.last: dict[str, Message] = {}
        self.closed: dict[tuple[str, str], ObjectHandle] = {}

    def run(self, text: str) -> None:
        """Run the lines of a scenario; the AssertionError shows the line that failed and its actual
        result.

        At its end, the history accounts for every message.
        """
        self.run_unaudited(text)
        self.audit()

    def audit(self) -> None:
        """Check that the history accounts for every message."""
        for store in {qmgr.store for qmgr in self.managers.values()}:
            assert audit(store).findings == []

    def run_unaudited(self, text: str) -> None:
        """Run the lines of one of many scenarios in a store that grows with them."""
        for line in (each.strip() for each in text.replace(" · ", "\n").splitlines()):
            if line and not line.startswith("#"):
                said, _, expected = line.partition("=>")
                wanted = EXPECTED.findall(expected) or ["0/0"]
                first, _, rest = said.strip().partition(" ")
                shown = (
                    self._play(first[:-1], rest) if first.endswith(":") else self._play("A", said)
                )
                found = shown(wanted)
                assert found == wanted, f"{line}\n    returned {' '.join(found)}"

    def _play(self, who: str, said: str) -> Outcome:
        verb, *words = said.split()
        if verb in MQSC_VERBS:
            return self._command(who, said)
        try:
            outcome: Outcome = getattr(self, f"_{verb}")(who, words)
        except MQError as refused:
            failed = code(refused)
            told = {"object": f"object={refused.object_name}", "index": f"index={refused.index}"}
            return lambda wanted: [told.get(each.partition("=")[0], failed) for each in wanted]
        return outcome

    def _command(self, who: str, line: str) -> Outcome:
        managers = self.managers.values() if who == "*" else [self.at(who)]
        replies = [reply for qmgr in managers for reply in mqsc.run(qmgr, line)]
        return lambda wanted: [told(replies, each) for each in wanted]

    def at(self, who: str) -> QueueManager:
        """Return the queue manager of a program."""
        return self.managers.get(who.rpartition("@")[2], self.qmgr)

    def connection(self, who: str) -> Connection:
        """Return the connection of a program, connecting it if necessary."""
        if who not in self.connections:
            name = who.partition("@")[0]
            self.connections[who] = self.at(who).connect(application=name, user=name.lower())
        return self.connections[who]

    def handle(self, who: str, queue: str, purpose: str, options: int) -> ObjectHandle:
        """Return a program's handle for putting to a queue or getting from it, opening it if
        necessary.
        """
        key = (who, queue, purpose)
        if key not in self.handles:
            self.handles[key] = self.connection(who).open(queue, options)
        return self.handles[key]

    def _open(self, who: str, words: list[str]) -> Outcome:
        called = after(words, "as") or words[0]
        (queue,), fields, options = sorted_words(words, MQOO, self.placed)
        kind = fields.get("type", "Q")
        handle = self.connection(who).open(
            queue,
            options,
            queue_manager=str(fields.get("at", "")),
            dynamic_name=str(fields.get("dynamic", "AMQ.*")),
            alternate_user=str(fields.get("alternate", "")),
            object_type=kind if isinstance(kind, int) else int(getattr(MQOT, kind)),
        )
        for purpose in ("put", "get", "set"):
            self.handles[who, called, purpose] = handle
        told = {
            "name": handle.name,
            "resolved": f"{handle.resolved_q_name}@{handle.resolved_q_mgr_name}",
        }
        names = {name: f"{name}={value}" for name, value in told.items()}
        return lambda wanted: [names.get(each.partition("=")[0], "0/0") for each in wanted]

    def _close(self, who: str, words: list[str]) -> Outcome:
        (called,), _, options = sorted_words(words, MQCO, self.placed)
        reason = 0
        for key in [key for key in self.handles if key[:2] == (who, called)]:
            if self.handles[key].is_open:
                reason = self.handles[key].close(options) or reason
            self.closed[who, called] = self.handles.pop(key)
        return lambda wanted: [f"{int(reason != 0)}/{reason}"]

    def _again(self, who: str, words: list[str]) -> Outcome:
        """Make every call with a closed handle."""
        closed = self.closed[who, words[0]]
        calls = (
            lambda: closed.put(Message(b"")),
            closed.get,
            closed.close,
            lambda: closed.inquire(1),
        )
        codes = {code_of(call) for call in calls}
        return lambda wanted: sorted(codes)

    def _put(self, who: str, words: list[str]) -> Outcome:
        queue = after(words, "on") or "Q"
        names, fields, options = sorted_words(words, MQPMO, self.placed)
        handle = self.handle(who, queue, "put", TO_PUT)
        warned: Outcome = done
        for name in names:
            message = message_of(name, dict(fields))
            self.placed[name] = handle.put(
                message,
                PutMessageOptions(options, context=self.got.get(who)),
            )
            warned = ended(message)
        return warned

    def _list(self, who: str, words: list[str]) -> Outcome:
        """Put all messages with one call."""
        queue = after(words, "on") or "Q"
        names, fields, options = sorted_words(words, MQPMO, self.placed)
        messages = [message_of(name, dict(fields)) for name in names]
        placed = self.handle(who, queue, "put", TO_PUT).put(messages, PutMessageOptions(options))
        self.placed.update(zip(names, placed, strict=True))
        return done

    def _put1(self, who: str, words: list[str]) -> Outcome:
        queue = after(words, "on") or "Q"
        names, fields, options = sorted_words(words, MQPMO, self.placed)
        at, alternate = str(fields.pop("at", "")), str(fields.pop("alternate", ""))
        context = PutMessageOptions(options, context=self.got.get(who))
        warned: Outcome = done
        for name in names:
            message = message_of(name, dict(fields))
            self.placed[name] = self.connection(who).put1(
                queue,
                message,
                context,
                queue_manager=at,
                alternate_user=alternate,
            )
            warned = ended(message)
        return warned

    def _get(self, who: str, words: list[str]) -> Outcome:
        queue = after(words, "from") or "Q"
        _, fields, options = sorted_words(words, MQGMO, self.placed)
        buffer, wait = fields.pop("buffer", None), fields.pop("wait_interval", 0)
        match = fields.pop("match", 0) | sum(MATCHED[name] for name in fields)
        handle = self.handle(who, queue, "get", TO_GET)
        asked = GetMessageOptions(
            options,
            wait_interval=wait,
            match_options=match,
            buffer_length=buffer,
            **fields,
        )
        message = handle.get(asked)
        self.got[who], self.last[who] = handle, message
        return lambda wanted: shown(message, wanted, self.placed)

    def _commit(self, who: str, words: list[str]) -> Outcome:
        self.connection(who).commit()
        return done

    def _back(self, who: str, words: list[str]) -> Outcome:
        self.connection(who).back()
        return done

    def _prepare(self, who: str, words: list[str]) -> Outcome:
        kept = self.connection(who).prepare(*words)
        return done if kept else lambda wanted: ["nothing"]

    def _resolve(self, who: str, words: list[str]) -> Outcome:
        name, luwid, decision = words
        self.at(who).resolve(name, luwid, commit={"commit": True, "backout": False}[decision])
        return done

    def _doubt(self, who: str, words: list[str]) -> Outcome:
        units = [
            f"{each.name}/{each.luwid}/{each.puts}+{each.gets}" for each in self.at(who).in_doubt()
        ]
        return lambda wanted: units or ["nothing"]

    def _disconnect(self, who: str, words: list[str]) -> Outcome:
        self.forget(who).disconnect()
        return done

    def _abend(self, who: str, words: list[str]) -> Outcome:
        self.forget(who).abend()
        return done

    def forget(self, who: str) -> Connection:
        """Return the connection of a program, whose next call makes another."""
        self.handles = {key: handle for key, handle in self.handles.items() if key[0] != who}
        return self.connections.pop(who)

    def _broken(self, who: str, words: list[str]) -> Outcome:
        """End and start the queue manager while the program keeps its connection."""
        self.at(who).end(immediate=True)
        self.at(who).start()
        return done

    def _end(self, who: str, words: list[str]) -> Outcome:
        """Make a controlled end, which waits for programs to disconnect, or an immediate one."""
        state = self.at(who).end(immediate=words == ["immediate"])
        return lambda wanted: wanted if wanted == ["0/0"] else [state]

    def _start(self, who: str, words: list[str]) -> Outcome:
        self.at(who).start()
        return done

    def _begin(self, who: str, words: list[str]) -> Outcome:
        reason = self.connection(who).begin()
        return lambda wanted: [f"1/{reason}"]

    def _set(self, who: str, words: list[str]) -> Outcome:
        queue, *values = words
        given = dict(each.split("=", 1) for each in values)
        handle = self.handle(who, queue, "set", MQOO.SET)
        handle.set(
            {
                selector(name): int(value) if value.isdigit() else value
                for name, value in given.items()
            },
        )
        return done

    def _restart(self, who: str, words: list[str]) -> Outcome:
        """End the queue manager at once and start it; every program must connect again."""
        self.connections, self.handles = {}, {}
        return self._broken(who, words)

    def _tick(self, who: str, words: list[str]) -> Outcome:
        due = timer(self.at(who)).due
        if due is not None and due <= self.at(who).now():
            scan(self.at(who))
        return done

    def _advance(self, who: str, words: list[str]) -> Outcome:
        self.qmgr.store.environment.clock.advance(seconds=float(words[0]))
        return done

    def _clock(self, who: str, words: list[str]) -> Outcome:
        clock = self.qmgr.store.environment.clock
        clock.set(clock.now() + int(words[0]) * 1_000_000)
        return done

    def _depth(self, who: str, words: list[str]) -> Outcome:
        return lambda wanted: [str(curdepth(self.at(who), words[0]))]

    def _history(self, who: str, words: list[str]) -> Outcome:
        kind, queue = words
        causes = [
            str(cause)
            for _, cause, about, _ in happened(self.at(who).store, kind)
            if about == queue
        ]
        return lambda wanted: causes or ["nothing"]

    def _carried(self, who: str, words: list[str]) -> Outcome:
        with self.at(who).connect() as connection:
            message = connection.open(words[0], MQOO.BROWSE).get(BROWSE_NEXT)
        found = mqxqh.unwrap(message.descriptor, message.body)
        assert isinstance(found, mqxqh.CarriedMessage)
        to, inner = (
            f"to={found.remote_q_name}@{found.remote_q_mgr_name}",
            Message(found.body, found.descriptor),
        )
        return lambda wanted: [
            to if each[:3] == "to=" else shown(inner, [each], self.placed)[0] for each in wanted
        ]

    def _dead(self, who: str, words: list[str]) -> Outcome:
        letters = []
        with self.at(who).connect() as connection:
            handle = connection.open("DLQ", MQOO.BROWSE)
            while not code_of(
                lambda: letters.append(dead_letter(handle.get(BROWSE_NEXT))),
            ).startswith("2/"):
                continue

        def told(wanted: list[str]) -> list[str]:
            if not letters or "/" in wanted[0]:
                whole = [
                    "/".join((each["reason"], each["destination"], each["data"]))
                    for each in letters
                ]
                return whole or ["nothing"]
            names = [each.partition("=")[0] if "=" in each else "data" for each in wanted]
            return [
                f"{name}={letters[0][name]}" if name != "data" else letters[0][name]
                for name in names
            ]

        return told

    def _raised(self, who: str, words: list[str]) -> Outcome:
        """Get all event messages; without an expected result any are right. Of `*` a word for
        each queue manager.
        """
        queue, *numbers = words or ["QMGR"]
        if who == "*":
            each_ones = [self._raised(name, words)(["some"]) for name in self.managers]
            return lambda wanted: ["+".join(each) for each in each_ones]
        name = (
            f"SYSTEM.ADMIN.{queue}.EVENT"
            if queue in ("QMGR", "PERFM", "CONFIG", "COMMAND", "CHANNEL")
            else queue
        )
        found = [each.told(numbers) for each in events_on(self.at(who), name)]

        def told(wanted: list[str]) -> list[str]:
            if wanted == ["0/0"]:
                return wanted
            has_values = any("/" in each for each in wanted)
            return ["/".join(each if has_values else each[:1]) for each in found] or ["nothing"]

        return told

    def _on(self, who: str, words: list[str]) -> Outcome:
        return lambda wanted: waiting_on(self.at(who), words[0]) or ["nothing"]


def dead_letter(message: Message) -> dict[str, str]:
    """Return what scenarios say about a dead letter."""
    header = mqdlh.unpack_mqdlh(
        message.body,
        message.descriptor.encoding,
        message.descriptor.coded_char_set_id,
    )
    return {
        "data": message.body[mqdlh.MQDLH_LENGTH :].rstrip(b".").decode("latin_1"),
        "destination": header.dest_q_name,
        "manager": header.dest_q_mgr_name,
        "reason": str(header.reason),
        "format": header.format,
        "ccsid": str(header.coded_char_set_id),
        "application": header.put_appl_name,
        "bc": str(message.descriptor.backout_count),
    }


def done(wanted: list[str]) -> list[str]:
    return ["0/0"]


def ended(message: Message) -> Outcome:
    """Return the outcome of a put, whose warning is on the message."""
    return lambda wanted: [code(message)]
