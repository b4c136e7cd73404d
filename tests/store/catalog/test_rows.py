"""Every row of the vocabulary is consistent with itself and with its kind."""

from __future__ import annotations

import pytest

from store import catalog
from store.catalog import KINDS, Attribute, Kind, attribute_of, constants, defaults, kind_of, kinds_of
from store.catalog.types import Flag, Items, Number, Word
from tests.store.catalog.written import read_back

ROWS = [
    pytest.param(kind, row, id=f"{kind.keyword} {row.keyword}")
    for kind in KINDS.values()
    for row in kind.attributes.values()
]
VERBS = {"DEFINE", "ALTER", "DISPLAY", "SET", "DELETE"}
PLATFORMS = {"all", "multi", "alw", "unix", "windows", "zos", "nsk"}


def subtypes(kind: Kind) -> tuple[str, ...]:
    chooser = kind.attributes[kind.selector].type if kind.selector else None
    return chooser.values if isinstance(chooser, Word) else ("",)


@pytest.mark.parametrize(("kind", "row"), ROWS)
def test_a_row_explains_itself_in_a_short_sentence(kind: Kind, row: Attribute) -> None:
    assert row.help.endswith(".")
    assert row.help[0].isupper()
    assert 5 <= len(row.help) <= 100
    assert row.type.wanted


@pytest.mark.parametrize(("kind", "row"), ROWS)
def test_verbs_and_platforms_are_known_words(kind: Kind, row: Attribute) -> None:
    assert row.verbs <= VERBS
    assert row.verbs
    assert row.platform in PLATFORMS


@pytest.mark.parametrize(("kind", "row"), ROWS)
def test_defaults_are_values_of_their_own_type(kind: Kind, row: Attribute) -> None:
    values = [row.default_value(subtype, "QM1") for subtype in subtypes(kind)] + [row.constant]
    for value in values:
        if value is not None and not (value == [] and isinstance(row.type, Items)):
            assert read_back(row, value) == value


@pytest.mark.parametrize(("kind", "row"), ROWS)
def test_a_row_that_can_be_given_has_a_default_or_is_required(kind: Kind, row: Attribute) -> None:
    assert row.display_only or row.required or row.default is not None


@pytest.mark.parametrize(("kind", "row"), ROWS)
def test_subtypes_named_by_a_row_exist(kind: Kind, row: Attribute) -> None:
    named = {*row.only_for, *row.zos_for, *row.required_for, *row.default_for}
    assert not named or named <= set(subtypes(kind))
    assert set(row.required_for) <= set(row.only_for or subtypes(kind))


@pytest.mark.parametrize(("kind", "row"), ROWS)
def test_column_encodings_cover_every_word(kind: Kind, row: Attribute) -> None:
    if row.column is None or row.column.read is not None:
        return
    words: set[str] = set()
    if isinstance(row.type, (Word, Flag)):
        words = set(row.type.words)
    if isinstance(row.type, Number):
        words = set(row.type.named)
    assert words <= set(row.column.numbers)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_words_of_a_kind_are_unambiguous(kind: Kind) -> None:
    rows = kind.attributes.values()
    spelled = [word for row in rows for word in (row.keyword, *row.synonyms, *row.display_synonyms)]
    spelled += [row.type.off for row in rows if isinstance(row.type, Flag) and row.type.off]
    assert len(spelled) == len(set(spelled))
    assert set(spelled) == set(kind.words)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_every_displayed_attribute_is_in_the_display_order_once(kind: Kind) -> None:
    displayed = {row.keyword for row in kind.attributes.values() if "DISPLAY" in row.verbs and not row.option}
    assert len(kind.display_order) == len(set(kind.display_order))
    assert displayed <= set(kind.display_order)
    # What is no attribute is the object's own name.
    assert set(kind.display_order) - displayed <= {kind.key[0], kind.keyword}
    assert set(kind.key) <= set(kind.display_order[: len(kind.key) + 1])


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_columns_of_a_kind_are_written_by_one_attribute_each(kind: Kind) -> None:
    names = [row.column.name for row in kind.attributes.values() if row.column is not None]
    assert len(names) == len(set(names))


def test_words_for_kinds_are_unambiguous() -> None:
    spelled = [word for kind in KINDS.values() for word in (kind.keyword, *kind.synonyms)]
    assert len(spelled) == len(set(spelled))


@pytest.mark.parametrize(
    ("word", "keyword"),
    [("QL", "QLOCAL"), ("ql", "QLOCAL"), ("PRO", "PROCESS"), ("CHL", "CHANNEL"), ("LSTR", "LISTENER"),
     ("STC", "STGCLASS"), ("NL", "NAMELIST"), ("QMGR", "QMGR"), ("QUEUE", None), ("QLOC", None)],
)  # fmt: skip
def test_kind_of(word: str, keyword: str | None) -> None:
    kind = kind_of(word)
    assert (kind and kind.keyword) == keyword


@pytest.mark.parametrize(
    ("word", "keywords"),
    [("QUEUE", ["QALIAS", "QLOCAL", "QMODEL", "QREMOTE"]), ("q", ["QALIAS", "QLOCAL", "QMODEL", "QREMOTE"]),
     ("QA", ["QALIAS"]), ("COMMINFO", [])],
)  # fmt: skip
def test_kinds_of(word: str, keywords: list[str]) -> None:
    assert [kind.keyword for kind in kinds_of(word)] == keywords


