"""The nouns of the verbs, and the kinds of object that they cover."""

from __future__ import annotations

import pytest

from mqsc.language.command_table import COMMANDS, kinds_for, objects_of
from mqsc.language.unsupported import UNSUPPORTED


@pytest.mark.parametrize(
    ("noun", "kinds"),
    [
        ("QLOCAL", ["QLOCAL"]),
        ("QUEUE", ["QLOCAL", "QALIAS", "QMODEL", "QREMOTE"]),
        ("QCLUSTER", ["QLOCAL", "QALIAS", "QMODEL", "QREMOTE"]),
        ("QSTATUS", ["QSTATUS"]),
        ("CLUSTER", ["CLUSTER"]),
    ],
)
def test_kinds(noun: str, kinds: list[str]) -> None:
    assert sorted(kind.keyword for kind in kinds_for(noun)) == sorted(kinds)


def test_objects_of_a_verb_are_its_nouns_without_the_unsupported_ones() -> None:
    wrong = [
        verb
        for verb, nouns in COMMANDS.items()
        if {*objects_of(verb)} != {noun for noun in nouns if (verb, noun) not in UNSUPPORTED}
    ]
    assert wrong == []
    assert len(objects_of("PING")) == 2
    with pytest.raises(KeyError):
        objects_of("PING")["QLOCAL"]
