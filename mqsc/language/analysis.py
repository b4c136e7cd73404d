"""From a parsed command to a request: the verb, object and name are looked up here, parameters in `parameters`."""

from __future__ import annotations

from grammar.tree import Command, Parameter, Value
from mqsc.language.command_table import COMMANDS, LISTED_VERBS, WITHOUT_SYNONYM, meant, noun_of, verb_of
from mqsc.language.generic_names import GenericName
from mqsc.language.parameters import Arguments
from mqsc.language.refusal import CommandRefusedError, Refusal
from mqsc.language.request import Form, Naming, Request
from mqsc.language.syntax import form_of
from store.catalog import Kind
from store.catalog.channels import NAME_PLACEHOLDER
from store.catalog.types import InvalidValueError as Unacceptable
from store.catalog.types import Type


def understand(command: Command) -> Request | Refusal:
    """The request that a command makes, or the first reason to refuse it."""
    try:
        return _request(command)
    except CommandRefusedError as refused:
        return refused.refusal


def _request(command: Command) -> Request:
    verb = _verb(command.parameters[0])
    if len(command.parameters) == 1:
        where = command.parameters[0]
        words = tuple(f"{verb} {noun}" for noun in sorted(COMMANDS[verb]))
        raise CommandRefusedError(Refusal("AMQ8426I", f"{verb} of what?", where.line, where.column, words=words))
    noun = _noun(verb, command.parameters[0], command.parameters[1])
    form = form_of(verb, noun)
    name = _name(form, command.parameters[1])
    request = Arguments(form).read(name, command.parameters[2:], command.parameters[1])
    if NAME_PLACEHOLDER in name and request.given.get("CHLTYPE", "CLUSSDR") != "CLUSSDR":
        (value,) = command.parameters[1].values or ()
        sentence = f"only the name of a cluster-sender may hold {NAME_PLACEHOLDER}"
        raise CommandRefusedError(Refusal("AMQ8424E", sentence, value.line, value.column))
    return request


def _verb(word: Parameter) -> str:
    verb = verb_of(word.keyword)
    if verb is None or word.values is not None:
        found = f"'{word.raw}' is not a verb of MQSC" if verb is None else f"{verb} is followed by the kind of object"
        sentence = found + (meant(word.keyword, LISTED_VERBS) if verb is None else "")
        raise CommandRefusedError(Refusal("AMQ8426I", sentence, word.line, word.column, words=LISTED_VERBS))
    return verb


def _noun(verb: str, said: Parameter, word: Parameter) -> str:
    noun = noun_of(verb, word.keyword)
    if noun is None:
        sentence = f"{verb} takes no object '{word.keyword}'{meant(word.keyword, COMMANDS[verb])}"
        raise CommandRefusedError(Refusal("AMQ8405I", sentence, word.line, word.column))
    if (said.keyword, noun) in WITHOUT_SYNONYM:
        sentence = f"{verb} {noun} has no short form '{said.keyword}'"
        raise CommandRefusedError(Refusal("AMQ8405I", sentence, word.line, word.column, form_of(verb, noun)))
    return noun


def _name(form: Form, noun: Parameter) -> str:
    naming = form.verb.naming_of(form.noun)
    if naming is Naming.NONE:
        if noun.values is not None:
            raise CommandRefusedError(
                Refusal("AMQ8405I", f"{form.title} has no name after it", noun.line, noun.column, form)
            )
        return ""
    if naming is Naming.OPTIONAL and noun.values is None:
        return ""
    if not noun.values:
        sentence = f"{form.title} needs {naming.value} in parentheses"
        raise CommandRefusedError(Refusal("AMQ8405I", sentence, noun.line, noun.column, form))
    if len(noun.values) > 1 and naming is not Naming.SEVERAL:
        extra = noun.values[1]
        raise CommandRefusedError(Refusal("AMQ8405I", f"{form.title} takes one name", extra.line, extra.column, form))
    return _checked_name(form, noun.values[0], naming)


def _checked_name(form: Form, value: Value, naming: Naming) -> str:
    name = value.text.rstrip(" ")
    try:
        for kind in form.kinds:
            _name_type(form, kind, naming).accept(name)
        if not name and naming is not Naming.TOPIC:
            raise Unacceptable("empty", naming.value)
    except Unacceptable as problem:
        sentence = f"{form.title} takes {problem.detail}, not {value.raw}"
        raise CommandRefusedError(Refusal("AMQ8424E", sentence, value.line, value.column)) from None
    return name


def _name_type(form: Form, kind: Kind, naming: Naming) -> Type:
    generic = naming is Naming.GENERIC or (naming is Naming.OPTIONAL and form.verb.lists_attributes)
    return GenericName(kind.name_type) if generic else kind.name_type