@pytest.mark.parametrize(
    ("kind", "word", "keyword", "on"),
    [("QALIAS", "TARGQ", "TARGET", True), ("QLOCAL", "NOTRIGGER", "TRIGGER", False), ("QLOCAL", "qtype", "TYPE", True),
     ("QLOCAL", "TRIGGER", "TRIGGER", True), ("CHANNEL", "TYPE", "CHLTYPE", True)],
)  # fmt: skip
def test_attribute_of(kind: str, word: str, keyword: str, on: bool) -> None:
    found = attribute_of(KINDS[kind], word)
    assert found is not None
    assert (found[0].keyword, found[1]) == (keyword, on)


@pytest.mark.parametrize(
    ("kind", "word", "verb"),
    [("QREMOTE", "GET", "DISPLAY"), ("QLOCAL", "MAXDPTH", "DISPLAY"), ("QALIAS", "NOTRIGGER", "ALTER"),
     ("CHANNEL", "TYPE", "DEFINE")],
)  # fmt: skip
def test_words_that_a_kind_or_verb_does_not_have(kind: str, word: str, verb: str) -> None:
    assert attribute_of(KINDS[kind], word, verb) is None


def test_subtypes_have_their_own_attributes_and_defaults() -> None:
    channel = KINDS["CHANNEL"]
    sender, server = defaults(channel, "SDR"), defaults(channel, "SVRCONN")
    assert (sender["CHLTYPE"], sender["DISCINT"], sender["XMITQ"]) == ("SDR", 6000, "")
    assert (server["CHLTYPE"], server["DISCINT"]) == ("SVRCONN", 0)
    assert "XMITQ" not in server
    assert "MAXINST" not in sender
    assert channel.attributes["CONNAME"].is_required("SDR")
    assert not channel.attributes["CONNAME"].is_required("SVR")


def test_a_caller_may_change_defaults_without_changing_the_row() -> None:
    first = defaults(KINDS["QMGR"], name="QM1")
    levels = first["SUITEB"]
    assert isinstance(levels, list)
    levels.append("128_BIT")
    assert defaults(KINDS["QMGR"])["SUITEB"] == ["NONE"]
    assert first["CERTLABL"] == "ibmwebspheremqqm1"


def test_constants_are_what_nobody_can_change() -> None:
    assert constants(KINDS["QLOCAL"]) == {"TYPE": "QLOCAL"}
    facts = constants(KINDS["QMGR"])
    assert (facts["MAXPRTY"], facts["COMMANDQ"], facts["PLATFORM"]) == (9, "SYSTEM.ADMIN.COMMAND.QUEUE", "UNIX")
    assert set(facts).isdisjoint(defaults(KINDS["QMGR"]))


@pytest.mark.parametrize(
    ("kind", "subtype", "default_object", "namespace"),
    [("QLOCAL", "", "SYSTEM.DEFAULT.LOCAL.QUEUE", "queue"), ("QREMOTE", "", "SYSTEM.DEFAULT.REMOTE.QUEUE", "queue"),
     ("CHANNEL", "RCVR", "SYSTEM.DEF.RECEIVER", "channel"), ("CHANNEL", "CLNTCONN", "SYSTEM.DEF.CLNTCONN", "clntconn"),
     ("CHANNEL", "MQTT", "", "channel"), ("LISTENER", "TCP", "SYSTEM.DEFAULT.LISTENER.TCP", "listener"),
     ("CFSTRUCT", "", "", "cfstruct")],
)  # fmt: skip
def test_where_a_kind_starts_from_and_lives(kind: str, subtype: str, default_object: str, namespace: str) -> None:
    assert KINDS[kind].default_object_of(subtype) == default_object
    assert KINDS[kind].namespace_of(subtype) == namespace


def test_all_leaves_out_words_without_effect_but_not_the_expiry_interval() -> None:
    everything = KINDS["QMGR"].shown()
    assert "EXPRYINT" in everything
    assert "ACTCHL" not in everything
    assert "ACTCHL" in KINDS["QMGR"].display_order
    assert "PUTAUT" in KINDS["CHANNEL"].shown("RCVR")
    assert "PUTAUT" not in KINDS["CHANNEL"].shown("SVRCONN")


def test_passwords_are_secret() -> None:
    secret = {row.keyword for kind in KINDS.values() for row in kind.attributes.values() if row.secret}
    assert secret == {"INITKEY", "KEYRPWD", "LDAPPWD", "PASSWORD", "SSLCRYP", "SSLKEYP"}


def test_everything_promised_is_there() -> None:
    assert all(hasattr(catalog, name) for name in catalog.__all__)


def test_an_amqp_channel_is_shown_in_its_own_order() -> None:
    assert KINDS["CHANNEL"].shown("AMQP") == tuple(
        "CHANNEL CHLTYPE ALTDATE ALTTIME CERTLABL DESCR AMQPKA LOCLADDR MAXINST MAXMSGL MCAUSER PORT SSLCAUTH SSLCIPH "
        "SSLPEER TPROOT TMPMODEL TMPQPRFX USECLTID".split()
    )
