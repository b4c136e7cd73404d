"""The table of commands beside the specification: synonyms, nouns, words, effects, and what has
no effect.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

import mqsc
from mqsc.explain.lookup import explanations
from mqsc.language import command_table
from mqsc.language.command_support import CommandSupport, answer_with_reason, support_of
from mqsc.language.command_table import (
    COMMANDS,
    LISTED_VERBS,
    NOUN_SYNONYMS,
    VERB_SYNONYMS,
    kinds_for,
    meant,
    noun_of,
    objects_of,
    verb_of,
)
from mqsc.language.inert import INERT_ATTRIBUTES, INERT_OBJECTS, WORKING, inert_because
from mqsc.language.reply import TEXTS
from mqsc.language.request import Naming
from mqsc.language.support import UNSUPPORTED, Effect
from mqsc.language.syntax_text import syntax_lines
from mqsc.script import run
from mqsc.store.catalog import KINDS, Attribute, Kind
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.verbs.syntax import syntax_begun_by, syntax_of
from tests.rows import rows
from tests.source import ROOT

# Attributes that name or describe an object or are for programs to read, hints with which MQ gives
# the same results, and IGQ, which can only be DISABLED here.
NEUTRAL = frozenset(
    "DESCR CUSTOM BOQNAME BOTHRESH RETINTVL HARDENBO DISTL DEFREADA IGQ NAMES PROFILE".split(),
)


@rows(
    *(("DEFINE", "QL", "QLOCAL"), ("DISPLAY", "Q", "QUEUE"), ("DEFINE", "Q", None)),
    *(("PING", "CHL", "CHANNEL"), ("DISPLAY", "DQM", "CHINIT")),
)
def test_verbs_and_nouns(verb: str, word: str, noun: str | None) -> None:
    assert noun_of(verb, word) == noun
    verbs = {
        "DEFINE": "DEFINE",
        "DEF": "DEFINE",
        "DIS": "DISPLAY",
        "REBUILD": "REFRESH",
        "DEL": None,
        "END": None,
    }
    assert {each: verb_of(each) for each in verbs} == verbs


def test_synonyms_lead_to_commands_and_hide_none() -> None:
    nouns = {noun for each in COMMANDS.values() for noun in each}
    assert {*VERB_SYNONYMS.values()} <= {*COMMANDS}
    assert {*NOUN_SYNONYMS.values()} <= nouns
    assert ({*VERB_SYNONYMS} & {*COMMANDS}, {*NOUN_SYNONYMS} & nouns) == (set(), set())
    assert {*LISTED_VERBS} - {"END"} <= {*COMMANDS}
    assert (meant("MAXDEPT", ["MAXDEPTH", "DESCR"]), meant("ZZZZ", ["MAXDEPTH"])) == (
        "; did you mean MAXDEPTH?",
        "",
    )


@rows(
    *((noun, ["QLOCAL", "QALIAS", "QMODEL", "QREMOTE"]) for noun in ("QUEUE", "QCLUSTER")),
    *((noun, [noun]) for noun in ("QLOCAL", "QSTATUS", "CLUSTER")),
)
def test_kinds(noun: str, kinds: list[str]) -> None:
    assert sorted(kind.keyword for kind in kinds_for(noun)) == sorted(kinds)


def test_objects_of_a_verb_are_its_nouns_without_the_unsupported_ones() -> None:
    """Every command has a syntax with its title."""
    for verb, nouns in COMMANDS.items():
        assert {*objects_of(verb)} == {noun for noun in nouns if (verb, noun) not in UNSUPPORTED}, (
            verb
        )
        for noun in nouns:
            syntax = syntax_of(verb, noun)
            assert (syntax.title, len(syntax.name_types)) == (f"{verb} {noun}", len(syntax.kinds))
    assert len(objects_of("PING")) == 2
    with pytest.raises(KeyError):
        objects_of("PING")["QLOCAL"]


def test_words_of_a_verb() -> None:
    define, alter = syntax_of("DEFINE", "QLOCAL"), syntax_of("ALTER", "QLOCAL")
    display, delete = syntax_of("DISPLAY", "QLOCAL"), syntax_of("DELETE", "QLOCAL")
    assert {*define.words} >= {"MAXDEPTH", "TRIGGER", "NOTRIGGER", "LIKE", "REPLACE", "NOREPLACE"}
    assert {*define.words} - {*alter.words} == {"LIKE", "REPLACE", "NOREPLACE"}
    assert {*alter.words} - {*define.words} == {"FORCE"}
    assert "MAXDEPTH" in display.listed
    assert not {"MAXDEPTH", "CURDEPTH"} & {*display.words}
    assert not delete.listed
    assert (define.naming, display.naming) == (Naming.EXACT, Naming.GENERIC)


@rows(
    *(("def ql(a) maxdepth(", "DEFINE QLOCAL"), ("DISPLAY QUEUE", "DISPLAY QUEUE")),
    *((text, None) for text in ("DEFINE", "DEFINE NOSUCH(A)", "")),
)
def test_the_syntax_that_a_text_begins_with(text: str, title: str | None) -> None:
    found = syntax_begun_by(text)
    assert (found.title if found else None) == title


def test_the_help_prints_names_required_and_optional_parameters() -> None:
    """That of a subtype leaves out what it does not take; ALTER requires only what says which
    object it is.
    """
    assert syntax_lines(syntax_of("PING", "CHANNEL")) == [
        "  PING CHANNEL( channel_name )",
        f"   {'[ CHLDISP( DEFAULT | PRIVATE | SHARED ) ]'}",
        f"   {'[ CMDSCOPE( string ) ]':<40}[ DATALEN( integer ) ]",
    ]
    assert syntax_lines(syntax_of("RESOLVE", "CHANNEL"))[1] == "   ACTION( COMMIT | BACKOUT )"
    assert (
        syntax_lines(syntax_of("REFRESH", "SECURITY"))[0]
        == "  REFRESH SECURITY [ ( security_name ) ]"
    )
    client, sender = (
        "\n".join(syntax_lines(syntax_of("DEFINE", "CHANNEL"), each)) for each in ("SVRCONN", "SDR")
    )
    assert "CHLTYPE( SVRCONN )" in client
    assert ("XMITQ" in client, "XMITQ" in sender) == (False, True)
    lines = syntax_lines(syntax_of("ALTER", "CHANNEL"), "SDR")
    assert lines[1] == "   CHLTYPE( SDR )"
    assert not [line for line in lines[2:] if not line.startswith("   [")]


PAGE = ROOT / "docs" / "commands.md"
HEAD = ["| command | here | reply | |", "|---|---|---|---|"]
ROWS = [support_of(verb, noun) for verb in sorted(COMMANDS) for noun in sorted(COMMANDS[verb])]
NAMED = {
    **{("START", "CHANNEL"): "(TO.X)", ("START", "SERVICE"): "(S)", ("STOP", "SERVICE"): "(S)"},
    **{("CLEAR", "TOPICSTR"): "(x) CLRTYPE(RETAINED)", ("REFRESH", "CLUSTER"): "(*)"},
    **{("RESET", "CLUSTER"): "(C) ACTION(FORCEREMOVE)", ("RESET", "QMGR"): " TYPE(STATISTICS)"},
    **{
        ("RESUME", "QMGR"): " CLUSTER(C)",
        ("SUSPEND", "QMGR"): " CLUSTER(C)",
        ("PING", "CHANNEL"): "(TO.X)",
    },
    ("RESOLVE", "CHANNEL"): "(TO.X) ACTION(COMMIT)",
}
SETTING = "DEFINE CHANNEL(TO.X) CHLTYPE(SDR) XMITQ(X) CONNAME(x); DEFINE SERVICE(S)"


def table() -> list[str]:
    """Return the rows for the docs, in the order of the commands."""
    rows = (
        f"| {row.verb} {row.noun} | {row.effect.value} | {row.message_id} | {row.sentence} |"
        for row in ROWS
    )
    return [*HEAD, *rows]


def test_every_command_has_a_row_and_what_is_not_done_says_why() -> None:
    assert {(row.verb, row.noun) for row in ROWS} == {
        (verb, noun) for verb in COMMANDS for noun in COMMANDS[verb]
    }
    assert len(ROWS) == len({(row.verb, row.noun) for row in ROWS})
    assert [row for row in ROWS if row.effect is not Effect.DONE and not row.sentence] == []
    assert {row.message_id for row in ROWS if row.effect is not Effect.DONE} <= {*TEXTS}


def test_the_docs_have_the_table() -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    assert lines[lines.index(HEAD[0]) :] == table()


@pytest.mark.parametrize("row", [row for row in ROWS if row.effect is Effect.NOTHING], ids=str)
def test_a_command_without_effect_says_why(qmgr: QueueManager, row: CommandSupport) -> None:
    run(qmgr, SETTING)
    (reply,) = run(qmgr, f"{row.verb} {row.noun}{NAMED.get((row.verb, row.noun), '')}")
    assert (reply.message_id, reply.completion, reply.text.splitlines()[-1]) == (
        row.message_id,
        0,
        row.sentence,
    )


def test_a_refusal_says_why(qmgr: QueueManager) -> None:
    run(qmgr, SETTING)
    for row in ROWS:
        if row.effect is Effect.REFUSED:
            given = NAMED.get((row.verb, row.noun))
            replies = [
                each
                for name in ((given,) if given else ("", "(X)"))
                for each in run(qmgr, f"{row.verb} {row.noun}{name}")
            ]
            found = {
                (each.message_id, each.completion, each.text)
                for each in replies
                if each.message_id != "AMQ8405I"
            }
            text = answer_with_reason(row.verb, row.noun).text
            assert found == {(row.message_id, 2, text)}
            assert row.sentence[1:] in text


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    before = PAGE.read_text(encoding="utf-8").split(HEAD[0])[0]
    Path(PAGE).write_text(before + "\n".join(table()) + "\n", encoding="utf-8")


ACTING = (
    *("store/engine", "store/rules", "store/mqi", "store/sql", "store/client", "store/admin"),
    *("mqsc/agents", "mqsc/channels"),
)
NOT_ACTING = (
    "store/mqi/inquire.py",
    "store/mqi/inquiry_selectors.py",
    "store/rules/conflicts.py",
    "store/rules/connection_authentication.py",
    "store/rules/topics/inheritance.py",
    "store/rules/object_events.py",
    "store/admin/records.py",
    "store/admin/authority_records.py",
    "store/admin/channel_auth_records.py",
    "store/admin/topics.py",
    "store/admin/status.py",
    "store/admin/connection_status.py",
    "store/admin/altering.py",
    "store/admin/configuration_refresh.py",
    "store/admin/channel/display.py",
    "store/admin/channel/explanation.py",
    "mqsc/agents/channel_metrics.py",
    "mqsc/agents/metrics.py",
)
# Words in the sources that only coincide with the names of these attributes.
COINCIDENCES = {
    ("QMGR", "ACCTQ"): "the attribute of queues",
    ("NAMELIST", "NLTYPE"): "which namelists `mqsc uses` looks at",
    ("CHANNEL", "USERID"): "the user of a connection",
    ("CHANNEL", "QMNAME"): "the name of the queue manager in rows of a status",
    ("AUTHINFO", "CONNAME"): "the address of a partner of a channel",
    ("CHANNEL", "COMPMSG"): "what the ends agree on; nothing is compressed",
    ("CHANNEL", "PROPCTL"): "the attribute of queues",
    ("SUB", "SUBSCOPE"): "what is displayed of subscriptions of programs",
    ("TOPIC", "SUBSCOPE"): "what is displayed of subscriptions of programs",
    ("CHANNEL", "SSLPEER"): "the attribute of channel authentication records",
}


@cache
def words_acted_on() -> frozenset[str]:
    """Return all words in strings of the sources that act on attributes, except docstrings."""
    passive = {path for pattern in NOT_ACTING for path in ROOT.glob(pattern)}
    words: set[str] = set()
    for folder in ACTING:
        for path in set((ROOT / folder).rglob("*.py")) - passive:
            tree = ast.parse(path.read_text(encoding="utf-8"))
            statements = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
            for each in ast.walk(tree):
                if (
                    isinstance(each, ast.Constant)
                    and isinstance(each.value, str)
                    and id(each) not in statements
                ):
                    words |= {*each.value.split()}
    return frozenset(words)


def has_effect(kind: Kind, row: Attribute) -> bool:
    coincidence = (kind.keyword, row.keyword) in COINCIDENCES
    return row.column is not None or (row.keyword in words_acted_on() and not coincidence)


def settable(kind: Kind) -> list[Attribute]:
    return [
        row
        for row in kind.attributes.values()
        if not (row.option or row.display_only or row.constant is not None)
    ]


def test_exactly_what_is_listed_is_inert() -> None:
    listed = [(each, keyword) for each in INERT_ATTRIBUTES for keyword in each.keywords]
    rows = [
        (KINDS[kind], KINDS[kind].attributes.get(keyword))
        for each, keyword in listed
        for kind in each.kinds
    ]
    assert [(kind, row) for kind, row in rows if row and has_effect(kind, row)] == []
    absent = [
        each
        for each in listed
        if not any(each[1] in KINDS[kind].attributes for kind in each[0].kinds)
    ]
    assert absent == []
    others = [
        (KINDS[kind], row)
        for kind in WORKING
        for row in settable(KINDS[kind])
        if row.keyword not in NEUTRAL
    ]
    assert [
        f"{kind.keyword} {row.keyword}: neither read, nor in inert.csv, nor in NEUTRAL"
        for kind, row in others
        if not has_effect(kind, row) and not inert_because(kind, row)
    ] == []


def test_every_kind_of_object_works_or_is_listed() -> None:
    assert {*WORKING, *INERT_OBJECTS} == KINDS.keys()


CLUSTERS = "there are no clusters here: queue managers in one store do not exchange definitions."


# Commands, and what is said about what has no effect: each reason once.
@rows(
    (
        "",
        {
            "DEFINE QLOCAL(A) CLUSTER(C) CLWLPRTY(5)": [f"CLUSTER has no effect: {CLUSTERS}"],
            "DEFINE QLOCAL(B) CLWLRANK(5) CLUSTER(' ')": [],
            "DEFINE SUB(S) TOPICSTR(x) DEST(A)": [],
            "DEFINE SUB(R) TOPICSTR(x) DEST(A) SUBSCOPE(QMGR)": [
                "SUBSCOPE has no effect: publications go to no other queue manager and there is no "
                "multicast here.",
            ],
            "DEFINE TOPIC(T) TOPICSTR(y)": [],
            "DEFINE SERVICE(V) CONTROL(QMGR)": [
                "Nothing acts on SERVICE here: no program is started.",
            ],
            "DEFINE QLOCAL(C) MAXDEPTH(5) DESCR('x')": [],
            "ALTER QMGR CHLAUTH(ENABLED)": [],
            "ALTER QMGR CHLAUTH(DISABLED)": [],
        },
    ),
    (
        "QSG1",
        {
            "DEFINE CFSTRUCT(S)": [],
            "DEFINE QLOCAL(A) QSGDISP(SHARED) CFSTRUCT(S) QSVCIEV(HIGH)": [
                "QSVCIEV has no effect: shared queues cause no service interval events, as in MQ.",
            ],
            "ALTER QLOCAL(A) QSGDISP(SHARED) NPMCLASS(HIGH)": [
                "NPMCLASS has no effect: shared queues keep nonpersistent messages when queue "
                "managers end, as in MQ.",
            ],
            "ALTER QLOCAL(A) QSGDISP(SHARED) QSVCIEV(NONE)": [],
            "DEFINE QLOCAL(B) QSVCIEV(HIGH) NPMCLASS(HIGH)": [],
        },
    ),
)
def test_a_run_says_each_reason_once(store: Store, group: str, said: dict[str, list[str]]) -> None:
    replies = mqsc.run(store.create_queue_manager("QM1", group=group), "\n".join(said), check=True)
    assert [reply.text.split("\n")[1:] for reply in replies[bool(group) :]] == [*said.values()][
        bool(group) :
    ]


def test_explain_says_it() -> None:
    parts = {
        word: [
            part.text for each in explanations(word) for part in each.parts if part.label == "here"
        ]
        for word in ("CLUSNL", "SERVICE", "CHLAUTH", "MAXDEPTH")
    }
    assert parts["CLUSNL"][0].startswith("no effect: there are no clusters")
    assert parts["SERVICE"] == ["no effect: no program is started"]
    assert parts["CHLAUTH"] == []
    assert parts["MAXDEPTH"] == []


def test_the_docs_have_the_list() -> None:
    lines = (ROOT / "docs/commands.md").read_text(encoding="utf-8").splitlines()
    start = lines.index("| object | attributes | why |") + 2
    assert lines[start : lines.index("", start)] == [
        *(f"| {kind} | all | {why} |" for kind, why in INERT_OBJECTS.items()),
        *(
            f"| {', '.join(each.kinds)} | {' '.join(sorted(each.keywords))} | {each.sentence} |"
            for each in INERT_ATTRIBUTES
        ),
    ]


NAMED_ELSEWHERE: Mapping[str, str] = {
    "DEFINE MAXSMSGS": "a number is there instead of a name",
    "RESOLVE INDOUBT": "the connection name is there",
    "RVERIFY SECURITY": "the users are there",
    "DEFINE LOG": "the data set is there",
    **{
        f"{verb} TRACE": "the type of trace is there"
        for verb in ("ALTER", "DISPLAY", "START", "STOP")
    },
    **{f"{verb} POLICY": "a policy has a name" for verb in ("DELETE", "DISPLAY", "SET")},
}


@cache
def _specified() -> dict[str, Any]:
    text = (ROOT / "docs" / "development" / "specification" / "mqsc-commands.yaml").read_text(
        encoding="utf-8"
    )
    found: dict[str, Any] = yaml.safe_load(text)
    return found


def _words(entry: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words that a command accepts, with a value or as a flag."""
    for key in (
        "keywords",
        "keywords_zos_only",
        "parameters",
        "zos_parameters",
        "selectors",
        "options",
    ):
        listed = entry.get(key, ())
        for word in () if isinstance(listed, str) else listed:
            yield str(word).split()[0]


