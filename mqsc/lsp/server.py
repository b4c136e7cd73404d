"""`mqsc lsp`: the language server, on standard input and output."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from copy import deepcopy
from itertools import islice
from typing import NamedTuple

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from mqsc.diagnostic import Diagnostic
from mqsc.dlq.entry import lint_table, parse_table
from mqsc.dlq.keywords import KEYWORDS
from mqsc.dlq.lint.table_rule import QueueManagerFacts
from mqsc.explain.subjects import explanations, topic_lines
from mqsc.grammar.lines import LogicalLine, logical_lines
from mqsc.grammar.tree import SyntaxFault
from mqsc.lint.script_check import ScriptCheck
from mqsc.lint.scripts import read_script
from mqsc.lsp.regions import (
    MQSC,
    RULES,
    NamedObject,
    Region,
    alike,
    commands_around,
    names_in,
    regions,
)
from mqsc.scripts.layout import laid_out
from mqsc.shell.command_text import last_command
from mqsc.shell.completion import MAX_NAMES, Candidate, completions, place_in
from mqsc.version import __version__

# A check begins when nothing was typed for this time, in seconds.
PAUSE = 0.2
_WIDTH = 80
# An editor shows no more in a document, and sending 10,000 takes a second. Errors come first.
MOST_SHOWN = 1000
# With more lines changed, only the check of the whole document looks at them: each takes a
# twentieth of a millisecond.
MOST_AT_ONCE = 500
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}
_WORD = re.compile(r"[\w.%/$-]+")
_DEFINED = re.compile(r"(?i)\bDEF(?:INE)?\s+\w+\s*\(\s*([\w.%/]+)\s*\)")
_PLAIN_NAME = re.compile(r"[A-Z0-9._%/]+")


Positioned = types.DefinitionParams | types.ReferenceParams | types.RenameParams


def made_server() -> LanguageServer:
    """A server that knows no document yet."""
    server = LanguageServer(
        "mqsc",
        __version__,
        text_document_sync_kind=types.TextDocumentSyncKind.Incremental,
    )
    checks: dict[str, asyncio.Task[None]] = {}
    known: dict[str, Checked] = {}
    # One thread: a check that has become stale ends before the next begins, and answers wait for
    # one at most.
    checker = ThreadPoolExecutor(1)

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def changed(given: types.DidOpenTextDocumentParams | types.DidChangeTextDocumentParams) -> None:
        uri = given.text_document.uri
        if uri in checks:
            checks[uri].cancel()
        checks[uri] = asyncio.ensure_future(_check(server, uri, checker, known))

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(given: types.DidCloseTextDocumentParams) -> None:
        uri = given.text_document.uri
        if uri in checks:
            checks.pop(uri).cancel()
        known.pop(uri, None)
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION,
        types.CompletionOptions(trigger_characters=["(", " "]),
    )
    def completed(given: types.CompletionParams) -> types.CompletionList:
        document = server.workspace.get_text_document(given.text_document.uri)
        found = [*_completions(document, given.position)]
        return types.CompletionList(len(found) >= MAX_NAMES, found)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hovered(given: types.HoverParams) -> types.Hover | None:
        document = server.workspace.get_text_document(given.text_document.uri)
        word = document.word_at_position(
            given.position,
            re.compile(r"[\w.%/$-]*$"),
            re.compile(r"^[\w.%/$-]*"),
        )
        if _region_at(document, given.position.line) is None or not word or not explanations(word):
            return None
        text = "\n".join(topic_lines([word], _WIDTH))
        return types.Hover(types.MarkupContent(types.MarkupKind.PlainText, text))

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def defined(given: types.DefinitionParams) -> list[types.Location]:
        return [_location(*each) for each in _named_at(server, given) if each[1].defines]

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def referred(given: types.ReferenceParams) -> list[types.Location]:
        return [_location(*each) for each in _named_at(server, given)]

    @server.feature(types.TEXT_DOCUMENT_RENAME)
    def renamed(given: types.RenameParams) -> types.WorkspaceEdit:
        name = given.new_name
        new = name if _PLAIN_NAME.fullmatch(name) else "'{}'".format(name.replace("'", "''"))
        changes: dict[str, list[types.TextEdit]] = {}
        for uri, each in _named_at(server, given):
            changes.setdefault(uri, []).append(types.TextEdit(_range(each), new))
        return types.WorkspaceEdit(changes=changes)

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def formatted(given: types.DocumentFormattingParams) -> list[types.TextEdit]:
        document = server.workspace.get_text_document(given.text_document.uri)
        return [*layout_of(document.path, document.source)]

    return server


async def _check(
    server: LanguageServer,
    uri: str,
    checker: ThreadPoolExecutor,
    known: dict[str, Checked],
) -> None:
    """Publish what is known at once of a document that has changed, and the result of its check
    after a pause.
    """
    document = server.workspace.get_text_document(uri)
    path, text, version = document.path, document.source, document.version

    def publish(found: Checked) -> None:
        known[uri] = found
        server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri, found.diagnostics, version),
        )

    def is_stale() -> bool:
        there = server.workspace.text_documents.get(uri)
        return there is None or there.version != version

    if uri in known:
        publish(known_at_once(path, text, known[uri]))
    await asyncio.sleep(PAUSE)
    with suppress(StaleError):
        loop = asyncio.get_running_loop()
        publish(await loop.run_in_executor(checker, checked, path, text, is_stale))


# Diagnostics: at once those of the commands that changed, and a little later those of the document
# as a whole.


class StaleError(Exception):
    """The document has changed since the check began."""


class Checked(NamedTuple):
    """The lines of a document when it was checked, and what was found."""

    lines: list[str]
    diagnostics: list[types.Diagnostic]


def checked(path: str, text: str, is_stale: Callable[[], bool]) -> Checked:
    """What `mqsc check` and `mqsc dlq check` find in a document; StaleError as soon as
    `is_stale`.
    """
    found = sorted(_of_document(path, text, is_stale), key=lambda each: int(each.severity or 0))
    return Checked(text.split("\n"), found[:MOST_SHOWN])


def _of_document(path: str, text: str, is_stale: Callable[[], bool]) -> Iterator[types.Diagnostic]:
    def watched(lines: list[str]) -> Iterator[str]:
        for line in lines:
            if is_stale():
                raise StaleError
            yield line

    for region in regions(path, text):
        if region.kind == RULES:
            parsed = parse_table(watched(region.lines))
            found = (
                parsed.diagnostics
                if parsed.table is None
                else lint_table(parsed.table, QueueManagerFacts())
            )
        else:
            with ScriptCheck() as check:
                check.read(watched(region.lines))
                found = tuple(check.diagnostics())
        yield from (_diagnostic(region, each) for each in found)


def known_at_once(path: str, text: str, last: Checked) -> Checked:
    """What the last check found in commands that have not changed, and the errors that those
    which have show alone.
    """
    lines = text.split("\n")
    first = alike(lines, last.lines)
    after = min(
        alike(reversed(lines), reversed(last.lines)),
        len(lines) - first,
        len(last.lines) - first,
    )
    # What was one command may be two now.
    ranges = [commands_around(each, first, len(each) - after) for each in (lines, last.lines)]
    first = min(begin for begin, _ in ranges)
    after = min(
        len(each) - beyond for each, (_, beyond) in zip((lines, last.lines), ranges, strict=True)
    )
    kept = [
        _moved(each, len(lines) - len(last.lines) if each.range.start.line >= first else 0)
        for each in last.diagnostics
        if not first <= each.range.start.line < len(last.lines) - after
    ]
    return Checked(lines, [*kept, *_errors_between(path, text, first, len(lines) - after)])


def _moved(found: types.Diagnostic, lines: int) -> types.Diagnostic:
    """The diagnostic so many lines further down."""
    moved = deepcopy(found) if lines else found
    moved.range.start.line += lines
    moved.range.end.line += lines
    return moved


def _errors_between(path: str, text: str, first: int, beyond: int) -> Iterator[types.Diagnostic]:
    """The errors of commands on some lines, as far as they can be told without other commands."""
    for region in regions(path, text) if beyond - first <= MOST_AT_ONCE else ():
        begin = max(first - region.line, 0)
        part = Region(
            MQSC,
            region.line + begin,
            region.column,
            region.lines[begin : max(beyond - region.line, 0)],
        )
        commands = (each for each in logical_lines(part.lines) if isinstance(each, LogicalLine))
        found = read_script(commands) if region.kind == MQSC else ()
        yield from (_diagnostic(part, each) for each in found if isinstance(each, Diagnostic))


def _diagnostic(region: Region, found: Diagnostic) -> types.Diagnostic:
    line, column = max(found.line - 1, 0), max(found.column - 1, 0)
    text = region.lines[line] if line < len(region.lines) else ""
    word = _WORD.match(text, column)
    end = word.end() if word else min(column + 1, len(text))
    start = types.Position(region.line + line, region.column + column)
    place = types.Range(start, types.Position(region.line + line, region.column + max(end, column)))
    return types.Diagnostic(
        place,
        found.text,
        _SEVERITIES[found.severity],
        found.rule_id,
        source="mqsc",
    )


# The layout of `mqsc fmt`.


def layout_of(path: str, text: str) -> Iterator[types.TextEdit]:
    """Yield the change of each region of a document; other languages stay, and so do regions
    with errors.
    """
    lines = text.split("\n")
    for region in regions(path, text):
        written = [number for number, line in enumerate(region.lines) if line.strip()]
        # Between other languages, blank lines around the commands are theirs.
        is_all = len(region.lines) == len(lines)
        begin, beyond = (0, len(lines)) if is_all or not written else (written[0], written[-1] + 1)
        with suppress(SyntaxFault):
            made = (
                laid_out("\n".join([*region.lines[begin:beyond], *[""] * (not is_all)]).encode())
                .decode()
                .split("\n")
            )
            first = region.line + begin
            indent = lines[first][: region.column]
            now = [
                indent + line if line.strip() else line for line in (made if is_all else made[:-1])
            ]
            yield from _difference(lines[first : region.line + beyond], now, first)


def _difference(was: list[str], made: list[str], first: int) -> Iterator[types.TextEdit]:
    """One change, from the first line that differs to the last; `first` is the number of the
    first line of `was`.
    """
    if made == was:
        return
    shorter = min(len(was), len(made))
    after = min(alike(reversed(was), reversed(made)), shorter - 1)
    before = min(alike(was, made), shorter - max(after, 1))
    changed = made[before : len(made) - after]
    start = types.Position(first + before, 0)
    if after:
        end, text = (
            types.Position(first + len(was) - after, 0),
            "".join(f"{line}\n" for line in changed),
        )
    else:
        units = len(was[-1].encode("utf-16-le")) // 2
        end, text = types.Position(first + len(was) - 1, units), "\n".join(changed)
    yield types.TextEdit(types.Range(start, end), text)


# Completion, and places of names.


def _completions(
    document: TextDocument,
    position: types.Position,
) -> Iterator[types.CompletionItem]:
    region = _region_at(document, position.line)
    if region is None:
        return
    typed = region.lines[: position.line - region.line + 1]
    typed[-1] = typed[-1][: position.character - region.column]
    if region.kind == RULES:
        found = [Candidate(row.keyword, row.help, "(") for row in KEYWORDS.values()]
    else:
        begun = last_command("\n".join(typed))
        found = completions(begun, None).candidates
        state = place_in(begun).state
        if state.takes_value:
            # Not from parsed commands, which takes a second for 10,000 of them; nor does an editor
            # want 10,000 names.
            names = dict.fromkeys(_DEFINED.findall(document.source))
            fitting = (name for name in names if name.upper().startswith(state.word.upper()))
            found += map(Candidate, islice(fitting, MAX_NAMES))
    for number, each in enumerate(found):
        yield types.CompletionItem(
            each.word,
            detail=each.about,
            insert_text=each.word + each.after,
            sort_text=f"{number:04}",
        )


def _region_at(document: TextDocument, line: int) -> Region | None:
    found = regions(document.path, document.source)
    return next((each for each in found if each.line <= line < each.line + len(each.lines)), None)


def _named_at(server: LanguageServer, given: Positioned) -> Iterator[tuple[str, NamedObject]]:
    """All places in open documents of the name at a place, each with the document's URI."""
    documents, position = server.workspace.text_documents, given.position
    here = _region_at(documents[given.text_document.uri], position.line)
    wanted = None
    if here is not None:
        found = names_in(here, line=position.line)
        wanted = next((each for each in found if each.has(position.line, position.character)), None)
    if wanted is None:
        return
    for uri, document in documents.items():
        for region in regions(document.path, document.source):
            yield from (
                (uri, each) for each in names_in(region, name=wanted.name) if each.is_of(wanted)
            )


def _location(uri: str, named: NamedObject) -> types.Location:
    return types.Location(uri, _range(named))


def _range(named: NamedObject) -> types.Range:
    end = types.Position(named.line, named.column + named.length)
    return types.Range(types.Position(named.line, named.column), end)
