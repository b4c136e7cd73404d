"""From a parsed command to a request: every word is checked at its own place against the vocabulary."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import NoReturn

from grammar.tree import Command, Parameter, Value
from mqsc.generic import GenericName, Words
from mqsc.known import COMMANDS, LISTED_VERBS, meant, noun_of, verb_of
from mqsc.refusal import Refusal
from mqsc.request import Form, Naming, Request, same_namespace, words_of
from mqsc.verbs import VERBS
from mqsc.where import FilterFault, read_filter
from store.catalog import Attribute, AttributeFault, Kind, Stored, read_value
from store.catalog.types import Custom, Flag, Items, Name, Problem, Text
from store.catalog.types import Refusal as Unacceptable

# Which message tells of which problem with a value.
VALUE_MESSAGES: Mapping[Problem, str] = {
    "word": "AMQ8405I",
    "number": "AMQ8405I",
    "range": "AMQ8412E",
    "length": "AMQ8413E",
    "name": "AMQ8424E",
    "empty": "AMQ8405I",
    "form": "AMQ8405I",
    "count": "AMQ8405I",
}


class Refused(Exception):
    """Carries a Refusal out of a check."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.sentence)
        self.refusal = refusal


def understand(command: Command) -> Request | Refusal:
    """The request that a command makes, or the first reason to refuse it."""
    try:
        return _request(command)
    except Refused as refused:
        return refused.refusal


def _request(command: Command) -> Request:
    verb = _verb(command.parameters[0])
    if len(command.parameters) == 1:
        where = command.parameters[0]
        words = tuple(f"{verb} {noun}" for noun in sorted(COMMANDS[verb]))
        raise Refused(Refusal("AMQ8426I", f"{verb} of what?", where.line, where.column, words=words))
    noun = _noun(verb, command.parameters[1])
    form = form_of(verb, noun)
    if form is None:
        where = command.parameters[1]
        title = f"{verb} {noun}"
        sentence = f"MQ has {title}, this version does not"
        raise Refused(Refusal("MQSC0002E", sentence, where.line, where.column, name=title))
    name = _name(form, command.parameters[1])
    return _Reader(form).read(name, command.parameters[2:], command.parameters[1])


def _verb(word: Parameter) -> str:
    verb = verb_of(word.keyword)
    if verb is None or word.values is not None:
        found = f"'{word.raw}' is not a verb of MQSC" if verb is None else f"{verb} is followed by the kind of object"
        sentence = found + (meant(word.keyword, LISTED_VERBS) if verb is None else "")
        raise Refused(Refusal("AMQ8426I", sentence, word.line, word.column, words=LISTED_VERBS))
    return verb


def _noun(verb: str, word: Parameter) -> str:
    noun = noun_of(verb, word.keyword)
    if noun is None:
        sentence = f"{verb} takes no object '{word.keyword}'{meant(word.keyword, COMMANDS[verb])}"
        raise Refused(Refusal("AMQ8405I", sentence, word.line, word.column))
    return noun


@cache
def form_of(verb: str, noun: str) -> Form | None:
    """What a command may consist of, or None when it is not built."""
    entry = VERBS.get(verb)
    kinds = entry.objects.get(noun) if entry else None
    if entry is None or kinds is None:
        return None
    words: dict[str, tuple[Attribute, bool]] = {}
    for kind in kinds:
        for word, (row, on) in kind.words.items():
            if entry.takes_attributes and verb in row.verbs and not row.option and word not in row.display_synonyms:
                words[word] = (row, on)
        if entry.lists_attributes:
            words |= words_of(_choosers(kind, alone=len(kinds) == 1))
    for option in entry.options:
        known = any(option.row.keyword in kind.attributes for kind in kinds)
        if (not option.nouns or noun in option.nouns) and (known or not option.of_kind):
            words |= words_of((option.row,))
    return Form(entry, noun, kinds, words, _listed(kinds) if entry.lists_attributes else {})


def _choosers(kind: Kind, *, alone: bool) -> list[Attribute]:
    """What DISPLAY takes with a value, to choose objects; the type of a queue only where several are covered."""
    return [
        replace(row, type=row.chooser, option=True)
        for row in kind.attributes.values()
        if row.chooser is not None and not (alone and row.constant is not None)
    ]


