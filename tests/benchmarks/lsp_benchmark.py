"""How soon the language server answers after a key in a document of 10,000 lines, while its check runs."""

from __future__ import annotations

import asyncio
import time

from lsprotocol import types

from tests.mqsc.lsp.test_server import Editor, completed, with_server

LINES, KEYS = 10_000, 40


async def measure(client: Editor) -> None:
    """Print the median and the longest time of a completion after each key."""
    text = "".join(f"DEFINE QLOCAL(APP.Q{number}) BOTHRESH(3) BOQNAME(APP.B)\n" for number in range(LINES))
    await completed(client, "a.mqsc", text, LINES, 0)
    uri, took = "file:///work/a.mqsc", []
    for number in range(KEYS):
        key = types.TextDocumentContentChangePartial(
            types.Range(types.Position(LINES, number), types.Position(LINES, number)),
            "ALTER QLOCAL(APP.Q1) MAX"[number % 24],
        )
        version = types.VersionedTextDocumentIdentifier(number + 2, uri)
        began = time.perf_counter()
        client.text_document_did_change(types.DidChangeTextDocumentParams(version, [key]))
        at = types.CompletionParams(types.TextDocumentIdentifier(uri), types.Position(LINES, number + 1))
        await client.text_document_completion_async(at)
        took.append(time.perf_counter() - began)
        await asyncio.sleep(0.3)
    took.sort()
    print(
        f"completion after a key, {LINES} lines: median {took[KEYS // 2] * 1e3:.0f} ms, longest {took[-1] * 1e3:.0f} ms"
    )


if __name__ == "__main__":
    with_server(measure)()
