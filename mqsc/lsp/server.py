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
from mqsc.dlq.keywords import KEYWORDS
from mqsc.dlq.lint.table_rule import QueueManagerFacts
from mqsc.dlq.table_check import lint_table
from mqsc.dlq.table_reading import parse_table
from mqsc.explain.lookup import explanations, topic_lines
from mqsc.grammar.lines import LogicalLine, logical_lines
from mqsc.grammar.tree import SyntaxFault
from mqsc.lint.script_check import ScriptCheck
from mqsc.lint.script_reading import read_script
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
    def changed(
        parameters: types.DidOpenTextDocumentParams | types.DidChangeTextDocumentParams,
    ) -> None:
        uri = parameters.text_document.uri
        if uri in checks:
            checks[uri].cancel()
        checks[uri] = asyncio.ensure_future(_check(server, uri, checker, known))

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def closed(parameters: types.DidCloseTextDocumentParams) -> None:
        uri = parameters.text_document.uri
        if uri in checks:
            checks.pop(uri).cancel()
        known.pop(uri, None)
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION,
        types.CompletionOptions(trigger_characters=["(", " "]),
    )
    def completed(parameters: types.CompletionParams) -> types.CompletionList:
        document = server.workspace.get_text_document(parameters.text_document.uri)
        candidates = [*_completions(document, parameters.position)]
        return types.CompletionList(len(candidates) >= MAX_NAMES, candidates)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hovered(parameters: types.HoverParams) -> types.Hover | None:
        document = server.workspace.get_text_document(parameters.text_document.uri)
        word = document.word_at_position(
            parameters.position,
            re.compile(r"[\w.%/$-]*$"),
            re.compile(r"^[\w.%/$-]*"),
        )
        if (
            _region_at(document, parameters.position.line) is None
            or not word
            or not explanations(word)
        ):
            return None
        text = "\n".join(topic_lines([word], _WIDTH))
        return types.Hover(types.MarkupContent(types.MarkupKind.PlainText, text))

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def defined(parameters: types.DefinitionParams) -> list[types.Location]:
        return [_location(*named) for named in _named_at(server, parameters) if named[1].defines]

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def referred(parameters: types.ReferenceParams) -> list[types.Location]:
        return [_location(*named) for named in _named_at(server, parameters)]

    @server.feature(types.TEXT_DOCUMENT_RENAME)
    def renamed(parameters: types.RenameParams) -> types.WorkspaceEdit:
        name = parameters.new_name
        new = name if _PLAIN_NAME.fullmatch(name) else "'{}'".format(name.replace("'", "''"))
        changes: dict[str, list[types.TextEdit]] = {}
        for uri, named in _named_at(server, parameters):
            changes.setdefault(uri, []).append(types.TextEdit(_range(named), new))
        return types.WorkspaceEdit(changes=changes)

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    def formatted(parameters: types.DocumentFormattingParams) -> list[types.TextEdit]:
        document = server.workspace.get_text_document(parameters.text_document.uri)
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
    path = document.path
    text = document.source
    version = document.version

    def publish(result: Checked) -> None:
        known[uri] = result
        server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri, result.diagnostics, version),
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
    diagnostics = sorted(
        _of_document(path, text, is_stale), key=lambda each: int(each.severity or 0)
    )
    return Checked(text.split("\n"), diagnostics[:MOST_SHOWN])


def _of_document(path: str, text: str, is_stale: Callable[[], bool]) -> Iterator[types.Diagnostic]:
    def watched(lines: list[str]) -> Iterator[str]:
        for line in lines:
            if is_stale():
                raise StaleError
            yield line

    for region in regions(path, text):
        if region.kind == RULES:
            parsed = parse_table(watched(region.lines))
            diagnostics = (
                parsed.diagnostics
                if parsed.table is None
                else lint_table(parsed.table, QueueManagerFacts())
            )
        else:
            with ScriptCheck() as check:
                check.read(watched(region.lines))
                diagnostics = tuple(check.diagnostics())
        yield from (_diagnostic(region, diagnostic) for diagnostic in diagnostics)


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
        _moved(
            diagnostic, len(lines) - len(last.lines) if diagnostic.range.start.line >= first else 0
        )
        for diagnostic in last.diagnostics
        if not first <= diagnostic.range.start.line < len(last.lines) - after
    ]
    return Checked(lines, [*kept, *_errors_between(path, text, first, len(lines) - after)])


