"""The catalog: rows, hot columns, and the objects of a new queue manager."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

import pytest

from mqsc.store import catalog
from mqsc.store.catalog import (
    KINDS,
    SYSTEM_OBJECTS,
    Attribute,
    Kind,
    Stored,
    attribute_of,
    columns,
    defaults,
)
from mqsc.store.catalog.status import STATUS_KINDS
from mqsc.store.catalog.types import Flag, Items, Number, Word
from mqsc.store.constants import name_of, value_of
from mqsc.store.sql.core.schema import queue, queue_manager
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


def are_values(kind: Kind, row: Attribute) -> bool:
    """Whether the defaults and the constant are values of their own type."""
    values = (*(row.default_value(subtype, "QM1") for subtype in subtypes(kind)), row.constant)
    given = [
        value
        for value in values
        if value is not None and not (value == [] and isinstance(row.type, Items))
    ]
    return [read_back(row, value) for value in given] == given


def are_subtypes(kind: Kind, row: Attribute) -> bool:
    named, of_row = {*row.only_for, *row.zos_for}, {*row.required_for, *row.default_for}
    return named | of_row <= {*subtypes(kind)} and of_row <= {*(row.only_for or subtypes(kind))}


RULES: Mapping[str, Callable[[Kind, Attribute], bool]] = {
    "the help is one short sentence": lambda _, row: (
        re.fullmatch(r"(?!.*\. )[A-Z].{,98}\.", row.help) is not None
    ),
    "it says what it accepts": lambda _, row: bool(row.type.wanted),
    "verbs and platforms are known": lambda _, row: (
        set() < row.verbs <= VERBS and row.platform in PLATFORMS
    ),
    "defaults are values of their own type": are_values,
    "what can be given has a default or is required": lambda _, row: (
        row.display_only or row.required or row.default is not None
    ),
    "subtypes that it names exist": are_subtypes,
    "a hot column has a number for every word": lambda _, row: (
        row.column is None or row.column.read is not None or words_of(row) <= {*row.column.numbers}
    ),
}


@pytest.mark.parametrize("rule", RULES)
def test_rows(rule: str) -> None:
    assert [place for place, kind, row in rows() if not RULES[rule](kind, row)] == []


def test_words_and_hot_columns_of_a_kind_are_unambiguous() -> None:
    wrong = {}
    for kind in ALL_KINDS:
        attributes = kind.attributes.values()
        spelled = [
            word
            for row in attributes
            for word in (row.keyword, *row.synonyms, *row.display_synonyms)
        ]
        spelled += [
            row.type.off for row in attributes if isinstance(row.type, Flag) and row.type.off
        ]
        again = repeated([row.column.name for row in attributes if row.column is not None])
        if repeated(spelled) or set(spelled) != set(kind.words) or again:
            wrong[kind.keyword] = (repeated(spelled), set(spelled) ^ set(kind.words), again)
    assert wrong == {}
    assert (
        repeated([word for kind in KINDS.values() for word in (kind.keyword, *kind.synonyms)]) == []
    )


def test_every_displayed_attribute_is_in_the_display_order_once() -> None:
    wrong = {}
    for kind in ALL_KINDS:
        displayed = {
            row.keyword
            for row in kind.attributes.values()
            if "DISPLAY" in row.verbs and not row.option
        }
        order = kind.display_order
        # Words in the order that are not attributes may only be the object's name.
        extra = set(order) - displayed - {*kind.key, kind.keyword}
        late = set(kind.key) - set(order[: len(kind.key) + 1])
        if repeated(list(order)) or displayed - set(order) or extra or late:
            wrong[kind.keyword] = (repeated(list(order)), displayed - set(order), extra, late)
    assert wrong == {}


def test_kinds_by_word() -> None:
    named = {
        "QL": "QLOCAL",
        "ql": "QLOCAL",
        "PRO": "PROCESS",
        "CHL": "CHANNEL",
        "LSTR": "LISTENER",
        "STC": "STGCLASS",
    }
    named |= {"NL": "NAMELIST", "QMGR": "QMGR"}
    assert {
        word: kind and kind.keyword for word in named if (kind := catalog.kind_of(word))
    } == named
    assert (catalog.kind_of("QUEUE"), catalog.kind_of("QLOC")) == (None, None)
    queues = ["QALIAS", "QLOCAL", "QMODEL", "QREMOTE"]
    several = {
        "QUEUE": queues,
        "q": queues,
        "QA": ["QALIAS"],
        "COMMINFO": ["COMMINFO"],
        "BUFFPOOL": [],
    }
    assert {word: [kind.keyword for kind in catalog.kinds_of(word)] for word in several} == several


def test_attributes_by_word() -> None:
    """Also by the word that switches a flag off. A kind, or a verb, does not have others."""
    words = {
        "TARGQ": "QALIAS",
        "NOTRIGGER": "QLOCAL",
        "qtype": "QLOCAL",
        "TRIGGER": "QLOCAL",
        "TYPE": "CHANNEL",
    }
    found = [attribute_of(KINDS[kind], word) for word, kind in words.items()]
    named = [
        ("TARGET", True),
        ("TRIGGER", False),
        ("TYPE", True),
        ("TRIGGER", True),
        ("CHLTYPE", True),
    ]
    assert [each and (each[0].keyword, each[1]) for each in found] == named
    others = (
        ("QREMOTE", "GET", "DISPLAY"),
        ("QLOCAL", "MAXDPTH", "DISPLAY"),
        ("QALIAS", "NOTRIGGER", "ALTER"),
    )
    for kind, word, verb in (*others, ("CHANNEL", "TYPE", "DEFINE")):
        assert attribute_of(KINDS[kind], word, verb) is None, word


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
    assert (facts["MAXPRTY"], facts["COMMANDQ"], facts["PLATFORM"]) == (
        9,
        "SYSTEM.ADMIN.COMMAND.QUEUE",
        "UNIX",
    )
    assert set(facts).isdisjoint(defaults(KINDS["QMGR"]))


PLACES = {
    "QLOCAL": ("SYSTEM.DEFAULT.LOCAL.QUEUE", "queue"),
    "QREMOTE": ("SYSTEM.DEFAULT.REMOTE.QUEUE", "queue"),
    "CHANNEL RCVR": ("SYSTEM.DEF.RECEIVER", "channel"),
    "CHANNEL CLNTCONN": ("SYSTEM.DEF.CLNTCONN", "clntconn"),
    "CHANNEL MQTT": ("", "channel"),
    "LISTENER TCP": ("SYSTEM.DEFAULT.LISTENER.TCP", "listener"),
    "CFSTRUCT": ("", "cfstruct"),
}


@pytest.mark.parametrize(("kind", "place"), PLACES.items())
def test_default_objects_and_namespaces(kind: str, place: tuple[str, str]) -> None:
    keyword, _, subtype = kind.partition(" ")
    assert (
        KINDS[keyword].default_object_of(subtype),
        KINDS[keyword].namespace_of(subtype),
    ) == place


def test_display_all_leaves_out_words_without_effect_but_not_the_expiry_interval() -> None:
    everything = KINDS["QMGR"].shown()
    assert "EXPRYINT" in everything
    assert "ACTCHL" not in everything
    assert "ACTCHL" in KINDS["QMGR"].display_order
    assert "PUTAUT" in KINDS["CHANNEL"].shown("RCVR")
    assert "PUTAUT" not in KINDS["CHANNEL"].shown("SVRCONN")


def test_passwords_are_secret_and_exported_names_exist() -> None:
    secret = {
        row.keyword for kind in KINDS.values() for row in kind.attributes.values() if row.secret
    }
    assert secret == {"INITKEY", "KEYRPWD", "LDAPPWD", "PASSWORD", "SSLCRYP", "SSLKEYP"}
    assert [name for name in catalog.__all__ if not hasattr(catalog, name)] == []


def test_an_amqp_channel_is_shown_in_its_own_order() -> None:
    assert KINDS["CHANNEL"].shown("AMQP") == tuple(
        "CHANNEL CHLTYPE ALTDATE ALTTIME CERTLABL DESCR AMQPKA LOCLADDR MAXINST MAXMSGL MCAUSER "
        "PORT SSLCAUTH SSLCIPH "
        "SSLPEER TPROOT TMPMODEL TMPQPRFX USECLTID".split(),
    )


ENCODED: Mapping[str, list[tuple[str, Stored, str, int | str | None]]] = {
    "QLOCAL": [
        *(
            ("GET", "DISABLED", "get_enabled", 0),
            ("PUT", "ENABLED", "put_enabled", 1),
            ("MAXDEPTH", 7, "max_depth", 7),
        ),
        *(
            ("MAXMSGL", 100, "max_length", 100),
            ("DEFPRTY", 4, "default_priority", 4),
            ("MSGDLVSQ", "FIFO", "fifo", 1),
        ),
        *(("DEFPSIST", "YES", "default_persistence", 1), ("USAGE", "XMITQ", "is_transmission", 1)),
        *(("SHARE", "NOSHARE", "shareable", 0), ("DEFSOPT", "EXCL", "default_exclusive", 1)),
        *(("TRIGGER", "TRIGGER", "trigger_on", 1), ("TRIGDATA", "x", "trigger_data", "x")),
        *(("CAPEXPRY", "NOLIMIT", "cap_expiry", None), ("CAPEXPRY", 600, "cap_expiry", 600)),
        ("CUSTOM", "A(B) capexpry( 0600 )", "custom_cap_expiry", 600),
        *(
            ("CUSTOM", "CAPEXPRY(NOLIMIT)", "custom_cap_expiry", None),
            ("CUSTOM", "", "custom_cap_expiry", None),
        ),
        *(
            ("ACCTQ", "OFF", "recorded", 0),
            ("ACCTQ", "QMGR", "recorded", 1),
            ("QDPMAXEV", "ENABLED", "full_event", 1),
        ),
        ("NPMCLASS", "HIGH", "keep_nonpersistent", 1),
    ],
    "QALIAS": [("TARGTYPE", "TOPIC", "target_is_topic", 1), ("TARGET", "A", "target", "A")],
    "QREMOTE": [
        *(("RNAME", "A", "remote_name", "A"), ("RQMNAME", "QM2", "remote_queue_manager", "QM2")),
        ("XMITQ", "X", "transmission_queue", "X"),
    ],
    "QMGR": [
        *(("EXPRYINT", "OFF", "expiry_interval", None), ("EXPRYINT", 60, "expiry_interval", 60)),
        *(("TRIGINT", 1000, "trigger_interval", 1000), ("MARKINT", "NOLIMIT", "mark_interval", -1)),
        ("INHIBTEV", "ENABLED", "inhibit_event", 1),
    ],
}


@pytest.mark.parametrize("kind", ENCODED)
def test_stored_values_become_column_values(kind: str) -> None:
    found = [columns(KINDS[kind], {keyword: stored}) for keyword, stored, *_ in ENCODED[kind]]
    assert found == [{column: value} for *_, column, value in ENCODED[kind]]


def test_columns_of_some_attributes_only_and_of_those_that_have_one() -> None:
    attributes: dict[str, Stored] = {"MAXDEPTH": 7, "MAXMSGL": 100, "DESCR": "x"}
    assert columns(KINDS["QLOCAL"], attributes, {"MAXDEPTH", "DESCR"}) == {"max_depth": 7}
    assert columns(KINDS["QLOCAL"], {"DESCR": "x", "BOTHRESH": 3, "NOSUCH": 1}) == {}


WORDS = {
    ("QLOCAL", "TRIGTYPE", "MQTT"): {each: each for each in ("NONE", "FIRST", "EVERY", "DEPTH")},
    ("QMODEL", "DEFTYPE", "MQQDT"): {
        "PERMDYN": "PERMANENT_DYNAMIC",
        "TEMPDYN": "TEMPORARY_DYNAMIC",
    },
    ("QLOCAL", "DEFTYPE", "MQQDT"): {"PREDEFINED": "PREDEFINED", "SHAREDYN": "SHARED_DYNAMIC"},
    ("QLOCAL", "QSVCIEV", "MQQSIE"): {each: each for each in ("NONE", "HIGH", "OK")},
}


def test_words_are_encoded_as_the_mqi_numbers_them() -> None:
    for (kind, keyword, family), names in WORDS.items():
        column = KINDS[kind].attributes[keyword].column
        assert column is not None
        numbers = {word: value_of(f"{family}_{name}") for word, name in names.items()}
        assert {word: column.numbers[word] for word in names} == numbers, keyword


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
        wrong += [
            (kind.keyword, word, column.name)
            for word, column in kind.hot_columns
            if column.name not in table.c
        ]
    assert wrong == []


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


SHIPPED: Mapping[tuple[str, str], Mapping[str, object]] = {
    ("QLOCAL", "SYSTEM.DEFAULT.LOCAL.QUEUE"): {"HARDENBO": "HARDENBO", "SHARE": "SHARE"},
    ("QMODEL", "SYSTEM.DEFAULT.MODEL.QUEUE"): {
        "HARDENBO": "NOHARDENBO",
        "SHARE": "NOSHARE",
        "DEFTYPE": "TEMPDYN",
    },
    ("QMODEL", "SYSTEM.DURABLE.MODEL.QUEUE"): {"DEFTYPE": "PERMDYN"},
    ("QMODEL", "SYSTEM.JMS.MODEL.QUEUE"): {
        **{
            "DEFTYPE": "PERMDYN",
            "SHARE": "SHARE",
            "DEFSOPT": "SHARED",
            "MAXDEPTH": 5000,
            "BOTHRESH": 0,
            "BOQNAME": "",
        },
    },
    ("QLOCAL", "SYSTEM.CLUSTER.TRANSMIT.QUEUE"): {"USAGE": "XMITQ"},
    ("CHANNEL", "SYSTEM.DEF.CLUSRCVR"): {"MCATYPE": "THREAD"},
    ("CHANNEL", "SYSTEM.AUTO.SVRCONN"): {"CHLTYPE": "SVRCONN"},
    ("TOPIC", "SYSTEM.BASE.TOPIC"): {"PUB": "ENABLED"},
    ("CHLAUTH", "*"): {"USERLIST": ["*MQADMIN"]},
    ("AUTHINFO", "SYSTEM.DEFAULT.AUTHINFO.IDPWOS"): {"CHCKCLNT": "REQDADM"},
}
# Other parts count on them.
ADMIN = ("ADMIN.COMMAND.QUEUE", "ADMIN.QMGR.EVENT", "ADMIN.PERFM.EVENT")
QUEUES = (
    "DEAD.LETTER.QUEUE",
    "DEFAULT.INITIATION.QUEUE",
    "CHANNEL.INITQ",
    "CICS.INITIATION.QUEUE",
    *ADMIN,
)


@pytest.mark.parametrize(("place", "values"), SHIPPED.items())
def test_shipped_values(place: tuple[str, str], values: Mapping[str, object]) -> None:
    attributes = BY_NAME[place].attributes()
    assert {keyword: attributes[keyword] for keyword in values} == values


def test_system_objects_that_are_there() -> None:
    """Their names are unique where they must be."""
    named = {
        (kind.keyword, name) for kind in KINDS.values() for name in kind.default_objects.values()
    }
    assert named | {("QLOCAL", f"SYSTEM.{name}") for name in QUEUES} <= set(BY_NAME)
    places = [(each.namespace, each.name) for each in SYSTEM_OBJECTS]
    assert len(places) == len(set(places))
