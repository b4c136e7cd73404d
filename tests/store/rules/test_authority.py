"""The authorities of each object type, ALL and other groups of authorities, and changes."""

from mqsc.store.catalog import KINDS
from mqsc.store.catalog.types import Word
from mqsc.store.rules.authority import authorities, changed, expanded
from tests.rows import rows
from tests.store.tables import giving

_GROUPS = {"ALL", "ALLADM", "ALLMQI", "NONE"}


def types() -> tuple[str, ...]:
    kind = KINDS["AUTHREC"].attributes["OBJTYPE"].type
    assert isinstance(kind, Word)
    return kind.values


@rows(
    ("QUEUE", ["ALLADM"], "CHG CLR DLT DSP"),
    ("QUEUE", ["ALLMQI"], "BROWSE GET INQ PASSALL PASSID PUT SET SETALL SETID"),
    *giving("", ("QUEUE", ["NONE"]), ("LISTENER", ["ALLMQI"])),
    *giving("PUT", ("QUEUE", ["NONE", "PUT"]), ("RQMNAME", ["ALL"])),
    ("TOPIC", ["PUB", "SUB"], "PUB SUB"),
    ("QMGR", ["ALLADM"], "CHG CTRL DLT DSP"),
    ("QMGR", ["ALL"], "ALTUSR CHG CONNECT CTRL DLT DSP INQ SET SETALL SETID SYSTEM"),
    *giving("CRT", ("QMGR", ["CRT"]), ("RQMNAME", ["ALLADM", "CRT"])),
    ("QMGR", ["CONNECT", "INQ", "SETALL"], "CONNECT INQ SETALL"),
    *giving(None, ("QUEUE", ["CONNECT"]), ("CHANNEL", ["PUT"])),
)
def test_expanded(type: str, words: list[str], expected: str | None) -> None:
    assert expanded(type, words) == (None if expected is None else frozenset(expected.split()))


def test_all_grants_something_for_every_type() -> None:
    assert [type for type in types() if not expanded(type, ["ALL"])] == []


def test_every_authority_exists_for_some_type() -> None:
    words = KINDS["AUTHREC"].attributes["AUTHADD"].type.words
    assert {right for type in types() for right in authorities(type)} == {*words} - _GROUPS


@rows(
    ([], {"PUT", "GET"}, set(), ["GET", "PUT"]),
    (["GET"], {"PUT"}, {"GET"}, ["PUT"]),
    (["GET"], {"GET", "PUT"}, {"GET"}, ["PUT"]),
    (["GET"], {"GET"}, {"GET", "PUT"}, ["GET"]),
    (["GET"], set(), {"PUT"}, ["GET"]),
)
def test_the_larger_list_applies_first(
    had: list[str],
    given: set[str],
    taken: set[str],
    has: list[str],
) -> None:
    assert changed(had, frozenset(given), frozenset(taken)) == has
