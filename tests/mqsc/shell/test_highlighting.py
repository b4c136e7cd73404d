"""The colours of a command that is typed."""

from __future__ import annotations

import pytest

from mqsc.shell.highlighting import highlighted
from tests.rows import rows


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("define ql(A) maxdepth(5)", "verb:define noun:ql name:A keyword:maxdepth number:5"),
        ("define ql(A) maxd", "verb:define noun:ql name:A :maxd"),
        ("define ql(A) maxd ", "verb:define noun:ql name:A unknown:maxd"),
        ("defin ql(A)", "unknown:defin noun:ql name:A"),
        ("define qx(A)", "verb:define unknown:qx name:A"),
        (
            "dis ql(*) where(curdepth gt 5)",
            "verb:dis noun:ql name:* keyword:where name:curdepth name:gt number:5",
        ),
        ("* define", "comment:*_define"),
        ("ping qmgr; ping qmgr", "verb:ping noun:qmgr :; verb:ping noun:qmgr"),
        (
            "define ql(A) +\n* c\n descr('a-\nb') put(x)",
            "verb:define noun:ql name:A mark:+ comment:*_c "
            "keyword:descr text:'a- text:b' keyword:put name:x",
        ),
        ("put A 'x y' --syncpoint", "own:put :A text:'x_y' keyword:--syncpoint"),
        ("\\format json", "own:\\format :json"),
        ("end ", "verb:end"),
    ],
)
def test_words_have_their_styles(text: str, words: str) -> None:
    found = [
        f"{style.removeprefix('class:')}:{part.replace(' ', '_')}"
        for line in highlighted(text)
        for style, part in line
        if part.strip(" ()")
    ]
    assert found == words.split()


@rows("define ql(A", "a 'b\nc' d\n", "  ", "(", "')", "x;;y", "put 'a", "\t\x00é日本(", "+\n-")
def test_no_character_is_lost(text: str) -> None:
    assert "\n".join("".join(part for _, part in line) for line in highlighted(text)) == text
