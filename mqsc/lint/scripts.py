"""The scripts of a check as lint rules see them: the objects that their commands define, and how
they are left.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from msgspec import Struct, field

from mqsc.diagnostic import Location
from mqsc.language.hidden_secrets import as_declaration
from mqsc.language.inert import remarks
from mqsc.lint import platform_words, script_command
from mqsc.store.catalog import KINDS, SYSTEM_OBJECTS, Kind, Stored, SystemObject, defaults
from mqsc.store.catalog.spelling import similar_names
from mqsc.verbs.syntax import syntax_of

# The names of objects that a queue manager is created with; scripts use them without defining them.
SYSTEM = "SYSTEM."
# The similarity from which a name may be a slip for another.
SIMILAR = 0.75
# Comparing this many names takes about a second.
_MOST_COMPARED = 100_000
# Commands on an object that must exist.
NEEDS_OBJECT = frozenset(
    {"ALTER", "DELETE", "CLEAR", "START", "STOP", "PING", "RESET", "RESOLVE", "MOVE"},
)
# Attributes that count as given even with their default value, because writing them shows intent.
KEPT_DEFAULTS = frozenset({"TRIGGER", "TRIGINT", "CONTROL"})


class GivenValue(NamedTuple):
    value: Stored
    location: Location


class DefinedObject(Struct):
    """An object after the commands so far.

    `attributes` has those that differ from `base`, the attributes that the object started with:
    the defaults of its kind, those of the LIKE object, or those of a SYSTEM object. `known` is
    False when `base` is unknown. `switched_on_again` records an ALTER with TRIGGER while TRIGGER is
    on: it must have been switched off in between. `disposition` is QSGDISP.
    """

    kind: Kind
    name: str
    location: Location
    base: dict[str, Stored]
    known: bool
    attributes: dict[str, GivenValue] = field(default_factory=dict)
    switched_on_again: bool = False
    disposition: str = "QMGR"

    def get(self, keyword: str) -> Stored | None:
        """The value of an attribute, None when it is unknown."""
        attribute = self.attributes.get(keyword)
        if attribute is not None:
            return attribute.value
        return self.base.get(keyword) if self.known else None

    def location_of(self, keyword: str) -> Location:
        """The location of an attribute, or of the object when the attribute was not given."""
        attribute = self.attributes.get(keyword)
        return attribute.location if attribute else self.location

    def apply(self, command: script_command.ScriptCommand) -> None:
        """Set the attributes of a command."""
        for keyword, value in command.attributes.items():
            if self.known and keyword not in KEPT_DEFAULTS and self.base.get(keyword) == value:
                self.attributes.pop(keyword, None)
            else:
                self.attributes[keyword] = GivenValue(value, command.location_of(keyword))


class Scripts(Struct):
    """The state after the commands of all files so far.

    `acted_on` has the objects that commands other than DEFINE used before or without a definition,
    `deleted` those that DELETE removed and nothing defined again, `started` the noun and name of
    what was started, `records` the SET CHLAUTH commands, `grants` the commands on authority
    records. `replacing` has the files with a DEFINE REPLACE,
    `not_replacing` by file the DEFINEs with neither REPLACE nor NOREPLACE.
    """

    objects: dict[tuple[str, str], DefinedObject] = field(default_factory=dict)
    qmgr: DefinedObject | None = None
    acted_on: dict[tuple[str, str], Location] = field(default_factory=dict)
    deleted: dict[tuple[str, str], Location] = field(default_factory=dict)
    started: set[tuple[str, str]] = field(default_factory=set)
    replacing: set[str] = field(default_factory=set)
    not_replacing: dict[str, list[tuple[str, Location]]] = field(default_factory=dict)
    records: list[script_command.ScriptCommand] = field(default_factory=list)
    grants: list[script_command.ScriptCommand] = field(default_factory=list)
    # By file and platform: the first word that only this platform has, its location, and the number
    # of such words.
    of_platforms: dict[tuple[str, str], tuple[str, Location, int]] = field(default_factory=dict)
    # By file and reason: the first remark on something that has no effect here, and its location.
    inert: dict[tuple[str, str], tuple[str, Location]] = field(default_factory=dict)
    _cases: dict[tuple[str, str], str] = field(default_factory=dict)
    _compared: int = 0

    def apply(self, command: script_command.ScriptCommand) -> None:
        request = command.request
        self._note_platforms(command)
        given = () if request is None else remarks(as_declaration(request))
        for keyword, sentence in given:
            reason = sentence.partition(": ")[2]
            self.inert.setdefault((command.file, reason), (sentence, command.location_of(keyword)))
        if command.verb == "START" and request is not None:
            self.started.add((command.noun, request.name))
        kind = command.kind
        if kind is None or request is None or command.disposition == "COPY":
            # A copy is made by the definition of its GROUP object.
            return
        if kind.keyword == "QMGR":
            self._alter_queue_manager(command, kind)
        elif kind.keyword == "AUTHREC":
            self.grants.append(command)
        elif command.verb == "SET" and kind.keyword == "CHLAUTH":
            self.records.append(command)
        elif command.verb == "DEFINE":
            self._define(command, kind)
        elif command.verb in NEEDS_OBJECT:
            self._act(command, kind)

    def _note_platforms(self, command: script_command.ScriptCommand) -> None:
        for word, platform in platform_words.platform_words(command):
            if platform in platform_words.ONE_PLATFORM:
                key = command.file, platform
                words = self.of_platforms.get(
                    key,
                    (platform_words.word_text(command, word), command.location(word), 0),
                )
                first, location, count = words
                self.of_platforms[key] = first, location, count + 1

    def _alter_queue_manager(self, command: script_command.ScriptCommand, kind: Kind) -> None:
        if command.verb == "ALTER":
            if self.qmgr is None:
                self.qmgr = DefinedObject(kind, "", command.location_of(), defaults(kind, ""), True)
            self.qmgr.apply(command)

    def _define(self, command: script_command.ScriptCommand, kind: Kind) -> None:
        subtype = str(command.attributes.get(kind.selector, ""))
        base, known = dict[str, Stored](), True
        like = command.options.get("LIKE")
        source = self.find(kind, str(like)) if like else None
        if like and source is None:
            known = False
        elif source is not None:
            base = {
                **source.base,
                **{word: attribute.value for word, attribute in source.attributes.items()},
            }
            known = source.known
        else:
            base = defaults(kind, subtype)
        replace = command.options.get("REPLACE")
        if replace == "REPLACE":
            self.replacing.add(command.file)
        elif replace is None and "REPLACE" in syntax_of(command.verb, command.noun).words:
            self.not_replacing.setdefault(command.file, []).append(
                (command.title, command.location_of()),
            )
        where, disposition = command.location_of(), command.disposition
        defined = DefinedObject(kind, command.name, where, base, known, disposition=disposition)
        defined.apply(command)
        space = kind.namespace_of(subtype)
        self.objects[space, command.name] = defined
        self.deleted.pop((space, command.name), None)
        self._cases[space, command.name.upper()] = command.name

    def _act(self, command: script_command.ScriptCommand, kind: Kind) -> None:
        defined = self.find(kind, command.name)
        if defined is None:
            self.acted_on.setdefault((kind.namespace, command.name), command.location_of())
        if command.verb == "DELETE":
            self.objects.pop((kind.namespace, command.name), None)
            self.deleted[kind.namespace, command.name] = command.location_of()
        elif command.verb == "ALTER":
            if defined is None:
                defined = shipped(kind.namespace, command.name, command.location_of())
                defined = defined or DefinedObject(
                    kind,
                    command.name,
                    command.location_of(),
                    {},
                    known=False,
                )
                self.objects[kind.namespace, command.name] = defined
            defined.switched_on_again |= (
                defined.get("TRIGGER") == "TRIGGER" == command.attributes.get("TRIGGER")
            )
            defined.apply(command)

    def find(self, kind: Kind, name: str, subtype: str = "") -> DefinedObject | None:
        """The object of that name, of this kind or another kind in the same namespace."""
        return self.objects.get((kind.namespace_of(subtype), name))

    def in_other_case(self, namespace: str, name: str) -> str:
        """The name of an object that differs only in case; blank when there is none."""
        other = self._cases.get((namespace, name.upper()), name)
        return other if other != name and (namespace, other) in self.objects else ""

    def similar_name(self, namespace: str, name: str) -> str:
        """The object whose name is most like this one; blank when none is similar, or too many
        were compared.
        """
        names = [other for space, other in self.objects if space == namespace]
        self._compared += len(names)
        if self._compared > _MOST_COMPARED:
            return ""
        return next(iter(similar_names(name, names, alike=SIMILAR)), "")

    def of_kind(self, keyword: str) -> Iterator[DefinedObject]:
        """The objects of this kind, in the order in which they first occur."""
        return (each for each in self.objects.values() if each.kind.keyword == keyword)

    def seem_complete(self, kind: Kind) -> bool:
        """Whether the files probably define every object that they use in the namespace of `kind`.

        They define several objects, some of them in that namespace, and change or copy no object
        that they do not define.
        """
        known = [each for each in self.objects.values() if each.known]
        own = sum(each.kind.namespace == kind.namespace for each in known)
        foreign = any(key not in self.objects and not is_shipped(key[1]) for key in self.acted_on)
        return len(known) == len(self.objects) and not foreign and (own > 1 or len(known) > 3)


def is_shipped(name: str) -> bool:
    """Whether the name may be one of the objects that a queue manager is created with."""
    return name.startswith(SYSTEM)


def shipped(namespace: str, name: str, location: Location) -> DefinedObject | None:
    """The SYSTEM object of that name as a queue manager is created with it; None when there is
    none.
    """
    system_object = _shipped().get((namespace, name))
    return (
        DefinedObject(
            KINDS[system_object.kind], name, location, system_object.attributes(), known=True
        )
        if system_object
        else None
    )


@cache
def _shipped() -> dict[tuple[str, str], SystemObject]:
    return {
        (system_object.namespace, system_object.name): system_object
        for system_object in SYSTEM_OBJECTS
    }
