"""Completion in the shell: text before the cursor in, the word to replace and some completions out."""

import pytest

from mqsc.shell.completion import candidates


@pytest.mark.parametrize(
    ("text", "begun", "offered", "not_offered"),
    [
        ("", "", {"DEFINE", "DISPLAY", "END"}, {"QLOCAL"}),
        ("de", "de", {"DEFINE", "DELETE"}, {"ALTER"}),
        ("def q", "q", {"QLOCAL", "QALIAS"}, {"PROCESS", "QUEUE"}),
        ("display q", "q", {"QUEUE", "QMGR"}, set()),
        ("DEFINE QLOCAL(A) MAX", "MAX", {"MAXDEPTH", "MAXMSGL"}, {"MAXUMSGS"}),
        ("DEFINE QLOCAL('A (B') MAXDEPTH(5) MAX", "MAX", {"MAXMSGL"}, set()),
        ("DEFINE QLOCAL(A) PUT(", "", {"ENABLED", "DISABLED"}, {"MAXDEPTH"}),
        ("DEFINE QLOCAL(A) PUT(dis", "dis", {"DISABLED"}, {"ENABLED"}),
        ("DISPLAY QLOCAL(A) CUR", "CUR", {"CURDEPTH"}, set()),
        ("PING QMGR; CLE", "CLE", {"CLEAR"}, set()),
        ("FOO ", "", set(), {"QLOCAL"}),
    ],
)
def test_candidates(text: str, begun: str, offered: set[str], not_offered: set[str]) -> None:
    found, words = candidates(text)
    assert found == begun
    assert offered <= set(words)
    assert not not_offered & set(words)
