"""The table of commands: synonyms are unambiguous and refer to commands."""

from __future__ import annotations

import pytest

from mqsc.language.command_table import COMMANDS, LISTED_VERBS, NOUN_SYNONYMS, VERB_SYNONYMS, meant, noun_of, verb_of


@pytest.mark.parametrize(
    ("word", "verb"),
    [("DEFINE", "DEFINE"), ("DEF", "DEFINE"), ("DIS", "DISPLAY"), ("REBUILD", "REFRESH"), ("DEL", None), ("END", None)],
)
def test_verbs(word: str, verb: str | None) -> None:
    assert verb_of(word) == verb


@pytest.mark.parametrize(
    ("verb", "word", "noun"),
    [
        ("DEFINE", "QL", "QLOCAL"),
        ("DISPLAY", "Q", "QUEUE"),
        ("DEFINE", "Q", None),
        ("PING", "CHL", "CHANNEL"),
        ("DISPLAY", "DQM", "CHINIT"),
    ],
)
def test_nouns(verb: str, word: str, noun: str | None) -> None:
    assert noun_of(verb, word) == noun


def test_synonyms_lead_to_commands_and_hide_none() -> None:
    nouns = {noun for each in COMMANDS.values() for noun in each}
    assert {*VERB_SYNONYMS.values()} <= {*COMMANDS}
    assert {*NOUN_SYNONYMS.values()} <= nouns
    assert not {*VERB_SYNONYMS} & {*COMMANDS}
    assert not {*NOUN_SYNONYMS} & nouns
    assert {*LISTED_VERBS} - {"END"} <= {*COMMANDS}


def test_the_nearest_candidate_is_suggested() -> None:
    assert meant("MAXDEPT", ["MAXDEPTH", "DESCR"]) == "; did you mean MAXDEPTH?"
    assert meant("ZZZZ", ["MAXDEPTH"]) == ""
