"""The commands of the files as declarations: what each of them names, and what it means when it is applied again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from mqsc.console.inputs import InputSource
from mqsc.export.definition import DefinitionKey, key_of
from mqsc.language.request import Request
from mqsc.plan import DEFINING, READING
from mqsc.reply import Answer
from mqsc.script import EMPTY_ANSWER, Answered, Script
from mqsc.scripts.script_run import Inputs
from mqsc.verbs.authority_parameters import authority_of, named_entities
from store.catalog import Kind
from store.constants import MQRC, MQRCCF
from store.error import MQError

# The actions of SET CHLAUTH that remove records, and the one that adds a record, which the record must not have yet.
_REMOVING = frozenset({"REMOVE", "REMOVEALL"})
_ADDING = "ADD"
# The reasons why a deletion fails because there is nothing to delete.
_MISSING = frozenset(
    map(int, (MQRC.UNKNOWN_OBJECT_NAME, MQRCCF.CHANNEL_NOT_FOUND, MQRCCF.PROFILE_NAME_ERROR, MQRCCF.CHLAUTH_NOT_FOUND))
)
_OF_GROUP = frozenset({"GROUP", "SHARED"})


class DeclaredCommand(Struct, frozen=True):
    """A command of the files with its position; without a request, `answered` says why it cannot be read."""

    answered: Answered
    request: Request | None = None

    @property
    def is_definition(self) -> bool:
        return self.request is not None and self.request.verb in DEFINING

    @property
    def only_reads(self) -> bool:
        return self.request is not None and self.request.verb in READING


def statements_in(sources: Sequence[InputSource], values: Mapping[str, str] | None) -> list[DeclaredCommand]:
    """The commands of all inputs, which must be in memory already (`read_now`); nothing is performed."""
    requests: list[Request] = []

    def keep(request: Request) -> Answer:
        requests.append(request)
        return EMPTY_ANSWER

    found = []
    for step in Inputs(sources).steps(Script(None, carry_out=keep, values=values)):
        if isinstance(step, Answered):
            found.append(DeclaredCommand(step, requests.pop() if requests else None))
    return found


def removes(request: Request) -> bool:
    """Whether the command deletes an object or a record."""
    return request.verb == "DELETE" or (request.verb == "SET" and request.options.get("ACTION") in _REMOVING)


def keys_of(request: Request) -> tuple[DefinitionKey, ...]:
    """The definitions that a command names; of a channel that it names without a type, all that it may mean."""
    kind = request.kinds[0]
    if kind.keyword == "AUTHREC":
        return tuple(_authority_keys(request))
    values = dict(request.given)
    if request.options.get("QSGDISP") in _OF_GROUP:
        values["QSGDISP"] = request.options["QSGDISP"]
    if request.verb == "DELETE" and kind.keyword == "CHANNEL":
        values[kind.selector] = "CLNTCONN" if request.options.get("CHLTABLE") == "CLNTTBL" else ""
    if not kind.selector or kind.identity or kind.selector in values:
        return (key_of(kind, request.name, values),)
    subtypes = ("", *kind.default_objects)
    return tuple({key_of(kind, request.name, {**values, kind.selector: each}): None for each in subtypes})


def record_of(kind: Kind, values: Mapping[str, object]) -> tuple[str, ...]:
    """What distinguishes a record or a client connection from others of its kind and name."""
    namespace = kind.namespace_of(str(values.get(kind.selector, "")))
    if namespace != kind.namespace:
        return (namespace.upper(),)
    return tuple(str(values.get(word, "")) for word in kind.identity)


def is_absent(request: Request, answer: Answer) -> bool:
    """Whether a deletion failed because there is nothing to delete."""
    return answer.completion == 2 and answer.reason in _MISSING and removes(request)


def copies_what_changes_later(requests: Iterable[Request]) -> bool:
    """Whether a DEFINE copies an object, by LIKE or for its defaults, that a later command changes."""
    copied: set[tuple[str, str]] = set()
    for request in requests:
        kind = request.kinds[0]
        if (kind.keyword, request.name) in copied:
            return True
        if request.verb == "DEFINE":
            subtype = str(request.given.get(kind.selector, ""))
            copied.add((kind.keyword, str(request.options.get("LIKE", kind.default_object_of(subtype)))))
    return False


def _authority_keys(request: Request) -> Iterator[DefinitionKey]:
    kind = request.kinds[0]
    try:
        profile, type = authority_of(request)
    except MQError:
        # The command fails when it is tried.
        return
    for entity_type, entity in named_entities(request):
        yield key_of(kind, profile, {"OBJTYPE": type, "ENTTYPE": entity_type, "ENTITY": entity})


class Declarations:
    """Turns the commands of the files into declarations, in their order.

    The first DEFINE of an object brings it to that definition, whether it exists or not; a second one is carried out as
    it is written. An object that is deleted and defined again later is not deleted.
    """

    def __init__(self, requests: Sequence[Request]) -> None:
        kept = [each for each in requests if not removes(each)]
        self.requests = requests
        self.named = {key for each in kept for key in keys_of(each)}
        self.copied = {(each.noun, str(each.options["LIKE"])) for each in kept if "LIKE" in each.options}
        self._yet_to_define = Counter(key for each in kept if each.verb != "ALTER" for key in keys_of(each))
        self._defined: set[DefinitionKey] = set()

    def declaration(self, request: Request) -> Request | None:
        """What to perform for a command; None for a deletion of what a later command defines."""
        keys = keys_of(request)
        if removes(request):
            again = request.options.get("ACTION") != "REMOVEALL" and any(self._yet_to_define[key] for key in keys)
            return None if again else request
        if request.verb == "ALTER":
            return request
        is_first = self._defined.isdisjoint(keys)
        self._defined.update(keys)
        self._yet_to_define.subtract(keys)
        return _brought_about(request) if is_first else request


def _brought_about(request: Request) -> Request:
    """The command that succeeds whether the object or record exists or not."""
    if request.verb == "DEFINE":
        return replace(request, options={**request.options, "REPLACE": "REPLACE"})
    if request.noun == "CHLAUTH" and request.options.get("ACTION", _ADDING) == _ADDING:
        return replace(request, options={**request.options, "ACTION": "REPLACE"})
    return request
