"""Colours for a command while it is typed, and the line of help."""

from __future__ import annotations

import pytest

from mqsc.shell.completion import NOTHING, highlighted, hint

# Colours of commands while they are typed.


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("define ql(A) maxdepth(5)", "verb:define noun:ql name:A keyword:maxdepth number:5"),
        ("define ql(A) maxd", "verb:define noun:ql name:A :maxd"),
        ("define ql(A) maxd ", "verb:define noun:ql name:A unknown:maxd"),
        ("defin ql(A)", "unknown:defin noun:ql name:A"),
        ("define qx(A)", "verb:define unknown:qx name:A"),
        ("dis ql(*) where(curdepth gt 5)", "verb:dis noun:ql name:* keyword:where name:curdepth name:gt number:5"),
        ("* define", "comment:*_define"),
        ("ping qmgr; ping qmgr", "verb:ping noun:qmgr :; verb:ping noun:qmgr"),
        ("define ql(A) +\n* c\n descr('a-\nb') put(x)", "verb:define noun:ql name:A mark:+ comment:*_c "
         "keyword:descr text:'a- text:b' keyword:put name:x"),
        ("put A 'x y' --syncpoint", "own:put :A text:'x_y' keyword:--syncpoint"),
        ("\\format json", "own:\\format :json"),
        ("end ", "verb:end"),
    ],
)  # fmt: skip
def test_words_have_their_styles(text: str, words: str) -> None:
    found = [
        f"{style.removeprefix('class:')}:{part.replace(' ', '_')}"
        for line in highlighted(text)
        for style, part in line
        if part.strip(" ()")
    ]
    assert found == words.split()


@pytest.mark.parametrize(
    "text", ["define ql(A", "a 'b\nc' d\n", "  ", "(", "')", "x;;y", "put 'a", "\t\x00é日本(", "+\n-"]
)
def test_no_character_is_lost(text: str) -> None:
    assert "\n".join("".join(part for _, part in line) for line in highlighted(text)) == text


# The line of help under the prompt.


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("", NOTHING),
        ("clear ", "CLEAR QLOCAL | TOPICSTR"),
        ("frob", ""),
        ("define ql(", "DEFINE QLOCAL( q_name ) … and "),
        ("def chl(X) ", "DEFINE CHANNEL( channel_name ) CHLTYPE( SDR | SVR | "),
        ("define ql(X) maxdepth(", "MAXDEPTH( 0 to 999999999 ) — The maximum number of messages on the queue."),
        ("define ql(X) trigtype(d", "TRIGTYPE( one of FIRST, EVERY, DEPTH, NONE ) — "),
        ("define ql(X) frob(", "FROB is not a parameter of DEFINE QLOCAL"),
        ("get A ", "get QUEUE [OPTIONS] — Get messages and print them."),
        ("\\timing", "\\timing on | off — Show how long each command took."),
        ("\\", "\\ — settings: \\format, "),
    ],
)
def test_hints(command: str, says: str) -> None:
    assert hint(command).startswith(says)
