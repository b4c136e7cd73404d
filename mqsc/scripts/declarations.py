"""Commands as declarations, the files that contain them, and objects of a new queue manager that
were changed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct, structs

from mqsc.console.elsewhere import Elsewhere
from mqsc.console.inputs import InputSource, named_by, read_now
from mqsc.console.object_names import remember_names_elsewhere
from mqsc.console.options import Choices
from mqsc.console.target import NothingRunError, path_of_file
from mqsc.language.command_table import READING
from mqsc.language.hidden_secrets import as_declaration
from mqsc.language.reply import Answer
from mqsc.language.request import Request
from mqsc.plan import DEFINING, OF_GROUP, Action, ChangedDefault, Changes, Planned
from mqsc.script import EMPTY_ANSWER, Answered, Script
from mqsc.scripts.export import (
    Definition,
    DefinitionKey,
    definitions,
    key_of,
    kinds_in_order,
    shipped,
)
from mqsc.scripts.run import Inputs, check_variables, print_error
from mqsc.scripts.selection import Selection, Variables, values_of
from mqsc.store.admin.records import list_of
from mqsc.store.catalog import KINDS, Kind, defaults
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.error import MQError
from mqsc.store.rules.authority import changed
from mqsc.verbs.authority_parameters import authority_changes, authority_of, named_entities

# The actions of SET CHLAUTH that remove records, and the one that adds a record, which the record
# must not have yet.
_REMOVING = frozenset({"REMOVE", "REMOVEALL"})
_ADDING = "ADD"
# The reasons why a deletion fails because there is nothing to delete.
_MISSING = frozenset(
    map(
        int,
        (
            MQRC.UNKNOWN_OBJECT_NAME,
            MQRCCF.CHANNEL_NOT_FOUND,
            MQRCCF.PROFILE_NAME_ERROR,
            MQRCCF.CHLAUTH_NOT_FOUND,
        ),
    ),
)
# The end of the warning about a file of definitions that is empty.
_ADVICE = "it should have definitions, such as DEFINE QLOCAL(ORDERS)"
# What every saved plan has, and no MQSC.
PLAN_MARK = b'"mqsc_plan"'
# How the undo script of a change elsewhere begins. It is written to the current folder, where it
# must not be taken for definitions.
UNDO_MARK = "* Undoes a change"


class DeclaredCommand(Struct, frozen=True):
    """A command of the files with its position; without a request, `answered` says why it cannot
    be read.
    """

    answered: Answered
    request: Request | None = None

    @property
    def is_definition(self) -> bool:
        return self.request is not None and self.request.verb in DEFINING

    @property
    def only_reads(self) -> bool:
        return self.request is not None and self.request.verb in READING


def statements_in(
    sources: Sequence[InputSource],
    values: Mapping[str, str] | None,
    elsewhere: Elsewhere | None = None,
) -> list[DeclaredCommand]:
    """The commands of all inputs, which must be in memory already (`read_now`); nothing is
    performed. They may have attributes that only the queue manager elsewhere knows. Secrets that
    are asterisks are not given.
    """
    requests: list[Request] = []

    def keep(request: Request) -> Answer:
        requests.append(as_declaration(request))
        return EMPTY_ANSWER

    found = []
    read = None if elsewhere is None else elsewhere.read_request
    inputs = Inputs(sources, advice=_ADVICE)
    for step in inputs.steps(Script(None, carry_out=keep, values=values, read=read)):
        if isinstance(step, Answered):
            found.append(DeclaredCommand(step, requests.pop() if requests else None))
    return found


def is_selected(selection: Selection, request: Request) -> bool:
    """Whether the selection has a definition that the command names."""
    keyword = request.kinds[0].keyword
    return any(selection.has(keyword, key[1]) for key in keys_of(request) or [("", request.name)])


def selected_definitions(
    statements: Iterable[DeclaredCommand],
    selection: Selection,
) -> Iterator[Request]:
    """The selected commands that define something."""
    for statement in statements:
        request = statement.request
        if request is None or not statement.is_definition or removes(request):
            continue
        if is_selected(selection, request):
            yield request


def removes(request: Request) -> bool:
    """Whether the command deletes an object or a record."""
    return request.verb == "DELETE" or (
        request.verb == "SET" and request.options.get("ACTION") in _REMOVING
    )


def keys_of(request: Request) -> tuple[DefinitionKey, ...]:
    """The definitions that a command names; of a channel that it names without a type, all that
    it may mean.
    """
    kind = request.kinds[0]
    if kind.keyword == "AUTHREC":
        return tuple(_authority_keys(request))
    values = dict(request.attributes)
    if request.options.get("QSGDISP") in OF_GROUP:
        values["QSGDISP"] = request.options["QSGDISP"]
    if request.verb == "DELETE" and kind.keyword == "CHANNEL":
        values[kind.selector] = "CLNTCONN" if request.options.get("CHLTABLE") == "CLNTTBL" else ""
    if not kind.selector or kind.identity or kind.selector in values:
        return (key_of(kind, request.name, values),)
    subtypes = ("", *kind.default_objects)
    return tuple(
        {key_of(kind, request.name, {**values, kind.selector: each}): None for each in subtypes},
    )


def record_of(kind: Kind, values: Mapping[str, object]) -> tuple[str, ...]:
    """The values that distinguish a record or a client connection from others of its kind and
    name.
    """
    namespace = kind.namespace_of(str(values.get(kind.selector, "")))
    if namespace != kind.namespace:
        return (namespace.upper(),)
    return tuple(str(values.get(word, "")) for word in kind.identity)


def is_undo_script(source: InputSource) -> bool:
    """Whether an input that was read undoes a change of a queue manager elsewhere."""
    return (source.content or b"").startswith(UNDO_MARK.encode())


def is_absent(request: Request, answer: Answer) -> bool:
    """Whether a deletion failed because there is nothing to delete."""
    return answer.completion == 2 and answer.reason in _MISSING and removes(request)


def copies_what_changes_later(requests: Iterable[Request]) -> bool:
    """Whether a DEFINE copies an object, by LIKE or for its defaults, that a later command
    changes.
    """
    copied: set[tuple[str, str]] = set()
    for request in requests:
        kind = request.kinds[0]
        if (kind.keyword, request.name) in copied:
            return True
        if source := source_of(request):
            copied.add((kind.keyword, source))
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

    The first DEFINE of an object brings it to that definition, whether it exists or not; a second
    one is carried out as it is written. An object that is deleted and defined again later is not
    deleted, but authorities are removed.
    """

    def __init__(self, requests: Sequence[Request]) -> None:
        kept = [each for each in requests if not removes(each)]
        self.requests = requests
        self.named = {key for each in kept for key in keys_of(each)}
        self.copied = {
            (each.noun, str(each.options["LIKE"])) for each in kept if "LIKE" in each.options
        }
        self._yet_to_define = Counter(
            key for each in kept if each.verb != "ALTER" for key in keys_of(each)
        )
        self._defined: set[DefinitionKey] = set()

    def declaration(self, request: Request) -> Request | None:
        """The command to perform instead; None for a deletion of an object that a later command
        defines.
        """
        keys = keys_of(request)
        if removes(request):
            # What a later SET AUTHREC adds would otherwise be added to what the record has.
            is_emptied = request.noun == "AUTHREC" or request.options.get("ACTION") == "REMOVEALL"
            again = not is_emptied and any(self._yet_to_define[key] for key in keys)
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
        return structs.replace(request, options={**request.options, "REPLACE": "REPLACE"})
    if request.noun == "CHLAUTH" and request.options.get("ACTION", _ADDING) == _ADDING:
        return structs.replace(request, options={**request.options, "ACTION": "REPLACE"})
    return request


