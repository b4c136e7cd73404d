"""How soon the language server answers after a key in a document of 10,000 lines, while its
check runs.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from lsprotocol import types

from tests.mqsc.lsp.test_server import Editor, opened, published, with_server

LINES, KEYS = 10_000, 40
URI = "file:///work/a.mqsc"
DOCUMENT = types.TextDocumentIdentifier(URI)
OPTIONS = types.FormattingOptions(tab_size=4, insert_spaces=True)


def change(client: Editor, version: int, text: str, line: int, column: int) -> None:
    place = types.Position(line, column)
    key = types.TextDocumentContentChangePartial(types.Range(place, place), text)
    changed = types.VersionedTextDocumentIdentifier(version, URI)
    client.text_document_did_change(types.DidChangeTextDocumentParams(changed, [key]))


def answers(client: Editor) -> dict[str, Callable[[int, types.Position], Awaitable[object]]]:
    """What is asked after a key, given the version and the place."""
    name = types.Position(17, 22)
    return {
        "diagnostics": lambda version, _: published(client, DOCUMENT, version),
        "completion": lambda _, at: client.text_document_completion_async(
            types.CompletionParams(DOCUMENT, at),
        ),
        "hover": lambda _, at: client.text_document_hover_async(
            types.HoverParams(DOCUMENT, types.Position(9, 3)),
        ),
        "definition": lambda _, at: client.text_document_definition_async(
            types.DefinitionParams(DOCUMENT, name),
        ),
        "layout": lambda _, at: client.text_document_formatting_async(
            types.DocumentFormattingParams(DOCUMENT, OPTIONS),
        ),
    }


async def measure(client: Editor) -> None:
    """Print the median and the longest time of each answer after a key, and when the check of
    the whole ends.
    """
    text = "".join(
        f"DEFINE QLOCAL(APP.Q{number}) BOTHRESH(3) BOQNAME(APP.B)\n" for number in range(LINES)
    )
    began = time.perf_counter()
    opened(client, "a.mqsc", text)
    await published(client, DOCUMENT, 1)
    print(f"{LINES} lines: the first check takes {time.perf_counter() - began:.1f} s")
    version = 1
    for what, ask in answers(client).items():
        took = []
        for number in range(KEYS):
            version += 1
            began = time.perf_counter()
            change(client, version, "ALTER QLOCAL(APP.Q1) MAX "[number % 25], LINES, number)
            await ask(version, types.Position(LINES, number + 1))
            took.append(time.perf_counter() - began)
            await asyncio.sleep(0.3)
        change(client, version := version + 1, "\n", LINES, 0)
        took.sort()
        print(f"{what}: median {took[KEYS // 2] * 1e3:.0f} ms, longest {took[-1] * 1e3:.0f} ms")


if __name__ == "__main__":
    with_server(measure)()
