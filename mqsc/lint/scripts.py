"""What scripts define together: every object with what was said about it, in the order in which it was said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from mqsc.language.syntax import form_of
from mqsc.lint.statement import Place, Statement
from mqsc.lint.vocabulary import ONLY, platforms, told
from store.catalog import SYSTEM_OBJECTS, Kind, Stored, defaults

# Objects that a queue manager comes with; scripts rely on them without defining them.
SYSTEM = "SYSTEM."
# Commands that need an object which exists.
ACTING = frozenset({"ALTER", "DELETE", "CLEAR", "START", "STOP", "PING", "RESET", "RESOLVE", "MOVE"})
# Words that count even when they say what would be so without them.
TELLING = frozenset({"TRIGGER", "TRIGINT", "CONTROL"})


class Said(NamedTuple):
    """A value that a script gives, and where."""

    value: Stored
    place: Place


@dataclass(slots=True)
class Defined:
    """An object as the statements so far leave it.

    `said` holds what was given and differs from where the object starts; `base` is where it starts when that is known:
    the kind's defaults, the LIKE object, a SYSTEM object as shipped. `known` says whether its other attributes are.
    `switched_on_again` is set by an ALTER that says TRIGGER where that is so: it must have been off meanwhile.
    """

    kind: Kind
    name: str
    place: Place
    base: dict[str, Stored]
    known: bool
    said: dict[str, Said] = field(default_factory=dict)
    switched_on_again: bool = False

    def get(self, keyword: str) -> Stored | None:
        """The value of an attribute, None when nothing tells it."""
        said = self.said.get(keyword)
        if said is not None:
            return said.value
        return self.base.get(keyword) if self.known else None

    def at(self, keyword: str) -> Place:
        """Where an attribute was given, else where the object was."""
        said = self.said.get(keyword)
        return said.place if said else self.place

    def say(self, statement: Statement) -> None:
        """Take over what a statement gives."""
        for keyword, value in statement.given.items():
            if self.known and keyword not in TELLING and self.base.get(keyword) == value:
                self.said.pop(keyword, None)
            else:
                self.said[keyword] = Said(value, statement.at(keyword))


@dataclass(slots=True)
class Scripts:
    """What the statements of all files say together.

    `acted_on` are the objects that other commands meet before or without a definition, `started` what is started, by
    noun and name, `records` the SET CHLAUTH. `replacing` are the files in which a DEFINE says REPLACE, `not_replacing`
    by file the DEFINEs that leave it open.
    """

    objects: dict[tuple[str, str], Defined] = field(default_factory=dict)
    qmgr: Defined | None = None
    acted_on: dict[tuple[str, str], Place] = field(default_factory=dict)
    started: set[tuple[str, str]] = field(default_factory=set)
    replacing: set[str] = field(default_factory=set)
    not_replacing: dict[str, list[tuple[str, Place]]] = field(default_factory=dict)
    records: list[Statement] = field(default_factory=list)
    # By file and platform, the first word that only that platform knows, where it stands, and how many there are.
    of_platforms: dict[tuple[str, str], tuple[str, Place, int]] = field(default_factory=dict)
    _cases: dict[tuple[str, str], str] = field(default_factory=dict)

    def take(self, statement: Statement) -> None:
        """Let a statement have its effect."""
        request = statement.request
        self._note_platforms(statement)
        if statement.verb == "START" and request is not None:
            self.started.add((statement.noun, request.name))
        kind = statement.kind
        if kind is None or request is None:
            return
        if kind.keyword == "QMGR":
            self._alter_queue_manager(statement, kind)
        elif statement.verb == "SET" and kind.keyword == "CHLAUTH":
            self.records.append(statement)
        elif statement.verb == "DEFINE":
            self._define(statement, kind)
        elif statement.verb in ACTING:
            self._act(statement, kind)

    def _note_platforms(self, statement: Statement) -> None:
        for word, platform in platforms(statement):
            if platform in ONLY:
                key = statement.file, platform
                first, place, count = self.of_platforms.get(key, (told(statement, word), statement.place(word), 0))
                self.of_platforms[key] = first, place, count + 1

    def _alter_queue_manager(self, statement: Statement, kind: Kind) -> None:
        if statement.verb == "ALTER":
            if self.qmgr is None:
                self.qmgr = Defined(kind, "", statement.at(), _defaults(kind, ""), True)
            self.qmgr.say(statement)

    def _define(self, statement: Statement, kind: Kind) -> None:
        subtype = str(statement.given.get(kind.selector, ""))
        base, known = dict[str, Stored](), True
        like = statement.options.get("LIKE")
        source = self.find(kind, str(like)) if like else None
        if like and source is None:
            known = False
        elif source is not None:
            base, known = {**source.base, **{word: said.value for word, said in source.said.items()}}, source.known
        else:
            base = _defaults(kind, subtype)
        replace = statement.options.get("REPLACE")
        if replace == "REPLACE":
            self.replacing.add(statement.file)
        elif replace is None and "REPLACE" in form_of(statement.verb, statement.noun).words:
            self.not_replacing.setdefault(statement.file, []).append((statement.title, statement.at()))
        defined = Defined(kind, statement.name, statement.at(), base, known)
        defined.say(statement)
        space = kind.namespace_of(subtype)
        self.objects[space, statement.name] = defined
        self._cases[space, statement.name.upper()] = statement.name

    def _act(self, statement: Statement, kind: Kind) -> None:
        found = self.find(kind, statement.name)
        if found is None:
            self.acted_on.setdefault((kind.namespace, statement.name), statement.at())
        if statement.verb == "DELETE":
            self.objects.pop((kind.namespace, statement.name), None)
        elif statement.verb == "ALTER":
            if found is None:
                base = _shipped().get((kind.namespace, statement.name))
                found = Defined(kind, statement.name, statement.at(), base or {}, base is not None)
                self.objects[kind.namespace, statement.name] = found
            found.switched_on_again |= found.get("TRIGGER") == "TRIGGER" == statement.given.get("TRIGGER")
            found.say(statement)

    def find(self, kind: Kind, name: str, subtype: str = "") -> Defined | None:
        """The object of that name, of this kind or another of the same namespace."""
        return self.objects.get((kind.namespace_of(subtype), name))

    def in_other_case(self, namespace: str, name: str) -> str:
        """The name of an object that differs from this one by case only; blank when there is none."""
        other = self._cases.get((namespace, name.upper()), name)
        return other if other != name and (namespace, other) in self.objects else ""

    def of(self, *keywords: str) -> Iterator[Defined]:
        """The objects of these kinds, in the order in which they were first met."""
        return (each for each in self.objects.values() if each.kind.keyword in keywords)

    def seem_complete(self, kind: Kind) -> bool:
        """Whether the files seem to define every object of the namespace of `kind` that they use.

        They define several objects, of that namespace others too, and none that they change or copy comes from
        elsewhere.
        """
        known = [each for each in self.objects.values() if each.known]
        own = sum(each.kind.namespace == kind.namespace for each in known)
        foreign = any(key not in self.objects and not is_shipped(key[1]) for key in self.acted_on)
        return len(known) == len(self.objects) and not foreign and (own > 1 or len(known) > 3)


def is_shipped(name: str) -> bool:
    """Whether the name is one that a queue manager comes with, or may."""
    return name.startswith(SYSTEM)


_DEFAULTS: dict[tuple[str, str], dict[str, Stored]] = {}


def _defaults(kind: Kind, subtype: str) -> dict[str, Stored]:
    """What an object of the kind starts from; shared, so nobody may change it."""
    key = (kind.keyword, subtype)
    if key not in _DEFAULTS:
        _DEFAULTS[key] = defaults(kind, subtype)
    return _DEFAULTS[key]


@cache
def _shipped() -> dict[tuple[str, str], dict[str, Stored]]:
    """The attributes of SYSTEM objects, by namespace and name."""
    return {(each.namespace, each.name): each.attributes() for each in SYSTEM_OBJECTS}
