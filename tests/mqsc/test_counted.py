from __future__ import annotations

from mqsc.console.text.reasons import counted


def test_one_thing_and_several() -> None:
    assert [counted(number, "byte") for number in (0, 1, 2)] == ["0 bytes", "1 byte", "2 bytes"]
