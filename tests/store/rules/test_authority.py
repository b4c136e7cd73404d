"""Which authorities there are, what words for many of them stand for, and what a change comes to."""

import pytest

from store.catalog import KINDS
from store.catalog.authority import AUTHORITIES
from store.catalog.types import Word
from store.rules.authority import authorities, changed, expanded

_WORDS = {"ALL", "ALLADM", "ALLMQI", "NONE"}


def types() -> tuple[str, ...]:
    """Every OBJTYPE."""
    kind = KINDS["AUTHREC"].attributes["OBJTYPE"].type
    assert isinstance(kind, Word)
    return kind.values


@pytest.mark.parametrize(
    ("type", "words", "stand_for"),
    [
        ("QUEUE", ["ALLADM"], "CHG CLR DLT DSP"),
        ("QUEUE", ["ALLMQI"], "BROWSE GET INQ PASSALL PASSID PUT SET SETALL SETID"),
        ("QUEUE", ["NONE"], ""),
        ("QUEUE", ["NONE", "PUT"], "PUT"),
        ("TOPIC", ["PUB", "SUB"], "PUB SUB"),
        ("RQMNAME", ["ALL"], "PUT"),
        ("LISTENER", ["ALLMQI"], ""),
        ("QMGR", ["ALLADM"], "CHG CTRL DLT DSP"),
        ("QMGR", ["ALL"], "ALTUSR CHG CONNECT CTRL DLT DSP INQ SET SETALL SETID SYSTEM"),
        ("QMGR", ["CRT"], "CRT"),
        ("QMGR", ["CONNECT", "INQ", "SETALL"], "CONNECT INQ SETALL"),
        ("QUEUE", ["CONNECT"], None),
        ("CHANNEL", ["PUT"], None),
        ("RQMNAME", ["CRT"], None),
    ],
)
def test_what_words_stand_for(type: str, words: list[str], stand_for: str | None) -> None:
    assert expanded(type, words) == (None if stand_for is None else frozenset(stand_for.split()))


@pytest.mark.parametrize("type", types())
def test_all_is_something_for_every_type(type: str) -> None:
    everything = expanded(type, ["ALL"])
    assert everything
    assert everything <= authorities(type)
    assert authorities(type) <= {*AUTHORITIES} - _WORDS


def test_every_authority_is_for_some_type() -> None:
    assert {right for type in types() for right in authorities(type)} == {*AUTHORITIES} - _WORDS


@pytest.mark.parametrize(
    ("had", "given", "taken", "has"),
    [
        ([], {"PUT", "GET"}, set(), ["GET", "PUT"]),
        (["GET"], {"PUT"}, {"GET"}, ["PUT"]),
        (["GET"], {"GET"}, {"GET"}, ["GET"]),
        (["GET"], set(), {"PUT"}, ["GET"]),
    ],
)
def test_what_is_taken_goes_first(had: list[str], given: set[str], taken: set[str], has: list[str]) -> None:
    assert changed(had, frozenset(given), frozenset(taken)) == has
