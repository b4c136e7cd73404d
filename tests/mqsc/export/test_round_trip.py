"""What is exported, run on a new queue manager, exports as the same bytes: of every kind that a command makes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import mqsc
from mqsc.export.definition import definitions, kinds_in_order
from mqsc.export.export_commands import ExportSelection, export_commands
from mqsc.export.mqsc_output import script_lines
from mqsc.script import run
from mqsc.verbs import VERBS
from store.admin import (
    change,
    change_queue_manager,
    create,
    delete,
    set_authority,
    set_channel_rule,
)
from store.catalog import KINDS, SYSTEM_OBJECTS, Kind, Stored
from store.catalog.types import Text, Word
from store.client.api import QueueManager
from store.environment import Environment
from store.error import MQError
from store.rules.authority import authorities
from tests.conftest import START
from tests.mqsc.export.values import attributes, names, subtypes, texts

# The keyword of the kind, the name, the attributes.
Made = tuple[str, str, dict[str, Stored]]


def defined_kinds() -> list[Kind]:
    """The kinds that DEFINE makes here."""
    return [KINDS[noun] for noun in VERBS["DEFINE"].objects if noun in KINDS]


@st.composite
def objects(draw: st.DrawFn, noun: str = "") -> Made:
    """An object to define."""
    kind = KINDS[noun] if noun else draw(st.sampled_from(defined_kinds()))
    subtype = draw(subtypes(kind))
    name = draw(texts(Text(60)).filter(bool) if isinstance(kind.name_type, Text) else names(kind.name_length))
    values = draw(attributes(kind, "DEFINE", subtype))
    if kind.keyword == "SUB":
        # What is subscribed to, and where publications go, must be there.
        values |= {"TOPICOBJ": "SYSTEM.BASE.TOPIC", "DEST": "SYSTEM.DEFAULT.LOCAL.QUEUE", "DESTQMGR": ""}
    return kind.keyword, name, values


@st.composite
def system_changes(draw: st.DrawFn) -> Made:
    """A SYSTEM object to alter, or with no attributes to delete."""
    kinds = {kind.keyword for kind in defined_kinds()}
    each = draw(st.sampled_from([each for each in SYSTEM_OBJECTS if each.kind in kinds]))
    values = draw(attributes(KINDS[each.kind], "ALTER", each.subtype))
    return each.kind, each.name, values


@st.composite
def channel_rules(draw: st.DrawFn) -> Made:
    """A channel authentication record."""
    subtype = draw(subtypes(KINDS["CHLAUTH"]))
    profile = "*" if subtype == "BLOCKADDR" else draw(st.sampled_from(["A.*", "SYSTEM.*", "*"]))
    values = draw(attributes(KINDS["CHLAUTH"], "SET", subtype))
    given = {"USERSRC": "MAP", "MCAUSER": "someone"} if "MAP" in subtype else {}
    listed = {"BLOCKUSER": {"USERLIST": ["a", "b c"]}, "BLOCKADDR": {"ADDRLIST": ["10.0.0.*"]}}.get(subtype, {})
    needed = {"ADDRESS": "192.168.0.1"} if subtype == "ADDRESSMAP" else {}
    return "CHLAUTH", profile, {**values, **given, **listed, **needed}


@st.composite
def authority_records(draw: st.DrawFn) -> Made:
    """An authority record: its name is the profile."""
    kind = KINDS["AUTHREC"].attributes["OBJTYPE"].type
    assert isinstance(kind, Word)
    type = draw(st.sampled_from(kind.values))
    rights = draw(st.lists(st.sampled_from(sorted(authorities(type))), min_size=1, unique=True))
    entity = draw(st.sampled_from(["PRINCIPAL", "GROUP"]))
    who = draw(st.sampled_from(["alice", "Mr X", "o'neill"]))
    profile = draw(st.sampled_from(["@class", *(["self"] if type == "QMGR" else ["A.**", "B", "SYSTEM.*", "self"])]))
    return "AUTHREC", profile, {"OBJTYPE": type, "ENTTYPE": entity, "ENTITY": who, "AUTHLIST": rights}


def make(qmgr: QueueManager, made: Made) -> None:
    """Define an object, or set a record."""
    kind, name, values = made
    if kind == "CHLAUTH":
        set_channel_rule(qmgr, name, values, "ADD")
    elif kind == "AUTHREC":
        entity = (str(values["ENTTYPE"]), str(values["ENTITY"]))
        set_authority(qmgr, (name, str(values["OBJTYPE"])), [entity], [*map(str, values["AUTHLIST"])], [])  # type: ignore[arg-type]
    else:
        create(qmgr, KINDS[kind], name, values)


def alter(qmgr: QueueManager, changed: Made) -> None:
    """Alter a SYSTEM object, or delete it."""
    kind, name, values = changed
    if values:
        change(qmgr, KINDS[kind], name, values)
    else:
        delete(qmgr, KINDS[kind], name)


def exported(qmgr: QueueManager, *, everything: bool) -> str:
    return "".join(f"{line}\n" for line in script_lines(export_commands(qmgr, ExportSelection(everything))))


def state(qmgr: QueueManager) -> list[tuple[str, object]]:
    return [(each.title, each.values) for kind in kinds_in_order() for each in definitions(qmgr, kind)]


@contextmanager
def new_queue_manager() -> Iterator[QueueManager]:
    with mqsc.open_store("sqlite://", environment=Environment.frozen(at=START)) as store:
        yield store.create_queue_manager("QM1")


MADE = st.one_of(objects(), objects(), channel_rules(), authority_records())


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), report_multiple_bugs=False)
@given(
    st.lists(MADE, max_size=6),
    st.lists(system_changes(), max_size=3),
    attributes(KINDS["QMGR"], "ALTER"),
    st.booleans(),
)
def test_round_trip(made: list[Made], changed: list[Made], own: dict[str, Stored], everything: bool) -> None:
    with new_queue_manager() as first, new_queue_manager() as second:
        # What conflicts with something else is refused and left out.
        for each in made:
            with suppress(MQError):
                make(first, each)
        for each in changed:
            with suppress(MQError):
                alter(first, each)
        with suppress(MQError):
            change_queue_manager(first, own)
        script = exported(first, everything=everything)
        assert [(each.command, each.text) for each in run(second, script) if each.completion] == []
        assert exported(second, everything=everything) == script
        assert state(second) == state(first)
        assert max(map(len, script.split("\n"))) <= 72


def test_a_new_queue_manager_has_nothing_to_export(qmgr: QueueManager) -> None:
    assert len(exported(qmgr, everything=False).splitlines()) == 1


@pytest.mark.parametrize("noun", [kind.keyword for kind in defined_kinds()])
def test_objects_of_every_kind_can_be_made_here(noun: str, qmgr: QueueManager) -> None:
    """Or the round trip would go through nothing."""
    made = 0

    @settings(max_examples=30, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(objects(noun))
    def attempt(each: Made) -> None:
        nonlocal made
        with suppress(MQError):
            make(qmgr, each)
            made += 1

    attempt()
    assert made > 3


@pytest.mark.parametrize(
    "text",
    [
        "SET CHLAUTH('*') TYPE(BLOCKUSER) ACTION(REMOVEALL)",
        "SET CHLAUTH('*') TYPE(BLOCKUSER) USERLIST('*MQADMIN') ACTION(REMOVE)",
        "SET CHLAUTH('SYSTEM.*') TYPE(ADDRESSMAP) ADDRESS('*') ACTION(REMOVE)",
    ],
)
def test_records_that_are_gone_go_again(text: str) -> None:
    with new_queue_manager() as first, new_queue_manager() as second:
        run(first, text)
        assert [each.message_id for each in run(second, exported(first, everything=False))] == ["AMQ8877I"]
        assert state(second) == state(first)
