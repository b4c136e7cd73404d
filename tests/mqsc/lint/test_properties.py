"""Whatever text is checked, the diagnostics are well-formed and nothing fails."""

from __future__ import annotations

import random
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from mqsc.language.command_table import COMMANDS
from mqsc.lint.script_check import DESCRIPTIONS, check_script
from store.catalog import KINDS
from tests.examples import examples

IDS = {each.rule_id: each.severity for each in DESCRIPTIONS}
WORDS = sorted({word for kind in KINDS.values() for word in kind.words} | {"LIKE", "REPLACE", "WHERE", "FORCE", "ALL"})
VALUES = st.one_of(
    st.sampled_from(
        ["A", "B", "'a'", "5", "YES", "ENABLED", "FIRST", "XMITQ", "SDR", "TCP", "*", "' '", "''", "", "${X}", "+Q+"]
    ),
    st.text("AB'()+-;* \n", max_size=6),
)
PARAMETERS = st.one_of(
    st.sampled_from(WORDS), st.tuples(st.sampled_from(WORDS), VALUES).map(lambda pair: f"{pair[0]}({pair[1]})")
)
COMMAND = st.tuples(
    st.sampled_from([f"{verb} {noun}" for verb, nouns in COMMANDS.items() for noun in sorted(nouns)]),
    st.one_of(st.just(""), VALUES.map(lambda value: f"({value})")),
    st.lists(PARAMETERS, max_size=6),
).map(lambda parts: f"{parts[0]}{parts[1]} {' '.join(parts[2])}\n")


def sensible(text: bytes) -> None:
    """Check that every diagnostic has a known id with its severity, a position in the text, and a message."""
    lines = text.count(b"\n") + text.count(b"\r") + 1
    for each in check_script([text], "x"):
        assert IDS[each.rule_id] == each.severity
        assert 1 <= each.line <= lines
        assert each.column >= 1
        assert each.message


@settings(deadline=None, max_examples=examples(60))
@given(st.lists(COMMAND, max_size=6))
def test_commands_of_any_words(commands: list[str]) -> None:
    sensible("".join(commands).encode())


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_bytes(text: bytes) -> None:
    sensible(text)


def test_scripts_of_other_people_cut_and_changed(corpus: Path) -> None:
    chance = random.Random(1)
    for path in sorted((corpus / "mqsc").iterdir()):
        text = bytearray(path.read_bytes()[:4000])
        for _ in range(5):
            for _ in range(3):
                text[chance.randrange(len(text))] = chance.choice(b"'()+-;*\n \0\xff,")
            sensible(bytes(text[: chance.randrange(len(text))]))
