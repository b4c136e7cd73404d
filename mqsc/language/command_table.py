"""The commands of MQSC: verbs, nouns, keywords, the notation of their syntax, and how far they are
supported.

The table distinguishes a command that is not supported here from one that does not exist. `support`
has a row for each command that is refused, or not performed as in MQ.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from msgspec import Struct

from mqsc.language.reply import SUCCESS_MESSAGES, Answer, done, message_text
from mqsc.language.request import CommandSyntax, Naming, Request
from mqsc.language.support import ACCEPTED, REFUSED, Effect, UnsupportedCommand
from mqsc.language.where import OrAsterisk
from mqsc.store.catalog import KINDS, QUEUES, Attribute, Kind, attribute, kinds_of, nearest
from mqsc.store.catalog.spelling import did_you_mean
from mqsc.store.catalog.types import Flag, Items, Name, Number, Text, Type, Word
from mqsc.store.table import table

# Objects and attributes that are accepted although nothing acts on them.
#
# The rows are in inert.csv: kinds of object, their types or keywords if only these are without
# effect, and the reason. Run, check, explain and docs/commands.md read this list. When something
# comes to have an effect, remove it here; a test compares the list with the attributes that the
# product reads.

_QUEUES = frozenset({"QALIAS", "QLOCAL", "QMODEL", "QREMOTE"})


class InertAttributes(Struct, frozen=True):
    """Attributes of some kinds of object that are kept and displayed only; `sentence` says why."""

    kinds: tuple[str, ...]
    keywords: frozenset[str]
    sentence: str


_ROWS = table(
    __file__,
    "inert.csv",
    ("kinds", "types", "keywords", "sentence"),
    lists={
        "kinds": KINDS,
        "keywords": frozenset().union(*(kind.attributes for kind in KINDS.values())),
    },
)
# Kinds of object that are only kept and displayed, and why.
INERT_OBJECTS: Mapping[str, str] = {
    row["kinds"]: row["sentence"] for row in _ROWS if not (row["types"] or row["keywords"])
}
# The same for types of an object that otherwise works, by its kind and the type.
_INERT_TYPES = {
    (row["kinds"], type): row["sentence"] for row in _ROWS for type in row["types"].split()
}
# The names of these kinds in sentences.
_NAMED = {"CHANNEL": "a channel"}
INERT_ATTRIBUTES = tuple(
    InertAttributes(
        tuple(row["kinds"].split()),
        frozenset(row["keywords"].split()),
        row["sentence"],
    )
    for row in _ROWS
    if row["keywords"]
)

SETTING = frozenset({"DEFINE", "ALTER", "SET"})
# Kinds of object that work. Only their attributes are listed one by one.
WORKING = (
    *sorted(_QUEUES),
    "QMGR",
    "PROCESS",
    "NAMELIST",
    "CFSTRUCT",
    "CHANNEL",
    "AUTHINFO",
    "AUTHREC",
    "CHLAUTH",
)

# Attributes of queues without effect on shared queues, and why.
INERT_ON_SHARED_QUEUES: Mapping[str, str] = {
    "QSVCIEV": "shared queues cause no service interval events, as in MQ",
    "NPMCLASS": "shared queues keep nonpersistent messages when queue managers end, as in MQ",
}


def inert_because(kind: Kind, attribute: Attribute) -> str:
    """Why nothing acts on an attribute of an object that works; blank if something does."""
    return _inert_attributes(kind.keyword).get(attribute.keyword, "")


@cache
def _inert_attributes(kind: str) -> Mapping[str, str]:
    """The sentence for each attribute of a kind that has one."""
    return {
        keyword: each.sentence
        for each in INERT_ATTRIBUTES
        if kind in each.kinds
        for keyword in each.keywords
    }


def remarks(request: Request) -> Iterator[tuple[str, str]]:
    """The settings of a command that nothing acts on: (keyword, sentence); the keyword is blank for
    the object itself.

    There is one remark for each reason. Values that are the defaults are not remarked on.
    """
    if request.verb not in SETTING:
        return
    if request.noun in INERT_OBJECTS:
        yield "", f"Nothing acts on {request.noun} here: {INERT_OBJECTS[request.noun]}."
    elif request.noun in WORKING:
        kind, said = request.kind, set[str]()
        subtype = str(request.attributes.get(kind.selector, ""))
        why = _INERT_TYPES.get((request.noun, subtype))
        if why is not None:
            yield (
                "",
                f"Nothing acts on {_NAMED.get(request.noun, request.noun)} of type {subtype} here: "
                f"{why}.",
            )
            return
        inert = _inert_attributes(kind.keyword)
        if request.options.get("QSGDISP") == "SHARED":
            inert = {**INERT_ON_SHARED_QUEUES, **inert}
        for keyword, value in request.attributes.items():
            sentence = inert.get(keyword, "")
            if (
                sentence
                and sentence not in said
                and value not in ("", [], kind.attributes[keyword].default_value())
            ):
                said.add(sentence)
                yield keyword, f"{keyword} has no effect: {sentence}."


UNSUPPORTED: Mapping[tuple[str, str], UnsupportedCommand] = {
    (command.verb, command.noun): command for command in REFUSED
}


def unsupported_here(request: Request) -> str:
    """Why a command is skipped when the user wants to skip what is not supported here; blank if
    it is supported.
    """
    row = UNSUPPORTED.get((request.verb, request.noun))
    return "" if row is None else f"not supported here: {row.sentence}"


# Verbs, nouns and keywords.

_VERBS = table(
    __file__,
    "verbs.csv",
    ("verb", "synonyms", "listed", "nouns"),
    {"listed": ("", "yes")},
)
COMMANDS: Mapping[str, frozenset[str]] = {
    row["verb"]: frozenset(row["nouns"].split()) for row in _VERBS
}
# END is not an MQSC command: it ends the input and is not counted.
ENDINGS = frozenset({"END", "EXIT", "QUIT"})

# The verbs that AMQ8426I lists.
LISTED_VERBS = tuple(sorted([*(row["verb"] for row in _VERBS if row["listed"]), "END"]))
# DELETE has no synonym in MQSC.
VERB_SYNONYMS: Mapping[str, str] = {
    word: row["verb"] for row in _VERBS for word in row["synonyms"].split()
}


# Commands that do not accept a short form of their verb.
WITHOUT_SYNONYM = frozenset({("REF", "QMGR"), ("REBUILD", "QMGR"), ("REBUILD", "CLUSTER")})

NOUN_SYNONYMS: Mapping[str, str] = {
    row["word"]: row["noun"] for row in table(__file__, "noun_synonyms.csv", ("word", "noun"))
}


def verb_of(word: str) -> str | None:
    """The verb that `word` names, in full or as a synonym."""
    verb = VERB_SYNONYMS.get(word, word)
    return verb if verb in COMMANDS else None


def noun_of(verb: str, word: str) -> str | None:
    """The object that `word` names, in full or as a synonym; None if `verb` does not take it."""
    noun = NOUN_SYNONYMS.get(word, word)
    return noun if noun in COMMANDS[verb] else None


def types_of(word: str, verb: str) -> str:
    """The end of a sentence about QUEUE, which only DISPLAY accepts: the types of queue that
    `verb` accepts.
    """
    types = sorted(COMMANDS[verb] & _QUEUES) if NOUN_SYNONYMS.get(word, word) == "QUEUE" else []
    return f"; name the type of queue: {', '.join(types)}" if types else ""


def meant(word: str, candidates: Iterable[str]) -> str:
    """The end of a sentence: `; did you mean MAXDEPTH?`, or nothing if no candidate is close."""
    close = nearest(word, candidates)
    return f"; {did_you_mean([close])}" if close else ""


# The nouns of commands, and the kinds of object that each covers.

# The type of the name, for nouns without a kind in the catalog. A noun that is not listed has an
# ordinary name.
_CLASSES = (
    "MQADMIN",
    "MQNLIST",
    "MQPROC",
    "MQQUEUE",
    "MXADMIN",
    "MXNLIST",
    "MXPROC",
    "MXQUEUE",
    "MXTOPIC",
)
_NAME_TYPES: Mapping[str, Type] = {
    "CLUSTER": OrAsterisk(Name(48)),
    "SECURITY": Word(("*", *_CLASSES)),
    "QSTATS": Name(48),
    "TOPICSTR": Text(10_240, varying=True),
}
_COVERED: Mapping[str, tuple[Kind, ...]] = {"QCLUSTER": QUEUES, "TCLUSTER": kinds_of("TOPIC")}


@cache
def kinds_for(noun: str) -> tuple[Kind, ...]:
    """The kinds that a command with this noun covers; a kind without attributes if the catalog
    has none.
    """
    found = _COVERED.get(noun) or kinds_of(noun)
    if found:
        return found
    from mqsc.store.catalog.status import STATUS_KINDS

    if noun in STATUS_KINDS:
        return (STATUS_KINDS[noun],)
    return (attribute.make_kind(noun, _NAME_TYPES.get(noun, Name(48))),)


class NounKinds(Mapping[str, tuple[Kind, ...]]):
    """The nouns of a verb with their kinds. A kind is looked up when it is needed, because a run
    needs few of them.
    """

    def __init__(self, nouns: Iterable[str]) -> None:
        self._nouns = tuple(sorted(nouns))

    def __getitem__(self, noun: str) -> tuple[Kind, ...]:
        if noun not in self._nouns:
            raise KeyError(noun)
        return kinds_for(noun)

    def __iter__(self) -> Iterator[str]:
        return iter(self._nouns)

    def __len__(self) -> int:
        return len(self._nouns)


def objects_of(verb: str) -> NounKinds:
    """The nouns that a verb takes in MQSC, without those that are not supported here."""
    return NounKinds(noun for noun in COMMANDS[verb] if (verb, noun) not in UNSUPPORTED)


# The syntax of a command in the notation of runmqsc.

INDENT = "   "
COLUMN = 40
_BETWEEN_COLUMNS = re.compile(r"  +(?=\[)")
_NAMES = {
    Naming.EXACT: "( {}_name )",
    Naming.GENERIC: "( generic_{}_name )",
    Naming.OPTIONAL: " [ ( {}_name ) ]",
    Naming.SEVERAL: "( {}_name, ... )",
    Naming.TOPIC: "( topic_string )",
}


def syntax_lines(syntax: CommandSyntax, subtype: str = "") -> list[str]:
    """The command and its parameters, two to a line if they fit, with optional ones in brackets.

    With a subtype (CHLTYPE of a channel) only the parameters that it takes.
    """
    attributes = {
        id(each): each for each, _ in syntax.words.values() if each.takes(subtype)
    }.values()
    selector = syntax.kinds[0].selector
    defines = syntax.verb.keyword != "ALTER"
    needed = [
        each
        for each in attributes
        if each.is_required(subtype) and (each.option or each.leading or defines)
    ]
    first = [
        f"{each.keyword}( {subtype} )" if subtype and each.keyword == selector else notation(each)
        for each in needed
    ]
    rest = [
        f"[ {notation(each)} ]"
        for each in sorted(attributes, key=lambda each: each.keyword)
        if each not in needed
    ]
    listed = [f"[ {word} ]" for word in sorted(syntax.listed)]
    command = f"  {syntax.title}{name_notation(syntax)}"
    return [command, *(f"{INDENT}{each}" for each in first), *_two_columns([*rest, *listed])]


def fitted(lines: Sequence[str], width: int) -> Iterator[str]:
    """The lines of a syntax; its two columns below each other if they are too wide."""
    if max(map(len, lines)) <= width:
        yield from lines
        return
    for line in lines:
        for part in _BETWEEN_COLUMNS.split(line.strip()):
            yield from textwrap.wrap(part, width, initial_indent="  ", subsequent_indent="      ")


def name_notation(syntax: CommandSyntax) -> str:
    """What follows the object in parentheses."""
    naming = syntax.verb.naming_of(syntax.noun)
    namespace = syntax.kinds[0].namespace
    return (
        ""
        if naming is Naming.NONE
        else _NAMES[naming].format("q" if namespace == "queue" else namespace)
    )


def notation(attribute: Attribute) -> str:
    """One parameter: KEYWORD( a | b ), KEYWORD( integer ), FLAG | NOFLAG."""
    if isinstance(attribute.type, Flag):
        return " | ".join(attribute.type.words)
    return f"{attribute.keyword}( {_values(attribute.type)} )"


def _values(kind: Type) -> str:
    if isinstance(kind, Items):
        return _values(kind.of) if isinstance(kind.of, Word) else f"{_values(kind.of)}, ..."
    if isinstance(kind, Number):
        return " | ".join((*kind.named, "integer"))
    if isinstance(kind, Word):
        return " | ".join(kind.values)
    return "string"


def _two_columns(texts: list[str]) -> Iterator[str]:
    pending = ""
    for text in texts:
        if pending and len(text) < COLUMN:
            yield f"{INDENT}{pending:<{COLUMN}}{text}"
            pending = ""
            continue
        if pending:
            yield f"{INDENT}{pending}"
        pending = text if len(text) < COLUMN else ""
        if not pending:
            yield f"{INDENT}{text}"
    if pending:
        yield f"{INDENT}{pending}"


# How far each MQSC command is supported: one row per command, shown after its reply and in
# docs/commands.md.


class CommandSupport(Struct, frozen=True):
    """How far one command is supported. `sentence` explains it; it follows the reply if the
    command has no effect.
    """

    verb: str
    noun: str
    effect: Effect
    message_id: str
    sentence: str = ""


_DEFINING = ("DEFINE", "ALTER", "DELETE")
_SUPPORT: Mapping[tuple[str, str], tuple[Effect, str]] = {
    **{
        (verb, noun): (Effect.RECORDED, why)
        for noun, why in INERT_OBJECTS.items()
        for verb in _DEFINING
    },
    **{(command.verb, command.noun): (Effect.REFUSED, command.sentence) for command in REFUSED},
    **ACCEPTED,
}
REFUSAL = "MQSC0003E"
ONLY_DISPLAYED = "MQSC0054E"
THE_PAST = "the past"


def support_of(verb: str, noun: str) -> CommandSupport:
    """The row of a command in the table of docs/commands.md."""
    effect, sentence = _SUPPORT.get((verb, noun), (Effect.DONE, ""))
    return CommandSupport(verb, noun, effect, _message_id(verb, noun, effect), sentence)


def _message_id(verb: str, noun: str, effect: Effect) -> str:
    if effect is Effect.REFUSED:
        return REFUSAL
    kind = kinds_for(noun)[0]
    return kind.heading_id if verb == "DISPLAY" else SUCCESS_MESSAGES[verb, kind.namespace]


def answer_with_reason(verb: str, noun: str) -> Answer:
    """The answer to a command, with the sentence that explains why it has no effect or is
    refused.
    """
    support = support_of(verb, noun)
    if support.effect is Effect.REFUSED:
        return refused_here(f"{verb} {noun}", support.sentence)
    if support.message_id == "MQSC0004I":
        return Answer(
            support.message_id,
            f"{message_text(support.message_id, f'{verb} {noun}')}\n{support.sentence}",
        )
    return done(verb, kinds_for(noun)[0].namespace, support.sentence)


def refused_in_past(request: Request, shown: str = THE_PAST) -> Answer:
    """The refusal of a command that is not DISPLAY, because the past is shown."""
    text = message_text(ONLY_DISPLAYED, f"{request.verb} {request.noun}", detail=shown)
    return Answer(ONLY_DISPLAYED, text, 2)


def refused_here(command: str, sentence: str) -> Answer:
    """The refusal of a command, or of one form of it, with the reason."""
    reason = f"{sentence[0].upper()}{sentence[1:].removesuffix('.')}."
    return Answer(REFUSAL, f"{message_text(REFUSAL, command)}\n{reason}", 2)
