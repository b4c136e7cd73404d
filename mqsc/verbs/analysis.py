"""Turns a parsed command into a request, by the syntax of the command, which is derived from the
catalog and verbs.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NoReturn

from msgspec.structs import replace

from mqsc.grammar.tree import Command, Parameter, Value
from mqsc.language import command_table, foreign_marks
from mqsc.language.refusal import CommandRefusal, CommandRefusedError
from mqsc.language.request import CommandSyntax, Naming, Request, same_namespace
from mqsc.language.value_types import Anything, WordList
from mqsc.language.where import FilterError, read_filter
from mqsc.store.catalog import Attribute, AttributeValueError, Stored, read_value
from mqsc.store.catalog.types import (
    NAME_PLACEHOLDER,
    Custom,
    Flag,
    InvalidValueError,
    Items,
    Problem,
    Text,
)
from mqsc.verbs.syntax import syntax_of

# The message for each kind of problem with a value.
_WRONG_WORDS: tuple[Problem, ...] = ("word", "number", "empty", "form", "count")
VALUE_MESSAGES: Mapping[Problem, str] = {
    **dict.fromkeys(_WRONG_WORDS, "AMQ8405I"),
    **{"range": "AMQ8412E", "length": "AMQ8413E", "name": "AMQ8424E"},
}
# The message for a missing parameter, where it is not AMQ8421E.
MISSING: Mapping[tuple[str, str], str] = {("CHANNEL", "CONNAME"): "AMQ8214E"}

# The characters that unquoted text may contain, besides the asterisk of a generic value.
_UNQUOTED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789./_%*")

# A word that MQ replaces in a service definition: +QMNAME+.
_INSERT = re.compile(r"\+[A-Z_]+\+")


def analyse(command: Command, text: str = "") -> Request | CommandRefusal:
    """The request that a command makes, or the first reason to refuse it; `text` is the command
    as typed.
    """
    try:
        return _request(command, text)
    except CommandRefusedError as refused:
        return refused.refusal


def _request(command: Command, text: str) -> Request:
    verb, *others = with_noun_second(command).parameters
    syntax = None
    if others and verb.values is None:
        syntax = _known_command(verb.keyword, others[0].keyword)
    if syntax is None:
        raise CommandRefusedError(_unknown_command(verb, others))
    noun, *parameters = others
    name = _name(syntax, noun)
    request = _Parameters(syntax, noun).read(name, parameters, text)
    if NAME_PLACEHOLDER in name and request.attributes.get("CHLTYPE", "CLUSSDR") != "CLUSSDR":
        (value,) = noun.values or ()
        sentence = f"only the name of a cluster-sender channel may contain {NAME_PLACEHOLDER}"
        raise CommandRefusedError(CommandRefusal("AMQ8424E", sentence, value.line, value.column))
    return request


def with_noun_second(command: Command) -> Command:
    """The command with its noun after the verb: z/OS also takes, and CSQUTIL writes, DEFINE
    NOREPLACE QLOCAL(A).
    """
    verb, *others = command.parameters
    if (
        len(others) < 2
        or verb.values is not None
        or _known_command(verb.keyword, others[0].keyword)
    ):
        return command
    for index, noun in enumerate(others):
        syntax = _known_command(verb.keyword, noun.keyword)
        if syntax is not None and {each.keyword for each in others[:index]} <= {
            *syntax.words,
            *syntax.listed,
        }:
            return replace(command, parameters=(verb, noun, *others[:index], *others[index + 1 :]))
    return command


@lru_cache(1024)
def _known_command(verb_word: str, noun_word: str) -> CommandSyntax | None:
    """The syntax of the command that two words name, synonyms included; None if there is no such
    command.
    """
    verb = command_table.verb_of(verb_word)
    noun = command_table.noun_of(verb, noun_word) if verb else None
    if verb is None or noun is None or (verb_word, noun) in command_table.WITHOUT_SYNONYM:
        return None
    return syntax_of(verb, noun)


def _unknown_command(word: Parameter, others: list[Parameter]) -> CommandRefusal:
    """Why a command whose verb or noun is not valid is refused."""
    verb = command_table.verb_of(word.keyword)
    if verb is None:
        hint = foreign_marks.hint_for_first_word(word, others) or command_table.meant(
            word.keyword,
            command_table.LISTED_VERBS,
        )
        sentence = f"'{word.raw}' is not an MQSC verb{hint}"
        return CommandRefusal(
            "AMQ8426I",
            sentence,
            word.line,
            word.column,
            words=command_table.LISTED_VERBS,
        )
    if not others:
        words = tuple(f"{verb} {noun}" for noun in sorted(command_table.COMMANDS[verb]))
        return CommandRefusal(
            "AMQ8426I",
            f"{verb} needs a type of object",
            word.line,
            word.column,
            words=words,
        )
    if word.values is not None:
        sentence = f"{verb} must be followed by a type of object"
        return CommandRefusal(
            "AMQ8426I",
            sentence,
            word.line,
            word.column,
            words=command_table.LISTED_VERBS,
        )
    noun_word = others[0]
    noun = command_table.noun_of(verb, noun_word.keyword)
    if noun is None:
        nouns = command_table.COMMANDS[verb]
        hint = (
            command_table.types_of(noun_word.keyword, verb)
            or command_table.meant(noun_word.keyword, nouns)
            or f"; it takes {', '.join(sorted(nouns))}"
        )
        sentence = f"{verb} takes no object '{noun_word.keyword}'{hint}"
        return CommandRefusal("AMQ8405I", sentence, noun_word.line, noun_word.column)
    sentence = f"{verb} {noun} has no short form '{word.keyword}'"
    return CommandRefusal(
        "AMQ8405I",
        sentence,
        noun_word.line,
        noun_word.column,
        syntax_of(verb, noun),
    )


def _name(syntax: CommandSyntax, noun: Parameter) -> str:
    """The name that follows the noun, blank if there is none."""
    naming, values = syntax.naming, noun.values
    if naming is Naming.NONE:
        if values is not None:
            _refuse_name(syntax, f"{syntax.title} takes no name", noun)
        return ""
    if not values:
        if naming is Naming.OPTIONAL and values is None:
            return ""
        _refuse_name(syntax, f"{syntax.title} needs {naming.value} in parentheses", noun)
    if len(values) > 1 and naming is not Naming.SEVERAL:
        _refuse_name(syntax, f"{syntax.title} takes one name", values[1])
    name = values[0].text.rstrip(" ")
    try:
        for type in syntax.name_types:
            type.accept(name)
        if not name and naming is not Naming.TOPIC:
            raise InvalidValueError("empty", naming.value)
    except InvalidValueError as problem:
        value = values[0]
        sentence = (
            foreign_marks.foreign_quote(values)
            or f"{syntax.title} takes {problem.detail}, not {value.raw}"
        )
        raise CommandRefusedError(
            CommandRefusal("AMQ8424E", sentence, value.line, value.column),
        ) from None
    return name


def _refuse_name(syntax: CommandSyntax, sentence: str, place: Parameter | Value) -> NoReturn:
    raise CommandRefusedError(
        CommandRefusal("AMQ8405I", sentence, place.line, place.column, syntax),
    )


class _Parameters:
    """Reads the parameters of one command, and remembers them to notice duplicates."""

    def __init__(self, syntax: CommandSyntax, noun: Parameter) -> None:
        self.syntax = syntax
        self.noun = noun
        self.values: dict[str, Stored] = {}
        self.requested: list[str] = []
        self.rows: dict[str, tuple[Attribute, Parameter]] = {}
        self.last_line = noun.line

    def read(self, name: str, parameters: list[Parameter], text: str) -> Request:
        """The request for the object `name`; raises CommandRefusedError if a parameter is not
        valid.
        """
        syntax = self.syntax
        verb = self.syntax.verb
        rows = self.rows
        for parameter in parameters:
            if (
                parameter.values is None
                and parameter.keyword in syntax.listed
                and not self._is_flag(parameter)
            ):
                self._request(parameter)
            else:
                self._value(parameter)
            self.last_line = parameter.line
        subtype = self._subtype()
        if verb.conflicts:
            self._check_conflicts()
        if "WHERE" in rows:
            self._check_filter()
        if subtype and not verb.lists_attributes:
            self._check_subtype(subtype)
        if syntax.demanded:
            self._check_required(subtype)
        attributes: dict[str, Stored] = {}
        options: dict[str, Stored] = {}
        for word, value in self.values.items():
            (attributes if verb.takes_attributes and not rows[word][0].option else options)[
                word
            ] = value
        return Request(
            verb.keyword,
            syntax.noun,
            syntax.kinds,
            name,
            attributes,
            options,
            tuple(self.requested),
            text,
        )

    def _request(self, parameter: Parameter) -> None:
        keyword = self.syntax.listed[parameter.keyword]
        if keyword in self.requested:
            self._refuse("AMQ8411E", f"'{parameter.keyword}' is requested twice", parameter)
        self.requested.append(keyword)

    def _value(self, parameter: Parameter) -> None:
        word, values = parameter.keyword, parameter.values
        if word not in self.syntax.words:
            self._refuse_keyword(parameter)
        attribute, on = self.syntax.words[word]
        if attribute.keyword in self.rows:
            first = self.rows[attribute.keyword][1]
            position = f"line {first.line}, column {first.column}"
            self._refuse(
                "AMQ8411E",
                f"'{word}' repeats '{first.keyword}' from {position}",
                parameter,
            )
        self.rows[attribute.keyword] = (attribute, parameter)
        texts = None
        if values is not None:
            texts = []
            for value in values:
                texts.append(value.text)
                if not (value.quoted or _UNQUOTED.issuperset(value.text)):
                    self._check_unquoted(attribute, value)
        if isinstance(attribute.type, Anything) or (isinstance(attribute.type, WordList) and texts):
            self.values[attribute.keyword] = texts or []
            return
        try:
            self.values[attribute.keyword] = read_value(attribute, texts, on)
        except AttributeValueError as fault:
            self._refuse_value(fault, attribute, parameter)

    def _is_flag(self, parameter: Parameter) -> bool:
        """Whether the word is a flag of the command, which hides an attribute of the same name
        (CLUSTER).
        """
        row, _ = self.syntax.words.get(parameter.keyword, (None, True))
        return row is not None and isinstance(row.type, (Flag, Anything))

    def _refuse_keyword(self, parameter: Parameter) -> NoReturn:
        syntax = self.syntax
        word = parameter.keyword
        title = self.syntax.title
        self._check_foreign(parameter)
        if syntax.listed.get(word) == "TYPE":
            self._refuse(
                "AMQ8428E",
                f"{title} already implies the type; DISPLAY QUEUE takes TYPE",
                parameter,
            )
        if word in syntax.listed:
            self._refuse(
                "AMQ8405I",
                f"{title} takes '{word}' without a value; WHERE selects by value",
                parameter,
            )
        if any(word in kind.words or word in kind.key for kind in syntax.kinds):
            self._refuse(
                "AMQ8405I",
                f"'{word}' is not valid in {title}, only with other verbs",
                parameter,
            )
        candidates = [*syntax.words, *syntax.listed]
        self._refuse(
            "AMQ8405I",
            f"'{word}' is not a keyword of {title}{command_table.meant(word, candidates)}",
            parameter,
        )

    def _check_foreign(self, parameter: Parameter) -> None:
        """Refuse a word that cannot be a parameter: a comment, a misplaced mark, the next
        command.
        """
        sentence = foreign_marks.foreign_word(
            parameter, starts_line=parameter.line > self.last_line
        )
        if sentence:
            place = (parameter.line, parameter.column)
            is_last = parameter.raw not in foreign_marks.MISPLACED_MARKS
            raise CommandRefusedError(
                CommandRefusal("AMQ8405I", sentence, *place, self.syntax, is_last=is_last),
            )

    def _check_unquoted(self, attribute: Attribute, value: Value) -> None:
        """Refuse text that needs quotes. Words, numbers and names are checked by their types,
        quoted or not.
        """
        kind = attribute.type.of if isinstance(attribute.type, Items) else attribute.type
        if not isinstance(kind, (Text, Custom)):
            return
        text = (
            _INSERT.sub("", value.text) if isinstance(kind, Text) and kind.inserts else value.text
        )
        odd = next((char for char in text if char not in _UNQUOTED), "")
        if not odd:
            return
        reason = "its value" if attribute.secret else f"{value.raw} contains '{odd}' and"
        sentence = (
            foreign_marks.foreign_quote((value,))
            or f"{reason} must be in quotes: {attribute.keyword}('{value.raw}')"
        )
        self._refuse("AMQ8405I", sentence, value)

    def _refuse_value(
        self,
        fault: AttributeValueError,
        attribute: Attribute,
        parameter: Parameter,
    ) -> None:
        if isinstance(attribute.type, Flag):
            words = " or ".join(attribute.type.words)
            self._refuse(
                "AMQ8405I",
                f"{parameter.keyword} takes no value: write {words}",
                parameter,
            )
        values = parameter.values or ()
        place = values[fault.index] if fault.index < len(values) else parameter
        actual_value = (
            f", not {place.raw}" if isinstance(place, Value) and not attribute.secret else ""
        )
        sentence = (
            foreign_marks.foreign_quote(values)
            or f"{attribute.keyword} takes {fault.detail}{actual_value}"
        )
        self._refuse(VALUE_MESSAGES[fault.problem], sentence, place)

    def _check_filter(self) -> None:
        (row, parameter), words = self.rows["WHERE"], self.values["WHERE"]
        values = parameter.values or ()
        if isinstance(row.type, Anything) or not isinstance(words, list):
            return
        for value in values:
            # Text in other quotes would be compared with its quotes, and never be found.
            if sentence := foreign_marks.foreign_quote((value,)):
                self._refuse("AMQ8405I", sentence, value)
        try:
            read_filter(words, same_namespace(self.syntax.kinds[0]), self.syntax.noun, self.values)
        except FilterError as fault:
            self._refuse(
                "AMQ8569E",
                str(fault),
                values[fault.index] if fault.index < len(values) else parameter,
            )

    def _check_conflicts(self) -> None:
        """Refuse the later one of two parameters that exclude each other."""
        order = list(self.rows)
        for conflict in self.syntax.verb.conflicts:
            value = self.values.get(conflict.keyword)
            applies = (
                self.syntax.noun == conflict.noun
                and value is not None
                and conflict.value in ("", value)
            )
            both = [word for word in conflict.others if applies and word in self.rows]
            if both:
                later = max(conflict.keyword, both[0], key=order.index)
                first_option = (
                    f"{conflict.keyword}({conflict.value})" if conflict.value else conflict.keyword
                )
                self._refuse(
                    "AMQ8405I",
                    f"{first_option} cannot be combined with {both[0]}",
                    self.rows[later][1],
                )

    def _subtype(self) -> str:
        """CHLTYPE of a channel, for example; blank if the kind has no subtypes or none was
        given.
        """
        return str(self.values.get(self.syntax.kinds[0].selector, ""))

    def _check_subtype(self, subtype: str) -> None:
        for row, parameter in self.rows.values():
            if not row.takes(subtype):
                self._refuse("AMQ8405I", f"'{row.keyword}' is not valid for {subtype}", parameter)

    def _check_required(self, subtype: str) -> None:
        syntax = self.syntax
        for attribute in syntax.demanded:
            if "LIKE" in self.values and not attribute.leading:
                continue
            required = (
                attribute.required
                if self.values.get("ACTION") == "REMOVEALL"
                else attribute.is_required(subtype)
            )
            needed = required and (
                attribute.option or attribute.leading or syntax.verb.keyword != "ALTER"
            )
            if needed and attribute.keyword not in self.values:
                message_id = MISSING.get((syntax.noun, attribute.keyword), "AMQ8421E")
                self._refuse(
                    message_id,
                    f"{syntax.title} needs {attribute.keyword}: {attribute.type.wanted}",
                    self.noun,
                )

    def _refuse(self, message_id: str, sentence: str, place: Parameter | Value) -> NoReturn:
        where, subtype = (place.line, place.column), self._subtype()
        raise CommandRefusedError(
            CommandRefusal(message_id, sentence, *where, self.syntax, subtype=subtype),
        )
