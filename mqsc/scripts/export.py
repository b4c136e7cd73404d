"""The definitions of a queue manager as commands that restore them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cache
from typing import Any, NamedTuple

from msgspec import Struct, structs

from mqsc.console.elsewhere import UnknownAttributes
from mqsc.scripts.selection import Selection
from mqsc.store.admin.inquiring import check_running, inquire, inquire_queue_manager
from mqsc.store.catalog import KINDS, SYSTEM_OBJECTS, Kind, Stored, defaults
from mqsc.store.client.queue_manager import QueueManager
from mqsc.verbs.syntax import syntax_of

# The commands that reproduce the definitions of a queue manager on a new one, in the order in which
# to run them.
#
# First come changes of the queue manager and of its SYSTEM objects, so that every DEFINE starts
# from the same default objects; then the other objects; then the SYSTEM objects that were replaced
# by an object of another type; then the authority records, because DELETE removes those of its
# object.
#
# The commands can be run again. SYSTEM objects that other commands need are deleted late, and an
# earlier command puts them back: the default object of others, the queue or topic of a
# subscription. So it is with objects and records whose deletion fails when they are missing.

# Attributes of these platforms are written only when they differ from their default.
_RARE_PLATFORMS = frozenset({"zos", "windows", "nsk"})


class ExportSelection(Struct, frozen=True):
    """Selects objects and attributes.

    `everything` includes attributes at their default values. `named` are the only definitions to
    write, None for all. `unknown` are attributes that the catalog does not know, by definition.
    """

    everything: bool = False
    selection: Selection = Selection()
    named: Set[DefinitionKey] | None = None
    unknown: UnknownAttributes = {}

    def has(self, definition: Definition) -> bool:
        named = self.named is None or definition.key in self.named
        return named and self.selection.has(definition.kind.keyword, definition.name)


class ExportCommand(Struct, frozen=True):
    """One command: its verb (DEFINE, ALTER, SET, DELETE), the object, and the attributes that it
    sets.

    DELETE of a record stands for a SET that removes it. `missing` has the attributes that name a
    deleted object which the command needs. A command that `restores` puts back, or makes room for,
    what a later one deletes. A `repeatable` one also succeeds when it is run again.
    `unknown` are the attributes that the catalog does not know, as they are written.
    """

    verb: str
    definition: Definition
    values: Mapping[str, Stored]
    missing: tuple[str, ...] = ()
    restores: bool = False
    repeatable: bool = True
    unknown: Mapping[str, str] = {}

    @property
    def secrets(self) -> tuple[str, ...]:
        """The attributes that are set but not written."""
        return () if self.verb == "DELETE" else self.definition.secrets


def export_commands(qmgr: QueueManager, selection: ExportSelection) -> Iterator[ExportCommand]:
    """The commands, streamed. Raises MQError 2059 at once when the queue manager is not running."""
    check_running(qmgr)
    commands = _commands(qmgr, selection)
    return _with_unknown(commands, selection.unknown) if selection.unknown else commands


def _with_unknown(
    commands: Iterable[ExportCommand],
    unknown: UnknownAttributes,
) -> Iterator[ExportCommand]:
    """The commands with the attributes that the catalog does not know."""
    for command in commands:
        own = unknown.get(command.definition.key)
        is_kept = own and command.verb != "DELETE" and not command.restores
        yield structs.replace(command, unknown=own) if is_kept else command


def _commands(qmgr: QueueManager, selection: ExportSelection) -> Iterator[ExportCommand]:
    # A DEFINE starts from the default object of a new queue manager, unless the export alters that
    # one.
    system = {key: each for key, each in _system_objects(qmgr).items() if selection.has(each)}
    every = [
        each
        for kind in kinds_in_order()
        if not kind.identity
        for each in shipped().values()
        if each.kind == kind
    ]
    pairs = [(was, now) for was in every if selection.has((now := system.get(was.key)) or was)]
    kept = [(was, now) for was, now in pairs if now is not None and now.is_like(was)]
    gone = [
        _Gone(was, now, _is_needed(qmgr, was, now))
        for was, now in pairs
        if now is None or not now.is_like(was)
    ]
    yield from _of_queue_manager(qmgr, KINDS["QMGR"], selection)
    for was, current in kept:
        yield from _altered(was, current, selection)
    for each in gone:
        yield from each.first()
    for was, current in kept:
        if not can_be_altered(current.kind, changed_words(was, current)):
            values = attributes_to_write(current, _start(current, system), selection.everything)
            yield ExportCommand("DEFINE", current, values)
    kinds = kinds_in_order()
    before = [kind for kind in kinds if kind.keyword not in LAST]
    for kind in before:
        yield from _of_kind(qmgr, kind, system, selection)
    # A queue manager keeps an object of its own beside one of the group, but only if that is
    # defined later.
    for kind in before:
        yield from _of_kind(qmgr, kind, system, selection, of_group=True)
    for kind in kinds[len(before) :]:
        if kind.keyword == "AUTHREC":
            yield from _replaced(gone, system, selection)
        yield from _of_kind(qmgr, kind, system, selection)


class _Gone(NamedTuple):
    """A SYSTEM object that was deleted, or has another type now, and whether other commands need
    it.
    """

    was: Definition
    now: Definition | None
    needed: bool

    def first(self) -> Iterator[ExportCommand]:
        """The commands before those for other objects."""
        if self.needed or not can_be_deleted_again(self.was.kind):
            if self.now is not None:
                yield ExportCommand("DELETE", self.now, {}, restores=True)
            values = attributes_to_write(self.was, defaults(self.was.kind, self.was.subtype), False)
            yield ExportCommand("DEFINE", self.was, values, restores=True)
        if not self.is_late:
            yield ExportCommand("DELETE", self.was, {})

    @property
    def is_late(self) -> bool:
        """Whether the object must stay until the others are defined."""
        return self.needed or self.now is not None


def can_be_deleted_again(kind: Kind) -> bool:
    """Whether DELETE of a missing object of the kind can succeed."""
    return "IGNSTATE" in syntax_of("DELETE", kind.keyword).words


def _replaced(
    gone: Iterable[_Gone],
    system: SystemObjects,
    selection: ExportSelection,
) -> Iterator[ExportCommand]:
    """The commands for the SYSTEM objects that have another type now, then for the others that
    are deleted late.
    """
    for was, now, _ in sorted(
        (each for each in gone if each.is_late),
        key=lambda each: each.now is None,
    ):
        yield ExportCommand("DELETE", was, {})
        if now is not None:
            yield ExportCommand(
                "DEFINE",
                now,
                attributes_to_write(now, _start(now, system), selection.everything),
            )


def _system_objects(qmgr: QueueManager) -> SystemObjects:
    """The current SYSTEM objects."""
    kinds = [kind for kind in kinds_in_order() if not kind.identity and kind.keyword != "QMGR"]
    found = (each for kind in kinds for each in definitions(qmgr, kind, f"{SYSTEM}*"))
    return {each.key: each for each in found if each.key in shipped()}


def _of_queue_manager(
    qmgr: QueueManager,
    kind: Kind,
    selection: ExportSelection,
) -> Iterator[ExportCommand]:
    for definition in definitions(qmgr, kind):
        base = defaults(kind, "", qmgr.name)
        values = attributes_to_write(definition, base, selection.everything)
        is_written = values or definition.secrets or definition.key in selection.unknown
        if selection.has(definition) and is_written:
            yield ExportCommand("ALTER", definition, values)


def _altered(
    was: Definition,
    now: Definition,
    selection: ExportSelection,
) -> Iterator[ExportCommand]:
    """The command for a SYSTEM object, if ALTER can bring it to its present definition."""
    changed = changed_words(was, now)
    if (changed or now.secrets) and can_be_altered(now.kind, changed):
        values = attributes_to_write(now, was.values, selection.everything)
        alterable = {
            word: value
            for word, value in values.items()
            if "ALTER" in now.kind.attributes[word].verbs
        }
        yield ExportCommand("ALTER", now, alterable)


def changed_words(was: Definition, now: Definition) -> set[str]:
    """The attributes that have another value now."""
    return {word for word, value in now.values.items() if was.values.get(word) != value}


def can_be_altered(kind: Kind, words: Iterable[str]) -> bool:
    """Whether ALTER can set all of the attributes."""
    return all("ALTER" in kind.attributes[word].verbs for word in words)


def _is_needed(qmgr: QueueManager, was: Definition, now: Definition | None) -> bool:
    """Whether an object starts from the deleted one as its default object, or a subscription
    names it.
    """
    if was.kind.default_object_of(was.subtype) == was.name:
        known = shipped()
        return any(
            each.is_like(was) and known.get(each.key) != each
            for each in definitions(qmgr, was.kind)
        )
    if now is not None or was.kind.namespace not in _NAMESPACES_OF_SUBSCRIPTIONS.values():
        return False
    return any(
        (was.kind.namespace, was.name) in _named_by(qmgr, each)
        for each in definitions(qmgr, KINDS["SUB"])
    )


def _of_kind(
    qmgr: QueueManager,
    kind: Kind,
    system: SystemObjects,
    selection: ExportSelection,
    *,
    of_group: bool = False,
) -> Iterator[ExportCommand]:
    """The commands for the objects of a kind that a queue manager is not created with.

    `of_group`: those for GROUP objects, instead of the others.
    """
    if kind.keyword == "QMGR":
        return
    here: set[DefinitionKey] = set()
    for definition in definitions(qmgr, kind):
        if (definition.disposition == "GROUP") is not of_group:
            continue
        key = definition.key
        is_record, known = bool(kind.identity), shipped().get(key)
        here |= {key} if is_record and known else set()
        if selection.has(definition) and (known is None or (is_record and known != definition)):
            base = _start(definition, system)
            values = attributes_to_write(definition, base, selection.everything)
            missing = _missing(qmgr, definition, selection)
            yield ExportCommand("SET" if is_record else "DEFINE", definition, values, missing)
    for key, was in shipped().items():
        if (
            was.kind.keyword == kind.keyword
            and kind.identity
            and key not in here
            and selection.has(was)
        ):
            yield ExportCommand(
                "SET",
                was,
                attributes_to_write(was, defaults(kind, was.subtype), False),
                restores=True,
            )
            yield ExportCommand("DELETE", was, {})


# The attributes of a subscription that name an object, and the namespaces of these.
_NAMESPACES_OF_SUBSCRIPTIONS: Mapping[str, str] = {"TOPICOBJ": "topic", "DEST": "queue"}


def _named_by(qmgr: QueueManager, definition: Definition) -> dict[DefinitionKey, str]:
    """The objects of this queue manager that a subscription names, each with the attribute that
    names it.
    """
    if definition.kind.keyword != "SUB":
        return {}
    values = definition.values
    here = values["DESTCLAS"] == "PROVIDED" and values["DESTQMGR"] in ("", qmgr.name)
    named = (
        (word, space)
        for word, space in _NAMESPACES_OF_SUBSCRIPTIONS.items()
        if word != "DEST" or here
    )
    return {(space, str(values[word])): word for word, space in named if values[word]}


def _missing(
    qmgr: QueueManager,
    definition: Definition,
    selection: ExportSelection,
) -> tuple[str, ...]:
    """The attributes of a subscription that name a deleted object which the export does not put
    back.
    """
    return tuple(
        word
        for key, word in _named_by(qmgr, definition).items()
        if not _exists(qmgr, *key) and not (key in shipped() and selection.has(shipped()[key]))
    )


def _exists(qmgr: QueueManager, namespace: str, name: str) -> bool:
    kinds = [kind for kind in KINDS.values() if kind.namespace == namespace]
    return any(True for kind in kinds for _ in definitions(qmgr, kind, name))


def _start(definition: Definition, system: SystemObjects) -> Mapping[str, Stored]:
    """The attributes that a DEFINE on the new queue manager starts from: those of the default
    object.
    """
    kind, subtype = definition.kind, definition.subtype
    default = system.get((kind.namespace_of(subtype), kind.default_object_of(subtype)))
    base = defaults(kind, subtype)
    if default is None or default == definition or not default.is_like(definition):
        return base
    return {**base, **default.values}


def attributes_to_write(
    definition: Definition,
    base: Mapping[str, Stored],
    everything: bool = False,
) -> dict[str, Stored]:
    """The attributes to write: required ones, those that differ from `base`, and with
    `everything` all common ones.
    """
    kind, subtype = definition.kind, definition.subtype
    rows = {word: row for word, row in kind.attributes.items() if word in definition.values}
    return {
        word: value
        for word, value in definition.values.items()
        if (rows[word].leading and kind.selector == word)
        or rows[word].is_required(subtype)
        or base.get(word) != value
        or (
            everything
            and not kind.identity
            and rows[word].platform not in _RARE_PLATFORMS
            and subtype not in rows[word].zos_for
        )
    }


# The definition of an object: every attribute that a command can set.

# Objects that others name come first. A subscription needs its topic and queue, a record the object
# that it is about.
_FIRST = (
    "QMGR",
    "STGCLASS",
    "CFSTRUCT",
    "COMMINFO",
    "AUTHINFO",
    "NAMELIST",
    "PROCESS",
    "QLOCAL",
    "QMODEL",
    "QALIAS",
    "QREMOTE",
)
LAST = ("SUB", "CHLAUTH", "AUTHREC")

# The names of objects that a queue manager is created with begin so.
SYSTEM = "SYSTEM"

# Identifies a definition: namespace, name, for records the attributes of `Kind.identity`, and a
# disposition if any.
DefinitionKey = tuple[str, ...]


class Definition(Struct, frozen=True):
    """One object. `values` are the attributes that DEFINE, ALTER or SET can set, in alphabetical
    order.

    `secrets` names the attributes whose value is set but never shown; they are not in `values`.
    """

    kind: Kind
    name: str
    values: Mapping[str, Stored]
    secrets: tuple[str, ...] = ()

    @property
    def subtype(self) -> str:
        """The CHLTYPE, TRPTYPE and so on; blank if the kind has none."""
        return str(self.values.get(self.kind.selector, ""))

    @property
    def key(self) -> DefinitionKey:
        return key_of(self.kind, self.name, self.values)

    @property
    def disposition(self) -> str:
        """GROUP or SHARED for an object of a queue-sharing group; blank for one of the queue
        manager.
        """
        return str(self.values.get("QSGDISP", ""))

    @property
    def title(self) -> str:
        """Kind, name and disposition: QLOCAL(ORDERS), QLOCAL(ORDERS) QSGDISP(GROUP)."""
        title = f"{self.kind.keyword}({self.name})" if self.name else self.kind.keyword
        return f"{title} QSGDISP({self.disposition})" if self.disposition else title

    def is_like(self, other: Definition) -> bool:
        """Whether both have the same kind and subtype, so that a command can change one into the
        other.
        """
        return (self.kind.keyword, self.subtype) == (other.kind.keyword, other.subtype)


SystemObjects = Mapping[DefinitionKey, Definition]


def key_of(kind: Kind, name: str, values: Mapping[str, Stored]) -> DefinitionKey:
    subtype = str(values.get(kind.selector, ""))
    # Objects of different dispositions may have one name.
    disposition = [str(values["QSGDISP"])] if "QSGDISP" in values else []
    return (
        kind.namespace_of(subtype),
        name,
        *(str(values.get(word, "")) for word in kind.identity),
        *disposition,
    )


def kinds_in_order() -> list[Kind]:
    """Every kind of object, in an order in which their definitions can be run."""
    middle = [word for word in KINDS if word not in (*_FIRST, *LAST)]
    return [KINDS[word] for word in (*_FIRST, *middle, *LAST) if word in KINDS]


# The beginning of the names of queues of managed subscriptions.
_MANAGED = "SYSTEM.MANAGED."


def definitions(qmgr: QueueManager, kind: Kind, pattern: str = "*") -> Iterator[Definition]:
    """The objects of a kind in the order of their names, streamed, without temporary dynamic
    queues and those of managed subscriptions, which come with their subscriptions.

    Of a queue-sharing group the objects themselves, but not the copies of them. Raises MQError 2059
    when the queue manager is not running.
    """
    rows: Iterable[Mapping[str, Any]]
    if kind.keyword == "QMGR":
        rows = [inquire_queue_manager(qmgr)]
    else:
        rows = inquire(qmgr, (kind,), pattern, as_defined=True, disposition="ALL")
    for row in rows:
        if row.get("QSGDISP") == "COPY":
            continue
        if kind.keyword == "QLOCAL" and _is_made_by_others(row):
            continue
        yield _definition(kind, row)


def _is_made_by_others(queue: Mapping[str, Any]) -> bool:
    """Whether a local queue is temporary, or that of a managed subscription."""
    is_managed = str(queue["QUEUE"]).startswith(_MANAGED) and queue["DEFTYPE"] != "PREDEFINED"
    return queue["DEFTYPE"] == "TEMPDYN" or is_managed


def _definition(kind: Kind, object_row: Mapping[str, Any]) -> Definition:
    name = "" if kind.keyword == "QMGR" else str(next(iter(object_row.values())))
    subtype = str(object_row.get(kind.selector, ""))
    words = [
        word
        for word in given_words(kind.keyword)
        if word in object_row and kind.attributes[word].takes(subtype)
    ]
    secrets = tuple(word for word in words if kind.attributes[word].secret and object_row[word])
    values = {word: object_row[word] for word in words if not kind.attributes[word].secret}
    if object_row.get("QSGDISP") in ("GROUP", "SHARED"):
        values["QSGDISP"] = object_row["QSGDISP"]
    return Definition(
        kind,
        name,
        {**values, **{word: object_row[word] for word in kind.identity if word in object_row}},
        secrets,
    )


@cache
def given_words(keyword: str) -> tuple[str, ...]:
    """The attributes of a kind that a command can set, and AUTHLIST, which SET AUTHREC sets with
    AUTHADD.
    """
    kind = KINDS[keyword]
    verbs = {"DEFINE", "SET"} if keyword != "QMGR" else {"ALTER"}
    rows = [row for row in kind.attributes.values() if verbs & row.verbs and not row.option]
    extra = ("AUTHLIST",) if "AUTHLIST" in kind.attributes else ()
    return (*sorted(row.keyword for row in rows), *extra)


@cache
def shipped() -> Mapping[DefinitionKey, Definition]:
    """The objects that a queue manager is created with."""
    shipped_definitions = {}
    for system_object in SYSTEM_OBJECTS:
        kind, values = KINDS[system_object.kind], system_object.attributes()
        known = {
            word: values[word]
            for word in (*given_words(kind.keyword), *kind.identity)
            if word in values
        }
        if kind.selector and system_object.subtype:
            known[kind.selector] = system_object.subtype
        definition = Definition(kind, system_object.name, dict(sorted(known.items())))
        shipped_definitions[definition.key] = definition
    return shipped_definitions
