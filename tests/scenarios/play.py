"""Runs scenarios written as text: each line is a call or command with its expected result.

A step is `[WHO:] VERB WORDS [=> RESULT]`; without a result the call must end with 0/0. WHO is a program with its own
connection, A by default. Steps in capitals are MQSC commands. A step has a line, or shares it with others: ` · `.

    put m1 m2 on Q expiry=10 syncpoint     names are the data of the messages; other words are fields or MQPMO options
    get from Q browse-first lock => m1     the message: its name, fields, or CC/RC
    on Q => m1 m2                          the messages that can be got or browsed, in order
    depth Q => 2                           CURDEPTH
    prepare CH 7 · resolve CH 7 commit     a unit of work in doubt under a name and an identifier
    doubt => CH/7/2+3                      the units in doubt: name, identifier, puts and gets
    history EXPIRE Q => get                the causes of the events of a kind on a queue
    advance 2.5                            seconds
"""

from __future__ import annotations

import mqsc
from store.admin.expiry import scan, timer
from store.client.api import Connection, ObjectHandle, QueueManager
from store.constants import MQCO, MQGMO, MQOO, MQOT, MQPMO
from store.descriptor import MessageDescriptor
from store.error import MQError
from store.message import GetMessageOptions, Message, PutMessageOptions
from tests.scenarios.looking import curdepth, happened, waiting_on
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

MQSC_VERBS = frozenset(("DEFINE", "ALTER", "DELETE", "CLEAR", "REFRESH", "DISPLAY", "MOVE", "STOP"))
TO_PUT = MQOO.OUTPUT | MQOO.SET_ALL_CONTEXT | MQOO.PASS_ALL_CONTEXT
TO_GET = MQOO.INPUT_SHARED | MQOO.BROWSE | MQOO.SAVE_ALL_CONTEXT | MQOO.CO_OP


class Play:
    """A queue manager and the programs of a scenario."""

    def __init__(self, qmgr: QueueManager) -> None:
        self.qmgr = qmgr
        self.connections: dict[str, Connection] = {}
        self.handles: dict[tuple[str, str, str], ObjectHandle] = {}
        self.placed: dict[str, MessageDescriptor] = {}
        # The handle and the message of each program's last get; its puts may pass the context of the handle.
        self.got: dict[str, ObjectHandle] = {}
        self.last: dict[str, Message] = {}
        self.closed: dict[tuple[str, str], ObjectHandle] = {}

    def run(self, text: str) -> None:
        """Run the steps of a scenario; the AssertionError shows the step that failed and its actual result."""
        for line in filter(None, (each.strip() for each in text.replace(" · ", "\n").splitlines())):
            said, _, expected = line.partition("=>")
            outcome = self._play(said.split(), line.split(" ", 1)[0] in MQSC_VERBS, said)
            wanted = expected.split() or ["0/0"]
            shown = outcome(wanted)
            assert shown == wanted, f"{line}\n    returned {' '.join(shown)}"

    def _play(self, words: list[str], is_command: bool, line: str) -> Outcome:
        if is_command:
            return self._command(line)
        who = words.pop(0)[:-1] if words[0].endswith(":") else "A"
        verb = words.pop(0)
        try:
            outcome: Outcome = getattr(self, f"_{verb}")(who, words)
        except MQError as refused:
            failed = f"{refused.completion}/{int(refused.reason)}"
            return lambda wanted: [failed]
        return outcome

    def _command(self, line: str) -> Outcome:
        (reply,) = mqsc.run(self.qmgr, line)
        return lambda wanted: [told(reply, each) for each in wanted]

    def connection(self, who: str) -> Connection:
        """Return the connection of a program, connecting it if necessary."""
        if who not in self.connections:
            self.connections[who] = self.qmgr.connect(application=who, user=who.lower())
        return self.connections[who]

    def handle(self, who: str, queue: str, purpose: str, options: int) -> ObjectHandle:
        """Return a program's handle for putting to a queue or getting from it, opening it if necessary."""
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
        return lambda wanted: [f"name={handle.name}" if "=" in each else "0/0" for each in wanted]

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
        calls = (lambda: closed.put(Message(b"")), closed.get, closed.close, lambda: closed.inquire(1))
        codes = {code_of(call) for call in calls}
        return lambda wanted: sorted(codes)

    def _put(self, who: str, words: list[str]) -> Outcome:
        queue = after(words, "on") or "Q"
        names, fields, options = sorted_words(words, MQPMO, self.placed)
        handle = self.handle(who, queue, "put", TO_PUT)
        warned: Outcome = done
        for name in names:
            message = message_of(name, dict(fields))
            self.placed[name] = handle.put(message, PutMessageOptions(options, context=self.got.get(who)))
            warned = ended(message)
        return warned

    def _put1(self, who: str, words: list[str]) -> Outcome:
        queue = after(words, "on") or "Q"
        (name,), fields, options = sorted_words(words, MQPMO, self.placed)
        at, alternate = str(fields.pop("at", "")), str(fields.pop("alternate", ""))
        message = message_of(name, fields)
        context = PutMessageOptions(options, context=self.got.get(who))
        self.placed[name] = self.connection(who).put1(
            queue, message, context, queue_manager=at, alternate_user=alternate
        )
        return ended(message)

    def _get(self, who: str, words: list[str]) -> Outcome:
        queue = after(words, "from") or "Q"
        _, fields, options = sorted_words(words, MQGMO, self.placed)
        buffer, wait = fields.pop("buffer", None), fields.pop("wait_interval", 0)
        match = fields.pop("match", 0) | sum(MATCHED[name] for name in fields)
        handle = self.handle(who, queue, "get", TO_GET)
        asked = GetMessageOptions(options, wait_interval=wait, match_options=match, buffer_length=buffer, **fields)
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
        self.qmgr.resolve(name, luwid, commit={"commit": True, "backout": False}[decision])
        return done

    def _doubt(self, who: str, words: list[str]) -> Outcome:
        units = [f"{each.name}/{each.luwid}/{each.puts}+{each.gets}" for each in self.qmgr.in_doubt()]
        return lambda wanted: units or ["nothing"]

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
        """End and start the queue manager while the program keeps its connection."""
        self.qmgr.end(immediate=True)
        self.qmgr.start()
        return done

    def _end(self, who: str, words: list[str]) -> Outcome:
        """Make a controlled end, which waits for programs to disconnect."""
        self.qmgr.end()
        return done

    def _start(self, who: str, words: list[str]) -> Outcome:
        self.qmgr.start()
        return done

    def _begin(self, who: str, words: list[str]) -> Outcome:
        reason = self.connection(who).begin()
        return lambda wanted: [f"1/{reason}"]

    def _set(self, who: str, words: list[str]) -> Outcome:
        queue, *values = words
        given = dict(each.split("=", 1) for each in values)
        handle = self.handle(who, queue, "set", MQOO.SET)
        handle.set({selector(name): int(value) if value.isdigit() else value for name, value in given.items()})
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


def done(wanted: list[str]) -> list[str]:
    return ["0/0"]


def ended(message: Message) -> Outcome:
    """Return the outcome of a put, whose warning is on the message."""
    return lambda wanted: [code(message)]