def _moved(diagnostic: types.Diagnostic, lines: int) -> types.Diagnostic:
    """The diagnostic so many lines further down."""
    moved = deepcopy(diagnostic) if lines else diagnostic
    moved.range.start.line += lines
    moved.range.end.line += lines
    return moved


def _errors_between(path: str, text: str, first: int, beyond: int) -> Iterator[types.Diagnostic]:
    """The errors of commands on some lines that can be found without other commands."""
    for region in regions(path, text) if beyond - first <= MOST_AT_ONCE else ():
        begin = max(first - region.line, 0)
        part = Region(
            MQSC,
            region.line + begin,
            region.column,
            region.lines[begin : max(beyond - region.line, 0)],
        )
        commands = (line for line in logical_lines(part.lines) if isinstance(line, LogicalLine))
        commands_read = read_script(commands) if region.kind == MQSC else ()
        yield from (
            _diagnostic(part, each) for each in commands_read if isinstance(each, Diagnostic)
        )


def _diagnostic(region: Region, diagnostic: Diagnostic) -> types.Diagnostic:
    line, column = max(diagnostic.line - 1, 0), max(diagnostic.column - 1, 0)
    text = region.lines[line] if line < len(region.lines) else ""
    word = _WORD.match(text, column)
    end = word.end() if word else min(column + 1, len(text))
    start = types.Position(region.line + line, region.column + column)
    place = types.Range(start, types.Position(region.line + line, region.column + max(end, column)))
    return types.Diagnostic(
        place,
        diagnostic.text,
        _SEVERITIES[diagnostic.severity],
        diagnostic.rule_id,
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
            tidy = (
                laid_out("\n".join([*region.lines[begin:beyond], *[""] * (not is_all)]).encode())
                .decode()
                .split("\n")
            )
            first = region.line + begin
            indent = lines[first][: region.column]
            now = [
                indent + line if line.strip() else line for line in (tidy if is_all else tidy[:-1])
            ]
            yield from _difference(lines[first : region.line + beyond], now, first)


def _difference(was: list[str], now: list[str], first: int) -> Iterator[types.TextEdit]:
    """One change, from the first line that differs to the last; `first` is the number of the
    first line of `was`.
    """
    if now == was:
        return
    shorter = min(len(was), len(now))
    after = min(alike(reversed(was), reversed(now)), shorter - 1)
    before = min(alike(was, now), shorter - max(after, 1))
    changed = now[before : len(now) - after]
    start = types.Position(first + before, 0)
    if after:
        end = types.Position(first + len(was) - after, 0)
        text = "".join(f"{line}\n" for line in changed)
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
        candidates = [Candidate(row.keyword, row.help, "(") for row in KEYWORDS.values()]
    else:
        begun = last_command("\n".join(typed))
        candidates = completions(begun, None).candidates
        state = place_in(begun).state
        if state.takes_value:
            # Not from parsed commands, which takes a second for 10,000 of them; nor does an editor
            # want 10,000 names.
            names = dict.fromkeys(_DEFINED.findall(document.source))
            fitting = (name for name in names if name.upper().startswith(state.word.upper()))
            candidates += map(Candidate, islice(fitting, MAX_NAMES))
    for number, candidate in enumerate(candidates):
        yield types.CompletionItem(
            candidate.word,
            detail=candidate.about,
            insert_text=candidate.word + candidate.after,
            sort_text=f"{number:04}",
        )


def _region_at(document: TextDocument, line: int) -> Region | None:
    regions_here = regions(document.path, document.source)
    return next(
        (each for each in regions_here if each.line <= line < each.line + len(each.lines)), None
    )


def _named_at(server: LanguageServer, parameters: Positioned) -> Iterator[tuple[str, NamedObject]]:
    """All places in open documents of the name at a place, each with the document's URI."""
    documents, position = server.workspace.text_documents, parameters.position
    here = _region_at(documents[parameters.text_document.uri], position.line)
    wanted = None
    if here is not None:
        names_here = names_in(here, line=position.line)
        wanted = next(
            (each for each in names_here if each.has(position.line, position.character)), None
        )
    if wanted is None:
        return
    for uri, document in documents.items():
        for region in regions(document.path, document.source):
            yield from (
                (uri, named) for named in names_in(region, name=wanted.name) if named.is_of(wanted)
            )


def _location(uri: str, named: NamedObject) -> types.Location:
    return types.Location(uri, _range(named))


def _range(named: NamedObject) -> types.Range:
    end = types.Position(named.line, named.column + named.length)
    return types.Range(types.Position(named.line, named.column), end)
