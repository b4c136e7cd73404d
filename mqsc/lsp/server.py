"""`mqsc lsp`: the language server, on standard input and output."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import islice

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from grammar.tree import SyntaxFault
from mqsc import __version__
from mqsc.dlq.keywords import KEYWORDS
from mqsc.explain.subjects import explanations, topic_lines
from mqsc.lsp.diagnostics import Checked, StaleError, checked, known_at_once
from mqsc.lsp.regions import RULES, NamedObject, Region, alike, names_in, regions
from mqsc.scripts.layout import laid_out
from mqsc.shell.command_text import last_command
from mqsc.shell.completion import MAX_NAMES, Candidate, completions, place_in

# A check begins when nothing was typed for this time, in seconds.
PAUSE = 0.2
_WIDTH = 80
_DEFINED = re.compile(r"(?i)\bDEF(?:INE)?\s+\w+\s*\(\s*([\w.%/]+)\s*\)")
_PLAIN_NAME = re.compile(r"[A-Z0-9._%/]+")


Positioned = types.DefinitionParams | types.ReferenceParams | types.RenameParams


def made_server() -> LanguageServer:
    """A server that knows no document yet."""
    server = LanguageServer("mqsc", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Incremental)
    checks: dict[str, asyncio.Task[None]] = {}
    known: dict[str, Checked] = {}
    # One thread: a check that has become stale ends before the next begins, and answers wait for one at most.
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

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=["(", " "]))
    def completed(given: types.CompletionParams) -> types.CompletionList:
        document = server.workspace.get_text_document(given.text_document.uri)
        found = [*_completions(document, given.position)]
        return types.CompletionList(len(found) >= MAX_NAMES, found)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hovered(given: types.HoverParams) -> types.Hover | None:
        document = server.workspace.get_text_document(given.text_document.uri)
        word = document.word_at_position(given.position, re.compile(r"[\w.%/$-]*$"), re.compile(r"^[\w.%/$-]*"))
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


async def _check(server: LanguageServer, uri: str, checker: ThreadPoolExecutor, known: dict[str, Checked]) -> None:
    """Publish what is known at once of a document that has changed, and the result of its check after a pause."""
    document = server.workspace.get_text_document(uri)
    path, text, version = document.path, document.source, document.version

    def publish(found: Checked) -> None:
        known[uri] = found
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, found.diagnostics, version))

    def is_stale() -> bool:
        there = server.workspace.text_documents.get(uri)
        return there is None or there.version != version

    if uri in known:
        publish(known_at_once(path, text, known[uri]))
    await asyncio.sleep(PAUSE)
    with suppress(StaleError):
        loop = asyncio.get_running_loop()
        publish(await loop.run_in_executor(checker, checked, path, text, is_stale))


# The layout of `mqsc fmt`.


def layout_of(path: str, text: str) -> Iterator[types.TextEdit]:
    """Yield the change of each region of a document; other languages stay, and so do regions with errors."""
    lines = text.split("\n")
    for region in regions(path, text):
        written = [number for number, line in enumerate(region.lines) if line.strip()]
        # Between other languages, blank lines around the commands are theirs.
        is_all = len(region.lines) == len(lines)
        begin, beyond = (0, len(lines)) if is_all or not written else (written[0], written[-1] + 1)
        with suppress(SyntaxFault):
            made = (
                laid_out("\n".join([*region.lines[begin:beyond], *[""] * (not is_all)]).encode()).decode().split("\n")
            )
            first = region.line + begin
            indent = lines[first][: region.column]
            now = [indent + line if line.strip() else line for line in (made if is_all else made[:-1])]
            yield from _difference(lines[first : region.line + beyond], now, first)


def _difference(was: list[str], made: list[str], first: int) -> Iterator[types.TextEdit]:
    """One change, from the first line that differs to the last; `first` is the number of the first line of `was`."""
    if made == was:
        return
    shorter = min(len(was), len(made))
    after = min(alike(reversed(was), reversed(made)), shorter - 1)
    before = min(alike(was, made), shorter - max(after, 1))
    changed = made[before : len(made) - after]
    start = types.Position(first + before, 0)
    if after:
        end, text = types.Position(first + len(was) - after, 0), "".join(f"{line}\n" for line in changed)
    else:
        units = len(was[-1].encode("utf-16-le")) // 2
        end, text = types.Position(first + len(was) - 1, units), "\n".join(changed)
    yield types.TextEdit(types.Range(start, end), text)


# Completion, and places of names.


def _completions(document: TextDocument, position: types.Position) -> Iterator[types.CompletionItem]:
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
            # Not from parsed commands, which takes a second for 10,000 of them; nor does an editor want 10,000 names.
            names = dict.fromkeys(_DEFINED.findall(document.source))
            fitting = (name for name in names if name.upper().startswith(state.word.upper()))
            found += map(Candidate, islice(fitting, MAX_NAMES))
    for number, each in enumerate(found):
        yield types.CompletionItem(
            each.word, detail=each.about, insert_text=each.word + each.after, sort_text=f"{number:04}"
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
            yield from ((uri, each) for each in names_in(region, name=wanted.name) if each.is_of(wanted))


def _location(uri: str, named: NamedObject) -> types.Location:
    return types.Location(uri, _range(named))


def _range(named: NamedObject) -> types.Range:
    end = types.Position(named.line, named.column + named.length)
    return types.Range(types.Position(named.line, named.column), end)