def begun_form(text: str) -> Form | None:
    """The command that a text begins with, though the rest of it cannot be read."""
    words = re.findall(r"[^\s,()';]+", text.upper())[:2]
    verb = verb_of(words[0]) if words else None
    noun = noun_of(verb, words[1]) if verb and len(words) > 1 else None
    return form_of(verb, noun) if verb and noun else None


def _listed(kinds: tuple[Kind, ...]) -> dict[str, str]:
    """What DISPLAY may be asked for: whatever any kind of the namespace shows (TARGET of a QLOCAL is just left out)."""
    alike = same_namespace(kinds[0])
    return {word: word for kind in alike for word in kind.key} | {
        word: row.keyword
        for kind in alike
        for word, (row, _) in kind.words.items()
        if "DISPLAY" in row.verbs and not row.option
    }


def _name(form: Form, noun: Parameter) -> str:
    naming = form.verb.naming_of(form.noun)
    if naming is Naming.NONE:
        if noun.values is not None:
            raise Refused(Refusal("AMQ8405I", f"{form.title} has no name after it", noun.line, noun.column, form))
        return ""
    if not noun.values:
        sentence = f"{form.title} needs {naming.value} in parentheses"
        raise Refused(Refusal("AMQ8405I", sentence, noun.line, noun.column, form))
    if len(noun.values) > 1:
        extra = noun.values[1]
        raise Refused(Refusal("AMQ8405I", f"{form.title} takes one name", extra.line, extra.column, form))
    return _checked_name(form, noun.values[0], naming)


def _checked_name(form: Form, value: Value, naming: Naming) -> str:
    name = value.text.rstrip(" ")
    try:
        for kind in form.kinds:
            (GenericName if naming is Naming.GENERIC else Name)(kind.name_length).accept(name)
        if not name:
            raise Unacceptable("empty", naming.value)
    except Unacceptable as problem:
        sentence = f"{form.title} takes {problem.detail}, not {value.raw}"
        raise Refused(Refusal("AMQ8424E", sentence, value.line, value.column)) from None
    return name