# Differences from a new queue manager that no command of the files asks for.
#
# `mqsc apply` neither resets nor deletes these objects: every queue manager has them. The default
# objects among them matter to the files too, because a DEFINE starts from the one that the queue
# manager has.

NO_FILE = "differs from a new queue manager, and no file says so"
GONE = "a new queue manager has it, and no file deletes it"
OF_OTHER_TYPE = "a new queue manager has an object of another type, and no file says so"


def differing_objects(
    copy: QueueManager,
    declarations: Declarations,
    selection: Selection,
) -> Iterator[Planned]:
    """A row for each selected object and record of a new queue manager, default objects excepted,
    that is not as there.

    Also one for each record whose authorities are not all given by the files.
    """
    declared_words = _declared_words(declarations)
    for was, now in () if selection.only_defined else _pairs(copy):
        if (was.key in declared_words and declared_words[was.key] is None) or not selection.has(
            was.kind.keyword,
            was.name,
        ):
            continue
        if now is None or not now.is_like(was):
            yield _planned_difference(
                was if now is None else now, {}, GONE if now is None else OF_OTHER_TYPE
            )
        elif (changes := _changes(was, now, declared_words)) and not _is_default(was):
            yield _planned_difference(now, changes, NO_FILE)
    yield from _further_authorities(copy, declarations)


def differing_defaults(copy: QueueManager, declarations: Declarations) -> Iterator[ChangedDefault]:
    """The default objects with other attributes than on a new queue manager that objects of the
    files start from.
    """
    sources = {
        (request.kind.keyword, source)
        for request in declarations.requests
        if "LIKE" not in request.options
        and (source := source_of(request))
        and source != request.name
    }
    declared_words = _declared_words(declarations) if sources else {}
    for was, now in _pairs(copy) if sources else ():
        is_source = (was.kind.keyword, was.name) in sources and now is not None and now.is_like(was)
        changes = _changes(was, now, declared_words) if is_source and now is not None else {}
        if changes:
            yield ChangedDefault(was.kind.keyword, was.name, changes)


def _pairs(copy: QueueManager) -> Iterator[tuple[Definition, Definition | None]]:
    """The queue manager and each object of a new one, with the definition that has its name now."""
    (qmgr,) = definitions(copy, KINDS["QMGR"])
    yield Definition(qmgr.kind, qmgr.name, defaults(qmgr.kind, "", copy.name)), qmgr
    kinds = [(kind, "*" if kind.identity else "SYSTEM*") for kind in kinds_in_order()]
    present = {
        each.key: each for kind, pattern in kinds for each in definitions(copy, kind, pattern)
    }
    yield from ((was, present.get(key)) for key, was in shipped().items())


