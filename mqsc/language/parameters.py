"""From the parameters of a command to a request: each is checked at its own place against the command's form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from grammar.tree import Parameter, Value
from mqsc.language.command_table import meant
from mqsc.language.generic_names import Anything, Words
from mqsc.language.refusal import CommandRefusedError, Refusal
from mqsc.language.request import Form, Request, same_namespace
from mqsc.language.where import FilterError, read_filter
from store.catalog import Attribute, AttributeValueError, Stored, read_value
from store.catalog.types import Custom, Flag, Items, Problem, Text

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
# Which message tells that a parameter is missing: one has a message of its own.
MISSING: Mapping[tuple[str, str], str] = {("CHANNEL", "CONNAME"): "AMQ8214E"}


class Arguments:
    """Reads the parameters of one command; holds what was said so far, to notice what is said twice."""

    def __init__(self, form: Form) -> None:
        self.form = form
        self.values: dict[str, Stored] = {}
        self.requested: list[str] = []
        self.rows: dict[str, tuple[Attribute, Parameter]] = {}

    def read(self, name: str, parameters: tuple[Parameter, ...], noun: Parameter) -> Request:
        """The request that these parameters make for the object `name`; Refused says what is wrong with them."""
        for parameter in parameters:
            if parameter.values is None and parameter.keyword in self.form.listed and not self._is_flag(parameter):
                self._request(parameter)
            else:
                self._value(parameter)
        self._check_filter()
        self._check_subtype()
        self._check_required(noun)
        form = self.form
        given = {word: value for word, value in self.values.items() if self._is_attribute(word)}
        options = {word: value for word, value in self.values.items() if word not in given}
        return Request(form.verb.keyword, form.noun, form.kinds, name, given, options, tuple(self.requested))

    def _is_attribute(self, word: str) -> bool:
        """Whether the value is one to store, rather than a parameter of the command."""
        return self.form.verb.takes_attributes and not self.rows[word][0].option

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
        texts = None if parameter.values is None else [value.text for value in parameter.values]
        if isinstance(row.type, Anything) or (isinstance(row.type, Words) and texts):
            self.values[row.keyword] = texts or []
            return
        try:
            self.values[row.keyword] = read_value(row, texts, on)
        except AttributeValueError as fault:
            self._bad_value(fault, row, parameter)

    def _is_flag(self, parameter: Parameter) -> bool:
        """A flag of the command itself (CLUSTER of DISPLAY QMGR) comes before an attribute of that name."""
        row, _ = self.form.words.get(parameter.keyword, (None, True))
        return row is not None and isinstance(row.type, (Flag, Anything))

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
            odd = None if value.quoted else next((char for char in value.text if not _plain(char)), None)
            if odd is not None:
                what = "its value" if row.secret else f"{value.raw} holds '{odd}' and"
                sentence = f"{what} must stand in quotes: {row.keyword}('{value.raw}')"
                self._refuse("AMQ8405I", sentence, value)

    def _bad_value(self, fault: AttributeValueError, row: Attribute, parameter: Parameter) -> None:
        if isinstance(row.type, Flag):
            words = " or ".join(row.type.words)
            self._refuse("AMQ8405I", f"{parameter.keyword} has no value: write {words} alone", parameter)
        values = parameter.values or ()
        place = values[fault.index] if fault.index < len(values) else parameter
        found = f", not {place.raw}" if isinstance(place, Value) and not row.secret else ""
        self._refuse(VALUE_MESSAGES[fault.problem], f"{row.keyword} takes {fault.detail}{found}", place)

    def _check_filter(self) -> None:
        words = self.values.get("WHERE")
        if not isinstance(words, list) or isinstance(self.rows["WHERE"][0].type, Anything):
            return
        _, parameter = self.rows["WHERE"]
        try:
            read_filter(words, same_namespace(self.form.kinds[0]))
        except FilterError as fault:
            values = parameter.values or ()
            self._refuse("AMQ8569E", str(fault), values[fault.index] if fault.index < len(values) else parameter)

    def _subtype(self) -> str:
        """CHLTYPE of a channel, TRPTYPE of a listener: blank where the kind has no subtypes or none was said."""
        return str(self.values.get(self.form.kinds[0].selector, ""))

    def _check_subtype(self) -> None:
        subtype = self._subtype()
        if not subtype or self.form.verb.lists_attributes:
            return
        for row, parameter in self.rows.values():
            if not row.takes(subtype):
                self._refuse("AMQ8405I", f"'{row.keyword}' is not for {subtype}", parameter)

    def _check_required(self, noun: Parameter) -> None:
        verb, subtype = self.form.verb.keyword, self._subtype()
        for row in self.form.demanded:
            if "LIKE" in self.values and not row.leading:
                continue
            required = row.required if self.values.get("ACTION") == "REMOVEALL" else row.is_required(subtype)
            needed = required and (row.option or row.leading or verb != "ALTER")
            if needed and row.keyword not in self.values:
                message_id = MISSING.get((self.form.noun, row.keyword), "AMQ8421E")
                self._refuse(message_id, f"{self.form.title} needs {row.keyword}: {row.type.wanted}", noun)

    def _refuse(self, message_id: str, sentence: str, place: Parameter | Value) -> NoReturn:
        subtype = self._subtype()
        raise CommandRefusedError(Refusal(message_id, sentence, place.line, place.column, self.form, subtype=subtype))


def _plain(char: str) -> bool:
    return (char.isascii() and char.isalnum()) or char in "./_%*"
