"""From a command in PCF to the request that the same command of MQSC makes (PCF §4).

The parameters become words and values of a parsed command, each with its number as the column, so
that they are checked like those of MQSC and a refusal leads back to the parameter.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from mqsc.grammar.tree import Command, Parameter as Word, Value
from mqsc.language.refusal import REASONS, CommandRefusal
from mqsc.language.request import Naming, Request, same_namespace
from mqsc.language.where import FilterError, read_filter
from mqsc.pcf import refusals, vocabulary
from mqsc.pcf.meanings import EVERY_TYPE, GROUPS
from mqsc.pcf.readable import OPERATORS
from mqsc.store.catalog import QUEUES, AttributeValueError, read_value
from mqsc.store.catalog.pcf import (
    BYTE_STRING,
    INTEGER,
    INTEGER_LIST,
    STRING,
    PcfAttribute,
    PcfCommandRow,
    pcf_commands,
)
from mqsc.store.catalog.types import Flag, Items
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQAUTHOPT, MQBACF, MQCACF, MQIA, MQIACF, MQQT, MQRC, MQRCCF
from mqsc.store.headers.pcf import Filter, Parameter
from mqsc.store.rules.object_events import QUEUE_TYPES
from mqsc.verbs.analysis import analyse
from mqsc.verbs.row_sources import filter_of

_QUEUE_OF_TYPE = {number: noun for noun, number in QUEUE_TYPES.items()} | {
    int(MQQT.CLUSTER): "QCLUSTER",
}
_NAME_COLUMN = 0
# A flag that is off but has no word for that in MQSC: it is left out.
_NOTHING = "-"
# The reason for a message of MQSC about a parameter.
_REASONS = {each: REASONS[each] for each in ("AMQ8214E", "AMQ8413E", "AMQ8421E", "AMQ8424E")}
_ENTITIES: Mapping[int, str] = {1: "PRINCIPAL", 2: "GROUP"}
_OF_AUTHORITIES = frozenset((MQCACF.ENTITY_NAME, MQIACF.ENTITY_TYPE, MQIACF.AUTH_OPTIONS))
_MATCHES = (
    (MQAUTHOPT.ENTITY_SET, "MEMBERSHIP"),
    (MQAUTHOPT.NAME_EXPLICIT | MQAUTHOPT.NAME_AS_WILDCARD, "EXACT"),
)
# The parts of a connection identifier: EXTCONN, which its queue manager has, and CONN.
_EXTCONN, _CONN = 16, 8


def check_parameters(command: PcfCommandRow, parameters: Sequence[Parameter]) -> None:
    """The required parameters come first, in their order, and none is given twice;
    PcfRefusedError.
    """
    order = command.required
    loose = (command.verb, command.noun) == ("DELETE", "AUTHREC")
    seen: set[int] = set()
    for parameter in parameters:
        if isinstance(parameter.value, Filter):
            continue
        if parameter.number in seen:
            raise refusals.given_twice(parameter)
        seen.add(parameter.number)
    for index, allowed in enumerate(order):
        if index >= len(parameters):
            raise refusals.PcfRefusedError(MQRCCF.PARM_COUNT_TOO_SMALL)
        expected = [number for each in order for number in each] if loose else allowed
        if parameters[index].number not in expected or isinstance(parameters[index].value, Filter):
            raise refusals.unexpected(parameters[index])
    if sum(isinstance(parameter.value, Filter) for parameter in parameters) > 1:
        raise refusals.PcfRefusedError(MQRCCF.TOO_MANY_FILTERS)


def request_of(
    qmgr: QueueManager,
    number: int,
    parameters: Sequence[Parameter],
) -> tuple[PcfCommandRow, Request]:
    """The command that a number and its parameters mean, as a request; PcfRefusedError."""
    rows = [
        row
        for row in pcf_commands(number)
        if (row.verb, row.noun) not in vocabulary.WITHOUT_COMMAND
    ]
    if not rows:
        raise refusals.PcfRefusedError(MQRCCF.CFH_COMMAND_ERROR)
    check_parameters(rows[0], parameters)
    return _request(_chosen(qmgr, rows, parameters), parameters)


def _chosen(
    qmgr: QueueManager,
    rows: Sequence[PcfCommandRow],
    parameters: Sequence[Parameter],
) -> PcfCommandRow:
    """The command for the type of queue that the parameters give, or that the named queue has."""
    if len(rows) == 1:
        return rows[0]
    by_noun = {row.noun: row for row in rows}
    type_ = next((parameter for parameter in parameters if parameter.number == MQIA.Q_TYPE), None)
    if type_ is not None and not isinstance(type_.value, Filter):
        every = "QUEUE" if type_.value == EVERY_TYPE[MQIA.Q_TYPE] else ""
        noun = every or (
            _QUEUE_OF_TYPE.get(type_.value, "") if isinstance(type_.value, int) else ""
        )
        if noun not in by_noun:
            raise refusals.wrong_value(MQIA.Q_TYPE)
        return (
            by_noun[noun]
            if noun in ("QCLUSTER", "QUEUE") or "QUEUE" not in by_noun
            else by_noun["QUEUE"]
        )
    return by_noun.get("QUEUE") or by_noun[_type_of_queue(qmgr, parameters)]


def _type_of_queue(qmgr: QueueManager, parameters: Sequence[Parameter]) -> str:
    from mqsc.store.admin.inquiring import inquire

    name = parameters[0].value
    if not isinstance(name, str) or not name or name.endswith("*"):
        return "QLOCAL"
    row = next(iter(inquire(qmgr, QUEUES, name)), None)
    return "QLOCAL" if row is None else str(row["TYPE"])


def _request(
    command: PcfCommandRow,
    parameters: Sequence[Parameter],
) -> tuple[PcfCommandRow, Request]:
    known = vocabulary.vocabulary(command)
    reader = _Reader(known, parameters)
    words = [*reader.words()]
    request = analyse(Command((_word(command.verb), reader.noun(), *words), 1))
    if isinstance(request, CommandRefusal):
        raise _refused(known, request, parameters, words)
    if reader.where is not None:
        request = replace(request, options={**request.options, "WHERE": reader.where.words})
        try:
            filter_of(request)
        except FilterError:
            # Another parameter selects by the same attribute.
            raise refusals.unexpected(reader.where.parameter) from None
    return command, request


class _Where(NamedTuple):
    """A filter: its parameter and the words of WHERE."""

    parameter: Parameter
    words: list[str]


class _Reader:
    """Turns the parameters of one command into words; remembers the name and the filter."""

    def __init__(
        self,
        known: vocabulary.CommandVocabulary,
        parameters: Sequence[Parameter],
    ) -> None:
        self.known = known
        self.name: str | None = None
        self.where: _Where | None = None
        self._inquires = bool(known.selectable)
        self._parameters = parameters

    def noun(self) -> Word:
        """The noun with the name of the object."""
        syntax, name = self.known.syntax, self.name
        if syntax.naming is Naming.NONE or (syntax.naming is Naming.OPTIONAL and name is None):
            return _word(syntax.noun)
        generic = syntax.naming is Naming.GENERIC or (
            syntax.naming is Naming.OPTIONAL and self._inquires
        )
        return _word(syntax.noun, ["*" if generic and not name else name or ""])

    def words(self) -> Iterator[Word]:
        """The parameters in the order given, with LIKE at the end."""
        late = []
        has_selectors = False
        yield from self._entity()
        for parameter in self._parameters:
            has_selectors = has_selectors or parameter.number == self.known.command.selectors
            for word in self._words(parameter):
                if word.keyword == "LIKE":
                    late.append(word)
                else:
                    yield word
        yield from late
        if self.known.command.verb == "DISPLAY" and not has_selectors:
            yield _word("ALL")

    def _words(self, parameter: Parameter) -> Iterator[Word]:
        known = self.known
        number = parameter.number
        value = parameter.value
        if isinstance(value, Filter):
            self.where = _Where(parameter, self._filter(parameter, value))
        elif number == known.command.selectors and number:
            yield from self._selectors(parameter)
        elif number in (known.name, MQBACF.GENERIC_CONNECTION_ID) and known.name:
            yield from self._name(parameter)
        elif known.syntax.noun in vocabulary.OF_ENTITIES and number in _OF_AUTHORITIES:
            if number == MQIACF.AUTH_OPTIONS:
                yield from self._match(parameter)
        elif self._says_nothing(parameter):
            return
        elif number in known.parameters:
            word = self._parameter(parameter, known.parameters[number])
            if word.keyword != _NOTHING:
                yield word
        else:
            raise refusals.unexpected(parameter)

    def _says_nothing(self, parameter: Parameter) -> bool:
        """Whether a parameter means "all", or the type of queue that the command has already
        been chosen for.
        """
        number = parameter.number
        value = parameter.value
        kinds = self.known.syntax.kinds
        everything = {**EVERY_TYPE, MQCACF.AUTH_PROFILE_NAME: ""}
        if self._inquires and number in everything and value == everything[number]:
            return True
        chosen = len(kinds) == 1 or self.known.syntax.noun == "QCLUSTER"
        return number == MQIA.Q_TYPE and kinds[0] in QUEUES and chosen

    def _entity(self) -> Iterator[Word]:
        """The user or group whose authorities are asked for: its name, and which of the two it
        is.
        """
        if not (self._inquires and self.known.syntax.noun in vocabulary.OF_ENTITIES):
            return
        by_number = {parameter.number: parameter for parameter in self._parameters}
        name, type_ = by_number.get(MQCACF.ENTITY_NAME), by_number.get(MQIACF.ENTITY_TYPE)
        if name is None:
            return
        if type_ is None:
            raise refusals.PcfRefusedError(MQRCCF.ENTITY_TYPE_MISSING)
        word = _ENTITIES.get(type_.value) if isinstance(type_.value, int) else None
        if word is None:
            raise refusals.wrong_value(type_.number)
        if not isinstance(name.value, str):
            raise refusals.unexpected(name)
        yield _word(word, [name.value], name.number)

    def _match(self, parameter: Parameter) -> Iterator[Word]:
        """MATCH: bits say how the profile and the entity are compared."""
        if not isinstance(parameter.value, int):
            raise refusals.unexpected(parameter)
        if "MATCH" in self.known.syntax.words:
            matching = next((word for bits, word in _MATCHES if parameter.value & bits), "PROFILE")
            yield _word("MATCH", [matching], parameter.number)

    def _name(self, parameter: Parameter) -> Iterator[Word]:
        value = parameter.value
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if self.known.name == MQBACF.CONNECTION_ID:
            if not isinstance(value, bytes):
                raise refusals.unexpected(parameter)
            extended, self.name = _connection(value, parameter)
            if extended:
                yield _word("EXTCONN", [extended], parameter.number)
            return
        if not isinstance(value, str):
            raise refusals.unexpected(parameter)
        self.name = value

    def _parameter(
        self,
        parameter: Parameter,
        meanings: Sequence[vocabulary.KeywordMeaning],
    ) -> Word:
        value = parameter.value
        if (
            isinstance(value, list)
            and len(value) == 1
            and not isinstance(meanings[0].attribute.type, Items)
        ):
            value = value[0]
        meaning = next(
            (meaning for meaning in meanings if _word_for(meaning.pcf_attribute, value)),
            meanings[0],
        )
        return _valued(meaning, parameter, value)

    def _selectors(self, parameter: Parameter) -> Iterator[Word]:
        """The attributes that an inquiry asks for."""
        known, number = self.known, parameter.number
        selectors = parameter.value if isinstance(parameter.value, list) else [parameter.value]
        everything, requested = False, [*known.syntax.kinds[0].key][:1]
        seen: set[int] = set()
        for selector in selectors:
            if not isinstance(selector, int):
                raise refusals.unexpected(parameter)
            if selector in seen:
                raise refusals.wrong_selector(MQRCCF.CFIL_DUPLICATE_VALUE, selector)
            seen.add(selector)
            everything = everything or selector == MQIACF.ALL
            if selector in GROUPS and known.syntax.noun == "QMGR":
                yield _word(GROUPS[selector], column=number)
                continue
            words = known.selectable.get(selector)
            implied = selector in (known.name, *known.command.returned, MQIACF.ALL)
            if words is None and not implied:
                raise refusals.wrong_selector(MQRC.SELECTOR_ERROR, selector)
            requested += words or ()
        if everything:
            yield _word("ALL")
        else:
            for word in dict.fromkeys(requested):
                if word in known.syntax.listed and word not in known.syntax.words:
                    yield _word(word, column=number)

    def _filter(self, parameter: Parameter, filter: Filter) -> list[str]:
        """The words of WHERE."""
        known = self.known
        if "WHERE" not in known.syntax.words:
            raise refusals.unexpected(parameter)
        pcf_attribute, keyword = self._filtered(parameter)
        if filter.operator not in OPERATORS:
            raise refusals.wrong_operator(parameter)
        value = filter.value
        if isinstance(value, bytes):
            # The identifier of a connection ends in CONN, which is the name.
            text = value.hex().upper()[-2 * _CONN :] if keyword == "CONN" else value.hex().upper()
        elif isinstance(value, int):
            text = _word_for(pcf_attribute, value) or str(value)
        else:
            text = value
        words = [keyword, OPERATORS[filter.operator][0], text]
        try:
            read_filter(words, same_namespace(known.syntax.kinds[0]), known.syntax.noun)
        except FilterError as fault:
            if fault.index == 1:
                raise refusals.wrong_operator(parameter) from None
            raise (
                refusals.wrong_value(parameter.number)
                if fault.index
                else refusals.unexpected(parameter)
            ) from None
        return words

    def _filtered(self, parameter: Parameter) -> tuple[PcfAttribute, str]:
        known, number = self.known, parameter.number
        kinds = QUEUES if known.syntax.kinds[0] in QUEUES else known.syntax.kinds
        rows = vocabulary.rows_to_ask_for(known.syntax)
        if number == known.name:
            key = known.syntax.kinds[0].key
            return PcfAttribute(number, "", 0, {}), next(
                (word for word in key if word not in rows),
                key[0],
            )
        if number == MQIA.Q_TYPE and kinds is QUEUES:
            return PcfAttribute(number, INTEGER, 0, QUEUE_TYPES), "TYPE"
        for word in known.selectable.get(number, ()):
            return rows[word], word
        raise refusals.unexpected(parameter)


def _valued(meaning: vocabulary.KeywordMeaning, parameter: Parameter, value: object) -> Word:
    """A keyword with its value, or the word of a flag alone."""
    pcf_attribute = meaning.pcf_attribute
    attribute = meaning.attribute
    number = parameter.number
    if isinstance(attribute.type, Flag):
        return _flag(attribute.type, pcf_attribute, parameter, value)
    if isinstance(value, bytes) and pcf_attribute.type == BYTE_STRING:
        return _word(meaning.keyword, [value.hex().upper()], number)
    values = value if isinstance(value, list) else [value]
    expected = int if pcf_attribute.type in (INTEGER, INTEGER_LIST) else str
    if pcf_attribute.type == BYTE_STRING or not all(
        isinstance(value, expected) for value in values
    ):
        raise refusals.unexpected(parameter)
    texts = [
        _word_for(pcf_attribute, value, attribute.type.words) or str(value) for value in values
    ]
    if pcf_attribute.type == STRING and isinstance(attribute.type, Items) and texts:
        texts = texts[0].split(",")
    return _word(meaning.keyword, texts, number)


def _flag(type_: Flag, pcf_attribute: PcfAttribute, parameter: Parameter, value: object) -> Word:
    """The word of a flag."""
    if not isinstance(value, int):
        raise refusals.unexpected(parameter)
    if pcf_attribute.words:
        word = _word_for(pcf_attribute, value)
    else:
        word = type_.on if value else _NOTHING
    if not word:
        raise refusals.wrong_value(parameter.number)
    return _word(word, column=parameter.number)


def _word_for(pcf_attribute: PcfAttribute, value: object, words: Sequence[str] = ()) -> str:
    """The word with that number, one of `words` if there is one, or blank."""
    if not isinstance(value, int):
        return ""
    fitting = [word for word, number in pcf_attribute.words.items() if number == value]
    return next((word for word in fitting if word in words), fitting[0] if fitting else "")


def _connection(identifier: bytes, parameter: Parameter) -> tuple[str, str]:
    """(EXTCONN, CONN) of the identifier of a connection, generic ones with an asterisk."""
    generic = parameter.number == MQBACF.GENERIC_CONNECTION_ID
    whole = _EXTCONN + _CONN
    if len(identifier) > whole or (len(identifier) < whole and not generic):
        raise refusals.wrong_parameter(MQRCCF.CONNECTION_ID_ERROR, parameter.number)
    if not identifier or identifier == bytes(whole):
        return "", "*"
    extended, own = identifier[:_EXTCONN].hex().upper(), identifier[_EXTCONN:].hex().upper()
    if len(identifier) < _EXTCONN:
        extended += "*"
    return extended, own if len(identifier) == whole else f"{own}*"


def _word(keyword: str, texts: Sequence[str] | None = None, column: int = _NAME_COLUMN) -> Word:
    values = None if texts is None else tuple(Value(text, text, True, 1, column) for text in texts)
    return Word(keyword, keyword, values, 1, column)


def _refused(
    known: vocabulary.CommandVocabulary,
    refusal: CommandRefusal,
    parameters: Sequence[Parameter],
    words: Sequence[Word],
) -> refusals.PcfRefusedError:
    """The reason for a refusal of MQSC, with the parameter that it is about."""
    number = refusal.column
    if number == _NAME_COLUMN:
        return _refused_name(known, refusal)
    parameter = next(parameter for parameter in parameters if parameter.number == number)
    meaning = _meaning(known, number, words)
    if refusal.message_id in _REASONS:
        return refusals.wrong_parameter(_REASONS[refusal.message_id], number)
    if meaning is None:
        return refusals.wrong_value(number)
    selector = known.syntax.kinds[0].selector
    subtype = next(
        (word.values[0].text for word in words if word.keyword == selector and word.values),
        "",
    )
    if subtype and not meaning.attribute.takes(subtype):
        return refusals.unexpected(parameter)
    return (
        refusals.wrong_value(number)
        if _has_wrong_value(meaning, words)
        else refusals.PcfRefusedError(MQRCCF.PARM_CONFLICT)
    )


def _refused_name(
    known: vocabulary.CommandVocabulary,
    refusal: CommandRefusal,
) -> refusals.PcfRefusedError:
    if refusal.message_id in ("AMQ8421E", "AMQ8214E"):
        return refusals.PcfRefusedError(_REASONS[refusal.message_id])
    if refusal.message_id != "AMQ8424E" and known.syntax.naming is Naming.NONE:
        return refusals.PcfRefusedError(MQRCCF.PARM_SYNTAX_ERROR)
    channel = known.syntax.noun in ("CHANNEL", "CHSTATUS")
    return refusals.PcfRefusedError(
        MQRCCF.CHANNEL_NAME_ERROR if channel else MQRCCF.OBJECT_NAME_ERROR,
    )


def _meaning(
    known: vocabulary.CommandVocabulary,
    number: int,
    words: Sequence[Word],
) -> vocabulary.KeywordMeaning | None:
    keywords = {word.keyword for word in words if word.column == number}
    meanings = known.parameters.get(number, ())
    return next(
        (meaning for meaning in meanings if meaning.keyword in keywords),
        meanings[0] if meanings else None,
    )


def _has_wrong_value(meaning: vocabulary.KeywordMeaning, words: Sequence[Word]) -> bool:
    word = next((word for word in words if word.column == meaning.pcf_attribute.number), None)
    if word is None or word.values is None:
        return False
    try:
        read_value(meaning.attribute, [value.text for value in word.values])
    except AttributeValueError:
        return True
    return False
