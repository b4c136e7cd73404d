"""What the end of a command says about its output."""

from __future__ import annotations

import pytest

from mqsc.shell.settings import Output, SettingError, Settings, split_output


@pytest.mark.parametrize(
    ("text", "command", "output"),
    [
        ("dis ql(*)", "dis ql(*)", Output()),
        ("dis ql(*) > a.txt", "dis ql(*)", Output(file="a.txt")),
        ("dis ql(*) >> 'a b'", "dis ql(*)", Output(file="a b", append=True)),
        ("dis ql(*) | grep x | wc -l", "dis ql(*)", Output(pipe="grep x | wc -l")),
        ("put A 'x > y' > f", "put A 'x > y'", Output(file="f")),
        ("put A a>b c|d", "put A a>b c|d", Output()),
        ("dis ql(*) where(descr eq 'a > b')", "dis ql(*) where(descr eq 'a > b')", Output()),
        ("dis ql(*) where( descr eq ' > ' ) | cat", "dis ql(*) where( descr eq ' > ' )", Output(pipe="cat")),
        ("put A C:\\format", "put A C:\\format", Output()),
    ],
)
def test_output(text: str, command: str, output: Output) -> None:
    assert split_output(text, Settings()) == (command, output, Settings())


def test_settings_for_one_command() -> None:
    found = split_output("dis ql(*) curdepth \\sort -curdepth \\format JSON > f", Settings())
    assert found == ("dis ql(*) curdepth", Output(file="f"), Settings(format="json", sort="-CURDEPTH"))
    assert split_output("ping qmgr \\timing on", Settings())[2].timing is True


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("dis ql(*) >", "> must be followed by a file"),
        ("dis ql(*) |", "| must be followed by a shell command"),
        ("dis ql(*) > a b", "> takes one file; a name with blanks must be in quotes"),
        ("dis ql(*) \\format xml", "\\format takes table, vertical, classic, json or csv, not 'xml'"),
    ],
)
def test_what_is_wrong(text: str, says: str) -> None:
    with pytest.raises(SettingError, match=f"^{says.replace(chr(92), chr(92) * 2).replace('|', '[|]')}"):
        split_output(text, Settings())


def test_settings_are_shown_as_they_are_typed() -> None:
    changed = Settings().changed("timing", "ON").changed("sort", "-curdepth").changed("keys", "vi")
    assert [changed.shown(name) for name in ("format", "sort", "timing", "pager", "keys")] == [
        "table", "-CURDEPTH", "on", "on", "vi",
    ]  # fmt: skip
    with pytest.raises(SettingError, match="there is no setting"):
        Settings().changed("colour", "red")
