"""JSON that is printed controls no terminal, and is read as what was written."""

from __future__ import annotations

import json

from hypothesis import given, strategies as st

from mqsc.console.terminal import json_text, printable


@given(st.text())
def test_it_controls_no_terminal_and_is_the_same_value(text: str) -> None:
    written = json_text({"text": text})
    assert printable(written) == written
    assert json.loads(written) == {"text": text}


def test_letters_are_readable_unless_only_ascii_is_wanted() -> None:
    assert json_text("é \x9b \u202e") == '"é \\u009b \\u202e"'
    assert json_text("é", ascii_only=True) == '"\\u00e9"'
