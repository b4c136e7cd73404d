"""Completion, and the places of names in documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from mqsc.dlq.keywords import KEYWORDS
from mqsc.lsp.regions import RULES, NamedObject, Region, names_in, regions
from mqsc.shell.command_text import last_command
from mqsc.shell.completion import MAX_NAMES, Candidate, completions, place_in

_DEFINED = re.compile(r"(?i)\bDEF(?:INE)?\s+\w+\s*\(\s*([\w.%/]+)\s*\)")

Positioned = types.DefinitionParams | types.ReferenceParams | types.RenameParams


def completions_at(
    document: TextDocument,
    position: types.Position,
) -> Iterator[types.CompletionItem]:
    region = region_at(document, position.line)
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


def region_at(document: TextDocument, line: int) -> Region | None:
    regions_here = regions(document.path, document.source)
    return next(
        (each for each in regions_here if each.line <= line < each.line + len(each.lines)), None
    )


def named_at(server: LanguageServer, parameters: Positioned) -> Iterator[tuple[str, NamedObject]]:
    """All places in open documents of the name at a place, each with the document's URI."""
    documents, position = server.workspace.text_documents, parameters.position
    here = region_at(documents[parameters.text_document.uri], position.line)
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


def location_of(uri: str, named: NamedObject) -> types.Location:
    return types.Location(uri, range_of(named))


def range_of(named: NamedObject) -> types.Range:
    end = types.Position(named.line, named.column + named.length)
    return types.Range(types.Position(named.line, named.column), end)