class _Reader:
    """Reads the parameters of one command; holds what was said so far, to notice what is said twice."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self.values: dict[str, Stored] = {}
        self.requested: list[str] = []
        self.rows: dict[str, tuple[Attribute, Parameter]] = {}

    def read(self, name: str, parameters: tuple[Parameter, ...], noun: Parameter) -> Request:
        """The request that these parameters make for the object `name`."""
        for parameter in parameters:
            if parameter.values is None and parameter.keyword in self.form.listed and not self._is_flag(parameter):
                self._request(parameter)
            else:
                self._value(parameter)
        self._check_filter()
        self._check_subtype()
        self._check_required(noun)
        form = self.form
        own = {option.row.keyword for option in form.verb.options} if form.verb.takes_attributes else {*self.values}
        given = {word: value for word, value in self.values.items() if word not in own}
        options = {word: value for word, value in self.values.items() if word in own}
        return Request(form.verb.keyword, form.noun, form.kinds, name, given, options, tuple(self.requested))

    def _request(self, parameter: Parameter) -> None:
        keyword = self.form.listed[parameter.keyword]
        if keyword in self.requested:
            self._refuse("AMQ8411E", f"'{parameter.keyword}' is asked for twice", parameter)
        self.requested.append(keyword)

    def _value(self, parameter: Parameter) -> None:
        word = parameter.keyword
        if word not in self.form.words:
            self._unknown(parameter)
        row, on = self.form.words[word]
        if row.keyword in self.rows:
            first = self.rows[row.keyword][1]
            known = f"line {first.line}, column {first.column}"
            self._refuse("AMQ8411E", f"'{word}' repeats '{first.keyword}' of {known}", parameter)
        self.rows[row.keyword] = (row, parameter)
        self._check_quotes(row, parameter)
        texts = None if parameter.values is None else [(value.text, value.quoted) for value in parameter.values]
        if isinstance(row.type, Words) and texts:
            self.values[row.keyword] = [text for text, _ in texts]
            return
        try:
            self.values[row.keyword] = read_value(row, texts, on)
        except AttributeFault as fault:
            self._bad_value(fault, row, parameter)

    def _is_flag(self, parameter: Parameter) -> bool:
        """A flag of the command itself (CLUSTER of DISPLAY QMGR) comes before an attribute of that name."""
        row, _ = self.form.words.get(parameter.keyword, (None, True))
        return row is not None and isinstance(row.type, Flag)

    def _unknown(self, parameter: Parameter) -> NoReturn:
        word, title = parameter.keyword, self.form.title
        if self.form.listed.get(word) == "TYPE":
            self._refuse("AMQ8428E", f"{title} says the type already; DISPLAY QUEUE takes TYPE", parameter)
        if word in self.form.listed:
            self._refuse("AMQ8405I", f"{title} takes '{word}' without a value; WHERE selects by value", parameter)
        if any(word in kind.words or word in kind.key for kind in self.form.kinds):
            self._refuse("AMQ8405I", f"'{word}' cannot be given in {title}: it is for other verbs", parameter)
        candidates = [*self.form.words, *self.form.listed]
        self._refuse("AMQ8405I", f"'{word}' is not a keyword of {title}{meant(word, candidates)}", parameter)

    def _check_quotes(self, row: Attribute, parameter: Parameter) -> None:
        """Unquoted text holds letters, digits and . / _ % only, beside asterisks of generic values.

        Words, numbers and names are refused for what they hold, in quotes or not.
        """
        kind = row.type.of if isinstance(row.type, Items) else row.type
        if not isinstance(kind, (Text, Custom)):
            return
        for value in parameter.values or ():
            odd = next((char for char in value.text if not _plain(char)), None)
            if odd is not None and not value.quoted:
                what = "its value" if row.secret else f"{value.raw} holds '{odd}' and"
                sentence = f"{what} must stand in quotes: {row.keyword}('{value.raw}')"
                self._refuse("AMQ8405I", sentence, value)

    def _bad_value(self, fault: AttributeFault, row: Attribute, parameter: Parameter) -> None:
        if isinstance(row.type, Flag):
            words = " or ".join(row.type.words)
            self._refuse("AMQ8405I", f"{parameter.keyword} has no value: write {words} alone", parameter)
        values = parameter.values or ()
        place = values[fault.index] if fault.index < len(values) else parameter
        found = f", not {place.raw}" if isinstance(place, Value) and not row.secret else ""
        self._refuse(VALUE_MESSAGES[fault.problem], f"{row.keyword} takes {fault.detail}{found}", place)

    def _check_filter(self) -> None:
        words = self.values.get("WHERE")
        if not isinstance(words, list):
            return
        _, parameter = self.rows["WHERE"]
        try:
            read_filter(words, same_namespace(self.form.kinds[0]))
        except FilterFault as fault:
            values = parameter.values or ()
            self._refuse("AMQ8569E", str(fault), values[fault.index] if fault.index < len(values) else parameter)

    def _subtype(self) -> str:
        """CHLTYPE of a channel, TRPTYPE of a listener: blank where the kind has no subtypes or none was said."""
        return str(self.values.get(self.form.kinds[0].selector, ""))

    def _check_subtype(self) -> None:
        subtype = self._subtype()
        for row, parameter in self.rows.values():
            if not row.takes(subtype):
                self._refuse("AMQ8405I", f"'{row.keyword}' is not for {subtype}", parameter)

    def _check_required(self, noun: Parameter) -> None:
        verb, subtype = self.form.verb.keyword, self._subtype()
        for row, _ in self.form.words.values():
            needed = row.is_required(subtype) and (row.option or row.leading or verb != "ALTER")
            if needed and row.keyword not in self.values and "LIKE" not in self.values:
                self._refuse("AMQ8421E", f"{self.form.title} needs {row.keyword}: {row.type.wanted}", noun)

    def _refuse(self, message_id: str, sentence: str, place: Parameter | Value) -> NoReturn:
        raise Refused(Refusal(message_id, sentence, place.line, place.column, self.form))


def _plain(char: str) -> bool:
    return (char.isascii() and char.isalnum()) or char in "./_%*"
