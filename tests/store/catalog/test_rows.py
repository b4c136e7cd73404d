"""The catalog: rows, hot columns, and the objects of a new queue manager."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from store import catalog
from store.catalog import KINDS, SYSTEM_OBJECTS, Attribute, Kind, Stored, attribute_of, columns, defaults
from store.catalog.attribute import defaults
from store.catalog.status import STATUS_KINDS
from store.catalog.types import Flag, Items, Number, Word
from store.constants import name_of, value_of
from store.sql.schema import queue, queue_manager
from tests.store.catalog.written import read_back

VERBS = {"DEFINE", "ALTER", "DISPLAY", "SET", "DELETE"}
PLATFORMS = {"all", "multi", "alw", "unix", "windows", "zos", "nsk"}
ALL_KINDS = (*KINDS.values(), *STATUS_KINDS.values())


def rows(kinds: tuple[Kind, ...] = ALL_KINDS) -> Iterator[tuple[str, Kind, Attribute]]:
    """Yield every row with its kind, and a text that names both."""
    for kind in kinds:
        for row in kind.attributes.values():
            yield f"{kind.keyword} {row.keyword}", kind, row


def subtypes(kind: Kind) -> tuple[str, ...]:
    """Return the subtypes of a kind; a single blank if it has none."""
    selector = kind.attributes[kind.selector].type if kind.selector else None
    return selector.values if isinstance(selector, Word) else ("",)


def words_of(row: Attribute) -> set[str]:
    """Return the words that can be stored."""
    if isinstance(row.type, Number):
        return set(row.type.named)
    return set(row.type.words) if isinstance(row.type, (Word, Flag)) else set()


def repeated(words: list[str]) -> list[str]:
    return [word for word, count in Counter(words).items() if count > 1]


def test_the_help_is_one_short_sentence() -> None:
    wrong = [
        (place, row.help)
        for place, _, row in rows()
        if not (row.help.endswith(".") and row.help[0].isupper() and len(row.help) <= 100 and ". " not in row.help)
    ]
    assert wrong == []


def test_every_row_says_what_it_accepts() -> None:
    assert [place for place, _, row in rows() if not row.type.wanted] == []


def test_verbs_and_platforms_are_known() -> None:
    wrong = [
        (place, row.verbs, row.platform)
        for place, _, row in rows()
        if not row.verbs or not row.verbs <= VERBS or row.platform not in PLATFORMS
    ]
    assert wrong == []


def test_defaults_are_values_of_their_own_type() -> None:
    wrong = []
    for place, kind, row in rows():
        for value in (*(row.default_value(subtype, "QM1") for subtype in subtypes(kind)), row.constant):
            if value is not None and not (value == [] and isinstance(row.type, Items)):
                read = read_back(row, value)
                if read != value:
                    wrong.append((place, value, read))
    assert wrong == []


def test_a_row_that_can_be_given_has_a_default_or_is_required() -> None:
    wrong = [place for place, _, row in rows() if not row.display_only and not row.required and row.default is None]
    assert wrong == []


def test_subtypes_named_by_a_row_exist() -> None:
    wrong = []
    for place, kind, row in rows():
        named = {*row.only_for, *row.zos_for, *row.required_for, *row.default_for}
        unknown = named - set(subtypes(kind))
        misplaced = {*row.required_for, *row.default_for} - set(row.only_for or subtypes(kind))
        if unknown or misplaced:
            wrong.append((place, unknown, misplaced))
    assert wrong == []


def test_hot_columns_have_a_number_for_every_word() -> None:
    wrong = [
        (place, missing)
        for place, _, row in rows()
        if row.column is not None and row.column.read is None and (missing := words_of(row) - set(row.column.numbers))
    ]
    assert wrong == []


def test_words_of_a_kind_are_unambiguous() -> None:
    wrong = {}
    for kind in ALL_KINDS:
        spelled = [word for row in kind.attributes.values() for word in (row.keyword, *row.synonyms)]
        spelled += [word for row in kind.attributes.values() for word in row.display_synonyms]
        spelled += [row.type.off for _, _, row in rows((kind,)) if isinstance(row.type, Flag) and row.type.off]
        if repeated(spelled) or set(spelled) != set(kind.words):
            wrong[kind.keyword] = (repeated(spelled), set(spelled) ^ set(kind.words))
    assert wrong == {}


def test_every_displayed_attribute_is_in_the_display_order_once() -> None:
    wrong = {}
    for kind in ALL_KINDS:
        displayed = {row.keyword for row in kind.attributes.values() if "DISPLAY" in row.verbs and not row.option}
        order = kind.display_order
        # Words in the order that are not attributes may only be the object's name.
        extra = set(order) - displayed - {*kind.key, kind.keyword}
        late = set(kind.key) - set(order[: len(kind.key) + 1])
        if repeated(list(order)) or displayed - set(order) or extra or late:
            wrong[kind.keyword] = (repeated(list(order)), displayed - set(order), extra, late)
    assert wrong == {}


def test_each_hot_column_of_a_kind_has_one_attribute() -> None:
    wrong = {}
    for kind in ALL_KINDS:
        again = repeated([row.column.name for row in kind.attributes.values() if row.column is not None])
        if again:
            wrong[kind.keyword] = again
    assert wrong == {}


def test_words_for_kinds_are_unambiguous() -> None:
    assert repeated([word for kind in KINDS.values() for word in (kind.keyword, *kind.synonyms)]) == []


@pytest.mark.parametrize(
    ("word", "keyword"),
    [("QL", "QLOCAL"), ("ql", "QLOCAL"), ("PRO", "PROCESS"), ("CHL", "CHANNEL"), ("LSTR", "LISTENER"),
     ("STC", "STGCLASS"), ("NL", "NAMELIST"), ("QMGR", "QMGR"), ("QUEUE", None), ("QLOC", None)],
)  # fmt: skip
def test_kind_of(word: str, keyword: str | None) -> None:
    kind = catalog.kind_of(word)
    assert (kind and kind.keyword) == keyword


@pytest.mark.parametrize(
    ("word", "keywords"),
    [("QUEUE", ["QALIAS", "QLOCAL", "QMODEL", "QREMOTE"]), ("q", ["QALIAS", "QLOCAL", "QMODEL", "QREMOTE"]),
     ("QA", ["QALIAS"]), ("COMMINFO", ["COMMINFO"]), ("BUFFPOOL", [])],
)  # fmt: skip
def test_kinds_of(word: str, keywords: list[str]) -> None:
    assert [kind.keyword for kind in catalog.kinds_of(word)] == keywords


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


def test_changing_returned_defaults_does_not_change_the_row() -> None:
    first = defaults(KINDS["QMGR"], name="QM1")
    levels = first["SUITEB"]
    assert isinstance(levels, list)
    levels.append("128_BIT")
    assert defaults(KINDS["QMGR"])["SUITEB"] == ["NONE"]
    assert first["CERTLABL"] == "ibmwebspheremqqm1"


def test_constants_are_not_defaults() -> None:
    assert catalog.constants(KINDS["QLOCAL"]) == {"TYPE": "QLOCAL"}
    facts = catalog.constants(KINDS["QMGR"])
    assert (facts["MAXPRTY"], facts["COMMANDQ"], facts["PLATFORM"]) == (9, "SYSTEM.ADMIN.COMMAND.QUEUE", "UNIX")
    assert set(facts).isdisjoint(defaults(KINDS["QMGR"]))


@pytest.mark.parametrize(
    ("kind", "subtype", "default_object", "namespace"),
    [("QLOCAL", "", "SYSTEM.DEFAULT.LOCAL.QUEUE", "queue"), ("QREMOTE", "", "SYSTEM.DEFAULT.REMOTE.QUEUE", "queue"),
     ("CHANNEL", "RCVR", "SYSTEM.DEF.RECEIVER", "channel"), ("CHANNEL", "CLNTCONN", "SYSTEM.DEF.CLNTCONN", "clntconn"),
     ("CHANNEL", "MQTT", "", "channel"), ("LISTENER", "TCP", "SYSTEM.DEFAULT.LISTENER.TCP", "listener"),
     ("CFSTRUCT", "", "", "cfstruct")],
)  # fmt: skip
def test_default_objects_and_namespaces(kind: str, subtype: str, default_object: str, namespace: str) -> None:
    assert KINDS[kind].default_object_of(subtype) == default_object
    assert KINDS[kind].namespace_of(subtype) == namespace


def test_display_all_leaves_out_words_without_effect_but_not_the_expiry_interval() -> None:
    everything = KINDS["QMGR"].shown()
    assert "EXPRYINT" in everything
    assert "ACTCHL" not in everything
    assert "ACTCHL" in KINDS["QMGR"].display_order
    assert "PUTAUT" in KINDS["CHANNEL"].shown("RCVR")
    assert "PUTAUT" not in KINDS["CHANNEL"].shown("SVRCONN")


def test_passwords_are_secret() -> None:
    secret = {row.keyword for kind in KINDS.values() for row in kind.attributes.values() if row.secret}
    assert secret == {"INITKEY", "KEYRPWD", "LDAPPWD", "PASSWORD", "SSLCRYP", "SSLKEYP"}


def test_every_exported_name_exists() -> None:
    assert [name for name in catalog.__all__ if not hasattr(catalog, name)] == []


def test_an_amqp_channel_is_shown_in_its_own_order() -> None:
    assert KINDS["CHANNEL"].shown("AMQP") == tuple(
        "CHANNEL CHLTYPE ALTDATE ALTTIME CERTLABL DESCR AMQPKA LOCLADDR MAXINST MAXMSGL MCAUSER PORT SSLCAUTH SSLCIPH "
        "SSLPEER TPROOT TMPMODEL TMPQPRFX USECLTID".split()
    )


ENCODED: list[tuple[str, str, Stored, str, int | str | None]] = [
    ("QLOCAL", "GET", "DISABLED", "get_enabled", 0),
    ("QLOCAL", "PUT", "ENABLED", "put_enabled", 1),
    ("QLOCAL", "MAXDEPTH", 7, "max_depth", 7),
    ("QLOCAL", "MAXMSGL", 100, "max_length", 100),
    ("QLOCAL", "DEFPRTY", 4, "default_priority", 4),
    ("QLOCAL", "DEFPSIST", "YES", "default_persistence", 1),
    ("QLOCAL", "MSGDLVSQ", "FIFO", "fifo", 1),
    ("QLOCAL", "USAGE", "XMITQ", "is_transmission", 1),
    ("QLOCAL", "SHARE", "NOSHARE", "shareable", 0),
    ("QLOCAL", "DEFSOPT", "EXCL", "default_exclusive", 1),
    ("QLOCAL", "TRIGGER", "TRIGGER", "trigger_on", 1),
    ("QLOCAL", "TRIGDATA", "x", "trigger_data", "x"),
    ("QLOCAL", "CAPEXPRY", "NOLIMIT", "cap_expiry", None),
    ("QLOCAL", "CAPEXPRY", 600, "cap_expiry", 600),
    ("QLOCAL", "CUSTOM", "A(B) capexpry( 0600 )", "custom_cap_expiry", 600),
    ("QLOCAL", "CUSTOM", "CAPEXPRY(NOLIMIT)", "custom_cap_expiry", None),
    ("QLOCAL", "CUSTOM", "", "custom_cap_expiry", None),
    ("QLOCAL", "ACCTQ", "OFF", "recorded", 0),
    ("QLOCAL", "ACCTQ", "QMGR", "recorded", 1),
    ("QLOCAL", "NPMCLASS", "HIGH", "keep_nonpersistent", 1),
    ("QLOCAL", "QDPMAXEV", "ENABLED", "full_event", 1),
    ("QALIAS", "TARGTYPE", "TOPIC", "target_is_topic", 1),
    ("QALIAS", "TARGET", "A", "target", "A"),
    ("QREMOTE", "RNAME", "A", "remote_name", "A"),
    ("QREMOTE", "RQMNAME", "QM2", "remote_queue_manager", "QM2"),
    ("QREMOTE", "XMITQ", "X", "transmission_queue", "X"),
    ("QMGR", "EXPRYINT", "OFF", "expiry_interval", None),
    ("QMGR", "EXPRYINT", 60, "expiry_interval", 60),
    ("QMGR", "TRIGINT", 1000, "trigger_interval", 1000),
    ("QMGR", "MARKINT", "NOLIMIT", "mark_interval", -1),
    ("QMGR", "INHIBTEV", "ENABLED", "inhibit_event", 1),
]


@pytest.mark.parametrize(("kind", "keyword", "stored", "column", "value"), ENCODED)
def test_stored_values_become_column_values(
    kind: str, keyword: str, stored: Stored, column: str, value: int | str | None
) -> None:
    assert columns(KINDS[kind], {keyword: stored}) == {column: value}


def test_columns_of_some_attributes_only() -> None:
    attributes: dict[str, Stored] = {"MAXDEPTH": 7, "MAXMSGL": 100, "DESCR": "x"}
    assert columns(KINDS["QLOCAL"], attributes, {"MAXDEPTH", "DESCR"}) == {"max_depth": 7}


@pytest.mark.parametrize(
    ("kind", "keyword", "family", "names"),
    [
        ("QLOCAL", "TRIGTYPE", "MQTT", {"NONE": "NONE", "FIRST": "FIRST", "EVERY": "EVERY", "DEPTH": "DEPTH"}),
        ("QMODEL", "DEFTYPE", "MQQDT", {"PERMDYN": "PERMANENT_DYNAMIC", "TEMPDYN": "TEMPORARY_DYNAMIC"}),
        ("QLOCAL", "DEFTYPE", "MQQDT", {"PREDEFINED": "PREDEFINED", "SHAREDYN": "SHARED_DYNAMIC"}),
        ("QLOCAL", "QSVCIEV", "MQQSIE", {"NONE": "NONE", "HIGH": "HIGH", "OK": "OK"}),
    ],
)
def test_words_are_encoded_as_the_mqi_numbers_them(kind: str, keyword: str, family: str, names: dict[str, str]) -> None:
    column = KINDS[kind].attributes[keyword].column
    assert column is not None
    assert {word: column.numbers[word] for word in names} == {
        word: value_of(f"{family}_{name}") for word, name in names.items()
    }


def test_application_types_have_their_mqat_numbers() -> None:
    type = KINDS["PROCESS"].attributes["APPLTYPE"].type
    assert isinstance(type, Number)
    spelled = {"WINDOWSNT": "WINDOWS_NT", "NOTESAGENT": "NOTES_AGENT", "MVS": "ZOS"}
    names = {word: name_of("MQAT", number) for word, number in type.named.items()}
    assert names == {word: f"MQAT_{spelled.get(word, word)}" for word in type.named}


def test_every_hot_column_exists_in_its_table() -> None:
    wrong = []
    for kind in KINDS.values():
        table = queue_manager if kind.keyword == "QMGR" else queue
        wrong += [(kind.keyword, word, column.name) for word, column in kind.hot_columns if column.name not in table.c]
    assert wrong == []


def test_attributes_without_a_column_and_unknown_words_are_left_out() -> None:
    assert columns(KINDS["QLOCAL"], {"DESCR": "x", "BOTHRESH": 3, "NOSUCH": 1}) == {}


BY_NAME = {(each.kind, each.name): each for each in SYSTEM_OBJECTS}


def test_every_object_has_a_name_and_values_of_its_kind() -> None:
    wrong: list[tuple[str, str, object]] = []
    for each in SYSTEM_OBJECTS:
        kind = KINDS[each.kind]
        if kind.name_type.accept(each.name) != each.name:
            wrong.append((each.kind, each.name, "name"))
        unknown = set(each.attributes()) ^ set(defaults(kind, each.subtype))
        if unknown:
            wrong.append((each.kind, each.name, unknown))
        wrong += [
            (each.kind, each.name, keyword)
            for keyword, value in each.overrides.items()
            if read_back(kind.attributes[keyword], value) != value
        ]
    assert wrong == []


def test_names_are_unique_where_they_must_be() -> None:
    places = [(each.namespace, each.name) for each in SYSTEM_OBJECTS]
    assert len(places) == len(set(places))


def test_every_default_object_that_a_kind_names_is_there() -> None:
    named = {(kind.keyword, name) for kind in KINDS.values() for name in kind.default_objects.values()}
    assert named <= set(BY_NAME)


@pytest.mark.parametrize(
    ("kind", "name", "keyword", "value"),
    [("QLOCAL", "SYSTEM.DEFAULT.LOCAL.QUEUE", "HARDENBO", "HARDENBO"),
     ("QLOCAL", "SYSTEM.DEFAULT.LOCAL.QUEUE", "SHARE", "SHARE"),
     ("QMODEL", "SYSTEM.DEFAULT.MODEL.QUEUE", "HARDENBO", "NOHARDENBO"),
     ("QMODEL", "SYSTEM.DEFAULT.MODEL.QUEUE", "SHARE", "NOSHARE"),
     ("QMODEL", "SYSTEM.DEFAULT.MODEL.QUEUE", "DEFTYPE", "TEMPDYN"),
     ("QMODEL", "SYSTEM.DURABLE.MODEL.QUEUE", "DEFTYPE", "PERMDYN"),
     ("QMODEL", "SYSTEM.JMS.MODEL.QUEUE", "DEFTYPE", "PERMDYN"),
     ("QMODEL", "SYSTEM.JMS.MODEL.QUEUE", "SHARE", "SHARE"),
     ("QMODEL", "SYSTEM.JMS.MODEL.QUEUE", "DEFSOPT", "SHARED"),
     ("QMODEL", "SYSTEM.JMS.MODEL.QUEUE", "MAXDEPTH", 5000),
     ("QMODEL", "SYSTEM.JMS.MODEL.QUEUE", "BOTHRESH", 0),
     ("QMODEL", "SYSTEM.JMS.MODEL.QUEUE", "BOQNAME", ""),
     ("QLOCAL", "SYSTEM.CLUSTER.TRANSMIT.QUEUE", "USAGE", "XMITQ"),
     ("CHANNEL", "SYSTEM.DEF.CLUSRCVR", "MCATYPE", "THREAD"),
     ("CHANNEL", "SYSTEM.AUTO.SVRCONN", "CHLTYPE", "SVRCONN"),
     ("TOPIC", "SYSTEM.BASE.TOPIC", "PUB", "ENABLED"),
     ("CHLAUTH", "*", "USERLIST", ["*MQADMIN"]),
     ("AUTHINFO", "SYSTEM.DEFAULT.AUTHINFO.IDPWOS", "CHCKCLNT", "REQDADM")],
)  # fmt: skip
def test_shipped_values(kind: str, name: str, keyword: str, value: object) -> None:
    assert BY_NAME[kind, name].attributes()[keyword] == value


@pytest.mark.parametrize(
    "name",
    ["SYSTEM.DEAD.LETTER.QUEUE", "SYSTEM.ADMIN.COMMAND.QUEUE", "SYSTEM.ADMIN.QMGR.EVENT", "SYSTEM.ADMIN.PERFM.EVENT",
     "SYSTEM.DEFAULT.INITIATION.QUEUE", "SYSTEM.CHANNEL.INITQ", "SYSTEM.CICS.INITIATION.QUEUE"],
)  # fmt: skip
def test_queues_that_other_parts_count_on(name: str) -> None:
    assert ("QLOCAL", name) in BY_NAME
