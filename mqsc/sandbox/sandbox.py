"""What the tools of an agent do: the ordinary code, on a copy of the store that each call makes
anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any

from msgspec import Struct, field

from mqsc.console import getting
from mqsc.console.options import Choices
from mqsc.console.parameters import MsgIdPrefix, PastMoment, Words
from mqsc.console.target import (
    CommandFailedError,
    NotAuthorizedError,
    NothingRunError,
    explained,
    opened_queue_manager,
    path_of_file,
    store_to_look_up,
)
from mqsc.console.text.message_properties import properties_as_json
from mqsc.console.text.messages import message_as_json
from mqsc.console.text.triggering import explanation_lines, read_hypothetical
from mqsc.explain.lookup import topics, unknown
from mqsc.grammar.lines import LogicalLine, Remark, logical_lines
from mqsc.history.event_text import row_of, what_happened
from mqsc.history.message_argument import the_id
from mqsc.history.period import moment
from mqsc.history.trace_text import life_rows
from mqsc.language.refusal import CommandRefusal
from mqsc.language.reply import message_line
from mqsc.language.request import Request
from mqsc.sandbox.answers import UNTRUSTED, escaped, lines_escaped, rows_shown, untrusted_body
from mqsc.sandbox.trial import TrialAnswer, try_script
from mqsc.script import read_request
from mqsc.store import GetMessageOptions
from mqsc.store.admin.event_search import EventSelection, newest
from mqsc.store.admin.message_trace import life_of
from mqsc.store.admin.trigger_explanation import explain
from mqsc.store.client.store_url import url_of_file
from mqsc.store.constants import MQGMO, MQOO, MQRC
from mqsc.store.error import MissingStoreError
from mqsc.store.past.present import copy_of_present
from mqsc.store.published import KINDS
from mqsc.store.sqlite.files import is_missing, owner_of
from mqsc.verbs import perform_request

# The longest texts that tools take. A script of a whole queue manager has some thousand lines.
LONGEST_COMMAND = 10_000
LONGEST_SCRIPT = 500_000
MOST_MESSAGES = 50
MOST_EVENTS = 100
MOST_WORDS = 20
# Calls that are answered at the same time: each has a copy of the store.
AT_ONCE = 2
_WIDTH = 100
_ONE_DISPLAY = "display takes one DISPLAY command, such as DISPLAY QLOCAL(*) CURDEPTH"


class Sandbox(Struct, frozen=True):
    """A store that is only read, and the folder for the plans of what was tried there, if there is
    one.
    """

    path: str
    choices: Choices
    plans: Path | None = None
    saved: set[str] = field(default_factory=set)
    turns: BoundedSemaphore = field(default_factory=lambda: BoundedSemaphore(AT_ONCE))

    @classmethod
    def of(cls, choices: Choices, plans: Path | None) -> Sandbox:
        """The store that the options name; StoreError if there is none, NotAuthorizedError unless
        it is the user's own.
        """
        path = path_of_file(choices)
        if is_missing(path):
            raise MissingStoreError(path)
        is_owner, owner = owner_of(path)
        if not is_owner:
            # In a copy, the user would be the owner, who may do everything.
            raise NotAuthorizedError(
                f"{path} belongs to {owner}; only its owner can let an agent look at it",
            )
        return cls(path, choices, plans)

    def check(self) -> None:
        """Make the folder for plans; NothingRunError if that fails, or the error of other commands
        if the store cannot be read, or lacks the queue manager that was named.
        """
        if self.plans is not None:
            try:
                self.plans.mkdir(exist_ok=True)
            except OSError as error:
                raise NothingRunError(f"{self.plans} cannot be made: {error.strerror}") from error
        with self._copy() as choices, opened_queue_manager(choices):
            pass

    @contextmanager
    def _copy(self) -> Iterator[Choices]:
        with self.turns, copy_of_present(self.path) as file:
            yield self.choices._replace(store=url_of_file(file), quiet=True)

    def display(self, command: str) -> dict[str, Any]:
        """The answer to one DISPLAY command; CommandFailedError for anything else."""
        request = display_request(command)
        with self._copy() as choices, opened_queue_manager(choices) as qmgr:
            answer = perform_request(qmgr, request)
            found = rows_shown(answer.rows)
            return {
                "queue_manager": escaped(qmgr.name),
                "message_id": answer.message_id,
                "text": lines_escaped(answer.text),
                **found,
            }

    def browse(self, queue: str, limit: int) -> dict[str, Any]:
        """The first messages on a queue, with the beginning of their data and their properties."""
        most = min(max(limit, 1), MOST_MESSAGES)
        checked(queue, LONGEST_COMMAND, "queue")
        with (
            self._copy() as choices,
            opened_queue_manager(choices) as qmgr,
            qmgr.connect("mqsc mcp") as connection,
        ):
            options = GetMessageOptions(MQGMO.BROWSE_NEXT | MQGMO.FAIL_IF_QUIESCING)
            handle = getting.opened(connection, queue, MQOO.BROWSE | MQOO.FAIL_IF_QUIESCING, "")
            properties = getting.with_properties(connection, options)
            rows: list[dict[str, Any]] = []
            while len(rows) <= most and (message := getting.get_or_none(handle, options)):
                row = message_as_json(message)
                row["body"] = untrusted_body(message.body)
                found = properties_as_json(properties)
                if found:
                    row["properties"] = {"untrusted": found}
                rows.append(row)
            return {"queue": escaped(queue), "note": UNTRUSTED, **rows_shown(rows, most)}

    def why(self, queue: str, put: str) -> dict[str, Any]:
        """Why a queue does or does not trigger; with `put`, what such a put would do."""
        checked(queue, LONGEST_COMMAND, "queue")
        hypothetical = read_hypothetical(checked(put, LONGEST_COMMAND, "put")) if put else None
        with (
            self._copy() as choices,
            opened_queue_manager(choices) as qmgr,
            explained(MQRC.UNKNOWN_OBJECT_NAME, message_line("AMQ8147E", queue)),
        ):
            found = explain(qmgr, queue, hypothetical)
            return {"text": [escaped(line) for line in explanation_lines(found, _WIDTH)]}

    def history(self, queue: str, kinds: str, since: str, limit: int) -> dict[str, Any]:
        """The newest events, oldest first: of a queue, of these kinds, since a time, if given."""
        chosen = Words("a kind of event", [*KINDS]).read(kinds) if kinds else frozenset[str]()
        begin = PastMoment().read(since) if since else None
        most = min(max(limit, 1), MOST_EVENTS)
        with self._copy() as choices, store_to_look_up(choices) as store:
            selection = EventSelection(
                queue=checked(queue, LONGEST_COMMAND, "queue") or None,
                qmgr=choices.qmgr_name(),
                since=moment(begin, store, choices),
                kinds=chosen,
            )
            events = newest(store, selection, most)
            return rows_shown({**row_of(each), "what": what_happened(each)} for each in events)

    def trace(self, msg_id: str) -> dict[str, Any]:
        """The life of the message with this MsgId in the store."""
        digits = MsgIdPrefix().read(checked(msg_id, LONGEST_COMMAND, "msg_id"))
        with self._copy() as choices, store_to_look_up(choices) as store:
            life = life_of([store], the_id([store], digits, choices))
            return rows_shown(life_rows(life, [self.path]))

    def explain(self, words: str) -> dict[str, Any]:
        """The explanation of codes, messages, keywords, commands and concepts."""
        asked = checked(words, LONGEST_COMMAND, "words").split()
        if len(asked) > MOST_WORDS:
            raise CommandFailedError(f"at most {MOST_WORDS} words are explained at a time")
        pages = [*topics(asked)]
        missing = [escaped(unknown(word)) for word, found in pages if not found]
        explanations = (each.as_json() for _, found in pages for each in found)
        return {**rows_shown(explanations), "unknown": missing}

    def try_changes(self, script: str) -> TrialAnswer:
        """What a script would change, tried on a copy."""
        checked(script, LONGEST_SCRIPT, "script")
        with self._copy() as choices:
            return try_script(choices, script, self.plans, self.saved)


def checked(text: str, longest: int, what: str) -> str:
    """The text; CommandFailedError if it is too long, or no text that can be written."""
    if len(text) > longest:
        raise CommandFailedError(f"{what} has {len(text)} characters; at most {longest} are read")
    if any("\ud800" <= each <= "\udfff" for each in text):
        raise CommandFailedError(f"{what} has half of a surrogate pair, which is no character")
    return text


def display_request(command: str) -> Request:
    """The one DISPLAY command in a text; CommandFailedError if there is anything else."""
    items = [*logical_lines((checked(command, LONGEST_COMMAND, "command"),))]
    lines = [each for each in items if isinstance(each, LogicalLine)]
    if len(lines) != 1 or any(isinstance(each, Remark) for each in items):
        raise CommandFailedError(f"{_ONE_DISPLAY}; this text has {len(lines)} commands")
    request = read_request(lines[0])
    if isinstance(request, CommandRefusal):
        raise CommandFailedError(request.answer(lines[0], None).text)
    if request.verb != "DISPLAY":
        raise CommandFailedError(f"{_ONE_DISPLAY}; this is {request.verb}, which it never runs")
    return request