def _declared_words(declarations: Declarations) -> dict[DefinitionKey, set[str] | None]:
    """The attributes that the files give for each definition that they name; None if they give
    or remove all.
    """
    declared_words: dict[DefinitionKey, set[str] | None] = {}
    for request in declarations.requests:
        for key in keys_of(request):
            words = declared_words.setdefault(key, set())
            if request.verb != "ALTER" or removes(request):
                declared_words[key] = None
            elif words is not None:
                words.update(request.attributes)
    return declared_words


def _changes(
    was: Definition,
    now: Definition,
    declared_words: Mapping[DefinitionKey, set[str] | None],
) -> Changes:
    words = declared_words.get(was.key, set())
    if words is None:
        return {}
    return {
        word: (was.values.get(word), value)
        for word, value in now.values.items()
        if word not in words and was.values.get(word) != value
    }


def _is_default(was: Definition) -> bool:
    return bool(was.name) and was.kind.default_object_of(was.subtype) == was.name


def source_of(request: Request) -> str:
    """The name of the object that a DEFINE starts from, the default object or that of LIKE;
    blank for none.
    """
    if request.verb != "DEFINE":
        return ""
    kind = request.kind
    return str(
        request.options.get(
            "LIKE",
            kind.default_object_of(str(request.attributes.get(kind.selector, ""))),
        ),
    )


def _further_authorities(copy: QueueManager, declarations: Declarations) -> Iterator[Planned]:
    """Records that the files set, and which have more authorities than the files give and a new
    queue manager has.
    """
    expected: dict[DefinitionKey, list[str]] = {}
    for request in (each for each in declarations.requests if each.kinds[0].keyword == "AUTHREC"):
        for key in keys_of(request):
            known = shipped().get(key)
            had = expected.get(key) or (list_of(known.values, "AUTHLIST") if known else [])
            # A command that is refused is a row of the plan already, and changes nothing.
            with suppress(MQError):
                expected[key] = (
                    [] if removes(request) else changed(had, *authority_changes(request))
                )
    for each in definitions(copy, KINDS["AUTHREC"]) if expected else ():
        wanted, now = expected.get(each.key), list_of(each.values, "AUTHLIST")
        if wanted is not None and not set(now) <= set(wanted):
            yield _planned_difference(each, {"AUTHLIST": (wanted, now)}, NO_FILE)


def _planned_difference(definition: Definition, changes: Changes, reason: str) -> Planned:
    kind, name = definition.kind, definition.name
    row = Planned(None, 0, "", Action.DIFFERS, kind.keyword, name, changes, text=reason)
    return structs.replace(row, record=record_of(kind, definition.values))


# The files of `mqsc apply`, `mqsc diff` and `mqsc export`: read at once, with their variables.


def inputs_named_by(
    choices: Choices,
    files: Sequence[str],
    *,
    subfolders: bool,
) -> list[InputSource]:
    """The inputs that the arguments name, in memory; the files of the store are refused when
    they are opened.
    """
    store = path_of_file(choices)
    return [
        read_now(source, store)
        for path in files
        for source in named_by(path, subfolders=subfolders)
    ]


def plan_in(source: InputSource) -> bytes:
    """The content of an input that is a saved plan; else nothing."""
    content = (source.content or b"").strip(b"\xef\xbb\xbf \t\r\n")
    return content if content.startswith(b"{") and PLAN_MARK in content else b""


def declared_in(
    sources: Sequence[InputSource],
    variables: Variables | None,
    *,
    purpose: str,
    elsewhere: Elsewhere | None = None,
) -> list[DeclaredCommand]:
    """The commands of the inputs, with the values of their variables; NothingRunError if an
    input cannot be read. `elsewhere` as for `statements_in`.
    """
    if variables is not None:
        check_variables(sources, variables)
    faults = [source.fault for source in sources if source.fault]
    for fault in faults:
        print_error(fault)
    if faults:
        raise NothingRunError(f"{purpose} needs all inputs")
    for plan in filter(plan_in, sources):
        raise NothingRunError(
            f"{purpose} cannot read {plan.name} as MQSC: it is a saved plan, for `mqsc apply` "
            "alone",
        )
    for undo in filter(is_undo_script, sources):
        raise NothingRunError(
            f"{purpose} cannot read {undo.name} as definitions: it undoes a change; run it with "
            "`mqsc run`, or keep such scripts elsewhere with --undo",
        )
    statements = statements_in(sources, values_of(variables), elsewhere)
    remember_names_elsewhere(
        key[1]
        for each in statements
        if each.request and each.is_definition
        for key in keys_of(each.request)
    )
    if elsewhere is None:
        return statements
    # What is not known here cannot be compared, unless it is written as there.
    as_there = frozenset(elsewhere.unread)
    return [each for each in statements if each.request or each.answered.command not in as_there]
