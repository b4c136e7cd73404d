"""`mqsc lsp`, through the protocol."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from functools import wraps

from lsprotocol import types
from pygls.lsp.client import LanguageClient

SCRIPT = """\
* orders.mqsc
DEFINE QLOCAL(ORDERS) TRIGGER(YES) +
   BOQNAME('ORDERS.BACKOUT')
DEFINE QLOCAL(ORDERS.BACKOUT)
DEFINE QALIAS(SHOP) TARGET(ORDERS)
"""
YAML = """\
kind: ConfigMap
data:
  config.mqsc: |
    DEFINE QLOCAL(A)
    MAKE QLOCAL(B)
  other: text
"""
SHELL = """\
echo MAKE
runmqsc QM1 <<'EOF'
DEFINE QLOCAL(A) MAXDEPTH(x)
EOF
"""
RULES = "ACTION(RETRY) REASON(MQRC_Q_FUL)\n"


class Editor(LanguageClient):
    """An editor that keeps the diagnostics of its documents."""

    def __init__(self) -> None:
        super().__init__("editor", "1")
        self.documents: set[str] = set()
        self.diagnostics: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()

        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def keep(found: types.PublishDiagnosticsParams) -> None:
            self.diagnostics.put_nowait(found)


def with_server(test: Callable[[Editor], Awaitable[None]]) -> Callable[[], None]:
    """A test with an editor that has started a server of its own."""

    async def play() -> None:
        editor = Editor()
        await editor.start_io(sys.executable, "-m", "mqsc", "lsp")
        await editor.initialize_async(
            types.InitializeParams(capabilities=types.ClientCapabilities()),
        )
        editor.initialized(types.InitializedParams())
        try:
            await test(editor)
        finally:
            await editor.shutdown_async(None)
            editor.exit(None)
            await editor.stop()  # type: ignore[no-untyped-call]

    @wraps(test)
    def run() -> None:
        asyncio.run(play())

    # Otherwise pytest looks for a fixture with the name of the editor.
    del run.__wrapped__
    return run


def opened(client: Editor, name: str, text: str) -> types.TextDocumentIdentifier:
    uri = f"file:///work/{name}"
    client.documents.add(uri)
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "mqsc", 1, text)),
    )
    return types.TextDocumentIdentifier(uri)


async def published(
    client: Editor,
    document: types.TextDocumentIdentifier,
    version: int,
) -> types.PublishDiagnosticsParams:
    while True:
        found = await client.diagnostics.get()
        if (found.uri, found.version) == (document.uri, version):
            return found


async def diagnosed(client: Editor, name: str, text: str) -> list[tuple[int, int, object]]:
    document = opened(client, name, text)
    found = await published(client, document, 1)
    return [
        (each.range.start.line, each.range.start.character, each.code) for each in found.diagnostics
    ]


async def diagnostics_are_those_of_check_at_their_places(client: Editor) -> None:
    found = await diagnosed(client, "a.mqsc", SCRIPT)
    assert (1, 22, "AMQ8405I") in found


async def mqsc_in_yaml(client: Editor) -> None:
    assert await diagnosed(client, "a.yaml", YAML) == [(4, 4, "AMQ8426I")]


async def mqsc_in_a_shell_script(client: Editor) -> None:
    assert await diagnosed(client, "a.sh", SHELL) == [(2, 26, "AMQ8405I")]


async def rules_tables(client: Editor) -> None:
    found = await diagnosed(client, "a.rul", RULES)
    assert found[0][:2] == (0, 21)


async def what_is_wrong_changes_with_the_text(client: Editor) -> None:
    document = opened(client, "a.mqsc", "MAKE\n")
    whole = types.TextDocumentContentChangeWholeDocument("DEFINE QLOCAL(A)\n")
    version = types.VersionedTextDocumentIdentifier(version=2, uri=document.uri)
    client.text_document_did_change(types.DidChangeTextDocumentParams(version, [whole]))
    assert not (await published(client, document, 2)).diagnostics


async def completed(client: Editor, name: str, text: str, line: int, column: int) -> list[str]:
    document = opened(client, name, text)
    at = types.Position(line, column)
    found = await client.text_document_completion_async(types.CompletionParams(document, at))
    assert isinstance(found, types.CompletionList)
    return [each.label for each in found.items]


async def completion(client: Editor) -> None:
    assert "BOQNAME" in await completed(client, "a.mqsc", SCRIPT + "ALTER QLOCAL(ORDERS) ", 5, 21)
    assert "ORDERS.BACKOUT" in await completed(
        client,
        "b.mqsc",
        SCRIPT + "DEFINE QALIAS(X) TARGET(",
        5,
        24,
    )
    assert not await completed(client, "a.yaml", YAML, 5, 4)
    assert "MAXDEPTH" in await completed(
        client,
        "b.yaml",
        YAML.replace("QLOCAL(A)", "QLOCAL(A) MAX"),
        3,
        24,
    )
    assert "FWDQ" in await completed(client, "a.rul", RULES, 0, 0)


async def hover_explains(client: Editor) -> None:
    document = opened(client, "a.mqsc", SCRIPT)
    hover = await client.text_document_hover_async(
        types.HoverParams(document, types.Position(2, 5)),
    )
    assert hover is not None
    assert isinstance(hover.contents, types.MarkupContent)
    assert hover.contents.value.startswith("BOQNAME")
    nothing = types.HoverParams(opened(client, "a.yaml", YAML), types.Position(1, 1))
    assert await client.text_document_hover_async(nothing) is None


async def definition_and_rename(client: Editor) -> None:
    document, at = opened(client, "a.mqsc", SCRIPT), types.Position(4, 28)
    other = opened(client, "b.mqsc", "DELETE QLOCAL(ORDERS)\n")
    found = await client.text_document_definition_async(types.DefinitionParams(document, at))
    assert isinstance(found, list)
    assert [each.range.start.line for each in found if isinstance(each, types.Location)] == [1]
    edit = await client.text_document_rename_async(types.RenameParams(document, at, "Orders"))
    assert edit is not None
    assert edit.changes is not None
    of_document = [(each.range.start.line, each.new_text) for each in edit.changes[document.uri]]
    assert of_document == [(1, "'Orders'"), (4, "'Orders'")]
    assert [each.range.start.character for each in edit.changes[other.uri]] == [14]


async def format_is_that_of_fmt(client: Editor) -> None:
    options = types.FormattingOptions(tab_size=4, insert_spaces=True)
    document = opened(client, "a.mqsc", "define   qlocal(a)\n")
    edits = await client.text_document_formatting_async(
        types.DocumentFormattingParams(document, options),
    )
    assert edits is not None
    assert [each.new_text for each in edits] == ["DEFINE QLOCAL(A)\n"]
    given = types.DocumentFormattingParams(opened(client, "b.mqsc", "MAKE (\n"), options)
    assert not await client.text_document_formatting_async(given)
    yaml, shell = (
        YAML.replace("QLOCAL(A)", "QLOCAL(a)").replace("MAKE", "*"),
        "runmqsc <<-E\n\tdis  qmgr\n\tE\n",
    )
    for name, text, line, laid_out in (
        ("a.yaml", yaml, 3, "    DEFINE QLOCAL(A)\n"),
        ("a.sh", shell, 1, "\tDIS QMGR"),
    ):
        given = types.DocumentFormattingParams(opened(client, name, text), options)
        (edit,) = await client.text_document_formatting_async(given) or ()
        assert (edit.range.start, edit.new_text) == (types.Position(line, 0), laid_out)


async def names_in_other_languages(client: Editor) -> None:
    """An object is renamed where the text is MQSC, in all documents; another of the same name is
    not.
    """
    at = types.Position(1, 15)
    document = opened(
        client,
        "a.sh",
        "runmqsc <<-E\n\tDELETE QLOCAL(A)\n\tDEFINE PROCESS(A)\n\tE\necho 'QLOCAL(A)'\n",
    )
    other = opened(client, "a.yaml", YAML)
    found = await client.text_document_definition_async(types.DefinitionParams(document, at))
    assert isinstance(found, list)
    place = types.Range(types.Position(3, 18), types.Position(3, 19))
    assert found == [types.Location(other.uri, place)]
    edit = await client.text_document_rename_async(types.RenameParams(document, at, "B.C"))
    assert edit is not None
    assert edit.changes is not None
    edits = {uri: [*of_document] for uri, of_document in edit.changes.items()}
    here = types.Range(at, types.Position(1, 16))
    assert edits == {
        document.uri: [types.TextEdit(here, "B.C")],
        other.uri: [types.TextEdit(place, "B.C")],
    }
    assert (
        await client.text_document_hover_async(types.HoverParams(document, types.Position(1, 9)))
        is not None
    )
    nothing = types.DefinitionParams(document, types.Position(4, 14))
    assert not await client.text_document_definition_async(nothing)


CASES = (
    diagnostics_are_those_of_check_at_their_places,
    mqsc_in_yaml,
    mqsc_in_a_shell_script,
    rules_tables,
    what_is_wrong_changes_with_the_text,
    completion,
    hover_explains,
    definition_and_rename,
    format_is_that_of_fmt,
    names_in_other_languages,
)


@with_server
async def test_what_an_editor_asks(client: Editor) -> None:
    """One server for all, because its start takes longer than they do."""
    for case in CASES:
        await case(client)
        for uri in client.documents:
            client.text_document_did_close(
                types.DidCloseTextDocumentParams(types.TextDocumentIdentifier(uri)),
            )
        client.documents.clear()
