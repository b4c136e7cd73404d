"""`mqsc lsp`: the language server, on standard input and output."""

from __future__ import annotations

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from mqsc.explain.lookup import explanations, topic_lines
from mqsc.lsp.diagnostics import Checked, StaleError, checked, known_at_once
from mqsc.lsp.layout import layout_of
from mqsc.lsp.names import completions_at, location_of, named_at, range_of, region_at
from mqsc.shell.completion import MAX_NAMES
from mqsc.version import __version__

# A check begins when nothing was typed for this time, in seconds.
PAUSE = 0.2
_WIDTH = 80


_PLAIN_NAME = re.compile(r"[A-Z0-9._%/]+")


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
        candidates = [*completions_at(document, parameters.position)]
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
            region_at(document, parameters.position.line) is None
            or not word
            or not explanations(word)
        ):
            return None
        text = "\n".join(topic_lines([word], _WIDTH))
        return types.Hover(types.MarkupContent(types.MarkupKind.PlainText, text))

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    def defined(parameters: types.DefinitionParams) -> list[types.Location]:
        return [location_of(*named) for named in named_at(server, parameters) if named[1].defines]

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    def referred(parameters: types.ReferenceParams) -> list[types.Location]:
        return [location_of(*named) for named in named_at(server, parameters)]

    @server.feature(types.TEXT_DOCUMENT_RENAME)
    def renamed(parameters: types.RenameParams) -> types.WorkspaceEdit:
        name = parameters.new_name
        new = name if _PLAIN_NAME.fullmatch(name) else "'{}'".format(name.replace("'", "''"))
        changes: dict[str, list[types.TextEdit]] = {}
        for uri, named in named_at(server, parameters):
            changes.setdefault(uri, []).append(types.TextEdit(range_of(named), new))
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