def _asked(entry: Mapping[str, Any]) -> list[str]:
    listed = entry.get("attributes", ())
    return (
        []
        if isinstance(listed, str)
        else [str(word) for line in listed for word in str(line).split()]
    )


def test_every_command_and_no_other_is_known() -> None:
    commands = {tuple(name.split()) for name in _specified()["commands"]}
    assert {
        (verb, noun) for verb, nouns in command_table.COMMANDS.items() for noun in nouns
    } == commands


def test_every_synonym_is_known() -> None:
    for verb, entry in _specified()["verbs"].items():
        for said in entry["synonyms"]:
            assert verb == "END" or command_table.verb_of(said.split()[0]) == verb
    for noun, entry in _specified()["nouns"].items():
        for said in entry["synonyms"]:
            verbs = [verb for verb, nouns in command_table.COMMANDS.items() if noun in nouns]
            assert all(command_table.noun_of(verb, said.split()[0]) == noun for verb in verbs)


def test_every_word_of_every_command_is_taken() -> None:
    found = {}
    for name, entry in _specified()["commands"].items():
        verb, noun = name.split()
        form = syntax_of(verb, noun)
        lacking = {
            word for word in _words(entry) if word not in form.words and word not in form.listed
        }
        lacking |= {
            word for word in _asked(entry) if word not in form.listed and word not in form.words
        }
        if lacking:
            found[name] = lacking
    assert found == {}


def test_objects_are_named_as_specified() -> None:
    wrong = set()
    for name, entry in _specified()["commands"].items():
        verb, noun = name.split()
        naming = syntax_of(verb, noun).verb.naming_of(noun)
        if (entry["name_argument"] == "none") != (naming is Naming.NONE):
            wrong.add(name)
    assert wrong == set(NAMED_ELSEWHERE)
