"""What a verb takes: its objects, and the parameters that are not attributes of objects."""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from mqsc.language.command_table import objects_of
from mqsc.language.reply import Answer
from mqsc.language.request import Conflict, Naming, Option, Request, Verb
from mqsc.store.catalog import Attribute, Stored
from mqsc.store.catalog.types import Type
from mqsc.store.client.queue_manager import QueueManager
from mqsc.verbs.parameters import PARAMETERS, Parameter


def verb(
    keyword: str,
    naming: Naming,
    performer: Callable[[QueueManager, Request], Answer],
    *,
    takes_attributes: bool = False,
    lists_attributes: bool = False,
    namings: Mapping[str, Naming] | None = None,
    conflicts: tuple[Conflict, ...] = (),
) -> Verb:
    """A verb with the objects and the parameters that it takes."""
    objects = objects_of(keyword)
    every = frozenset(objects)
    options = tuple(_option(parameter, every) for parameter in PARAMETERS.get(keyword, ()))
    return Verb(
        keyword,
        objects,
        naming,
        performer,
        options,
        takes_attributes,
        lists_attributes,
        namings or {},
        conflicts,
    )


def option(
    keyword: str,
    type: Type,
    help: str,
    default: Stored | None = None,
    *,
    required: bool = False,
) -> Option:
    """A parameter of a command, for all objects."""
    return Option(
        Attribute(keyword, type, help, default, frozenset(), option=True, required=required),
    )


def _option(parameter: Parameter, every: frozenset[str]) -> Option:
    for_all = option(
        parameter.keyword,
        parameter.type,
        parameter.help,
        parameter.default,
        required=parameter.required,
    )
    nouns = frozenset(parameter.nouns)
    if parameter.not_for:
        nouns = every.difference(parameter.not_for)
    return replace(for_all, nouns=nouns, of_kind=parameter.of_kind)
