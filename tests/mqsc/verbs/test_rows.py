"""Tests of the rows about commands: they name verbs and nouns that MQSC has."""

from __future__ import annotations

from itertools import product

from mqsc.language.command_table import COMMANDS
from mqsc.language.support import ACCEPTED, REFUSED
from mqsc.store.catalog import KINDS
from mqsc.verbs.parameters import PARAMETERS
from mqsc.verbs.permissions import PERMISSIONS


def commands() -> set[tuple[str, str]]:
    found = set()
    for verb, nouns in COMMANDS.items():
        found |= {*product([verb], nouns)}
    return found


def test_parameters_belong_to_commands() -> None:
    named = set()
    for verb, parameters in PARAMETERS.items():
        for parameter in parameters:
            named |= {*product([verb], (*parameter.nouns, *parameter.not_for))}
    assert len(named) > 50
    assert named - commands() == set()


def test_permissions_are_for_commands() -> None:
    named = set()
    for permission in PERMISSIONS:
        named |= {*product(permission.verbs, permission.nouns)}
    assert len(named) > 50
    assert named - commands() == set()


def test_support_is_of_commands() -> None:
    named = [*((command.verb, command.noun) for command in REFUSED), *ACCEPTED]
    assert len(named) == len({*named})
    assert {*named} - commands() == set()


def test_attributes_are_for_subtypes_that_exist() -> None:
    unknown = []
    for kind in KINDS.values():
        subtypes = kind.attributes[kind.selector].type.words if kind.selector else ()
        for attribute in kind.attributes.values():
            named = {*attribute.only_for, *attribute.zos_for, *attribute.required_for}
            unknown += sorted({*named, *attribute.default_for} - {*subtypes})
    assert unknown == []
