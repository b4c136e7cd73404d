"""The state that scripts define together: every object, with the attributes given for it so far."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches
from functools import cache
from typing import NamedTuple

from msgspec import Struct, field

from mqsc.diagnostic import Location
from mqsc.language.inert import remarks
from mqsc.language.syntax import syntax_of
from mqsc.lint.platform_words import ONE_PLATFORM, platform_words, word_text
from mqsc.lint.script_command import ScriptCommand
from store.catalog import KINDS, SYSTEM_OBJECTS, Kind, Stored, SystemObject, defaults

# The names of objects that a queue manager is created with; scripts use them without defining them.
SYSTEM = "SYSTEM."
# The similarity from which a name may be a slip for another.
SIMILAR = 0.75
# Commands on an object that must exist.
NEEDS_OBJECT = frozenset({"ALTER", "DELETE", "CLEAR", "START", "STOP", "PING", "RESET", "RESOLVE", "MOVE"})
# Attributes that count as given even with their default value, because writing them shows intent.
KEPT_DEFAULTS = frozenset({"TRIGGER", "TRIGINT", "CONTROL"})


class GivenValue(NamedTuple):
    value: Stored
    location: Location


class DefinedObject(Struct):
    """An object after the commands so far.

    `given` has the attributes that differ from `base`, the attributes that the object started with: the defaults of its
    kind, those of the LIKE object, or those of a SYSTEM object. `known` is False when `base` is unknown.
    `switched_on_again` records an ALTER with TRIGGER while TRIGGER is on: it must have been switched off in between.
    `disposition` is QSGDISP.
    """

    kind: Kind
    name: str
    location: Location
    base: dict[str, Stored]
    known: bool
    given: dict[str, GivenValue] = field(default_factory=dict)
    switched_on_again: bool = False
    disposition: str = "QMGR"

    def get(self, keyword: str) -> Stored | None:
        """The value of an attribute, None when it is unknown."""
        given = self.given.get(keyword)
        if given is not None:
            return given.value
        return self.base.get(keyword) if self.known else None

    def location_of(self, keyword: str) -> Location:
        """The location of an attribute, or of the object when the attribute was not given."""
        given = self.given.get(keyword)
        return given.location if given else self.location

    def apply(self, command: ScriptCommand) -> None:
        """Set the attributes of a command."""
        for keyword, value in command.given.items():
            if self.known and keyword not in KEPT_DEFAULTS and self.base.get(keyword) == value:
                self.given.pop(keyword, None)
            else:
                self.given[keyword] = GivenValue(value, command.location_of(keyword))


class Scripts(Struct):
    """The state after the commands of all files so far.

    `acted_on` has the objects that commands other than DEFINE used before or without a definition, `started` the noun
    and name of what was started, `records` the SET CHLAUTH commands. `replacing` has the files with a DEFINE REPLACE,
    `not_replacing` by file the DEFINEs with neither REPLACE nor NOREPLACE.
    """

    objects: dict[tuple[str, str], DefinedObject] = field(default_factory=dict)
    qmgr: DefinedObject | None = None
    acted_on: dict[tuple[str, str], Location] = field(default_factory=dict)
    started: set[tuple[str, str]] = field(default_factory=set)
    replacing: set[str] = field(default_factory=set)
    not_replacing: dict[str, list[tuple[str, Location]]] = field(default_factory=dict)
    records: list[ScriptCommand] = field(default_factory=list)
    # By file and platform: the first word that only this platform has, its location, and the number of such words.
    of_platforms: dict[tuple[str, str], tuple[str, Location, int]] = field(default_factory=dict)
    # By file and reason: the first remark on something that has no effect here, and its location.
    inert: dict[tuple[str, str], tuple[str, Location]] = field(default_factory=dict)
    _cases: dict[tuple[str, str], str] = field(default_factory=dict)

    def apply(self, command: ScriptCommand) -> None:
        request = command.request
        self._note_platforms(command)
        for keyword, sentence in remarks(request) if request is not None else ():
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
        elif command.verb == "SET" and kind.keyword == "CHLAUTH":
            self.records.append(command)
        elif command.verb == "DEFINE":
            self._define(command, kind)
        elif command.verb in NEEDS_OBJECT:
            self._act(command, kind)

    def _note_platforms(self, command: ScriptCommand) -> None:
        for word, platform in platform_words(command):
            if platform in ONE_PLATFORM:
                key = command.file, platform
                found = self.of_platforms.get(key, (word_text(command, word), command.location(word), 0))
                first, location, count = found
                self.of_platforms[key] = first, location, count + 1

    def _alter_queue_manager(self, command: ScriptCommand, kind: Kind) -> None:
        if command.verb == "ALTER":
            if self.qmgr is None:
                self.qmgr = DefinedObject(kind, "", command.location_of(), defaults(kind, ""), True)
            self.qmgr.apply(command)

    def _define(self, command: ScriptCommand, kind: Kind) -> None:
        subtype = str(command.given.get(kind.selector, ""))
        base, known = dict[str, Stored](), True
        like = command.options.get("LIKE")
        source = self.find(kind, str(like)) if like else None
        if like and source is None:
            known = False
        elif source is not None:
            base = {**source.base, **{word: given.value for word, given in source.given.items()}}
            known = source.known
        else:
            base = defaults(kind, subtype)
        replace = command.options.get("REPLACE")
        if replace == "REPLACE":
            self.replacing.add(command.file)
        elif replace is None and "REPLACE" in syntax_of(command.verb, command.noun).words:
            self.not_replacing.setdefault(command.file, []).append((command.title, command.location_of()))
        where, disposition = command.location_of(), command.disposition
        defined = DefinedObject(kind, command.name, where, base, known, disposition=disposition)
        defined.apply(command)
        space = kind.namespace_of(subtype)
        self.objects[space, command.name] = defined
        self._cases[space, command.name.upper()] = command.name

    def _act(self, command: ScriptCommand, kind: Kind) -> None:
        found = self.find(kind, command.name)
        if found is None:
            self.acted_on.setdefault((kind.namespace, command.name), command.location_of())
        if command.verb == "DELETE":
            self.objects.pop((kind.namespace, command.name), None)
        elif command.verb == "ALTER":
            if found is None:
                found = shipped(kind.namespace, command.name, command.location_of())
                found = found or DefinedObject(kind, command.name, command.location_of(), {}, known=False)
                self.objects[kind.namespace, command.name] = found
            found.switched_on_again |= found.get("TRIGGER") == "TRIGGER" == command.given.get("TRIGGER")
            found.apply(command)

    def find(self, kind: Kind, name: str, subtype: str = "") -> DefinedObject | None:
        """The object of that name, of this kind or another kind in the same namespace."""
        return self.objects.get((kind.namespace_of(subtype), name))

    def in_other_case(self, namespace: str, name: str) -> str:
        """The name of an object that differs only in case; blank when there is none."""
        other = self._cases.get((namespace, name.upper()), name)
        return other if other != name and (namespace, other) in self.objects else ""

    def similar_name(self, namespace: str, name: str) -> str:
        """The object whose name is most like this one; blank when none is similar."""
        names = [other for space, other in self.objects if space == namespace]
        return next(iter(get_close_matches(name, names, n=1, cutoff=SIMILAR)), "")

    def of_kind(self, keyword: str) -> Iterator[DefinedObject]:
        """The objects of this kind, in the order in which they first occur."""
        return (each for each in self.objects.values() if each.kind.keyword == keyword)

    def seem_complete(self, kind: Kind) -> bool:
        """Whether the files probably define every object that they use in the namespace of `kind`.

        They define several objects, some of them in that namespace, and change or copy no object that they do not
        define.
        """
        known = [each for each in self.objects.values() if each.known]
        own = sum(each.kind.namespace == kind.namespace for each in known)
        foreign = any(key not in self.objects and not is_shipped(key[1]) for key in self.acted_on)
        return len(known) == len(self.objects) and not foreign and (own > 1 or len(known) > 3)


def is_shipped(name: str) -> bool:
    """Whether the name may be one of the objects that a queue manager is created with."""
    return name.startswith(SYSTEM)


def shipped(namespace: str, name: str, location: Location) -> DefinedObject | None:
    """The SYSTEM object of that name as a queue manager is created with it; None when there is none."""
    found = _shipped().get((namespace, name))
    return DefinedObject(KINDS[found.kind], name, location, found.attributes(), known=True) if found else None


@cache
def _shipped() -> dict[tuple[str, str], SystemObject]:
    return {(each.namespace, each.name): each for each in SYSTEM_OBJECTS}
