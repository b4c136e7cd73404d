"""Names of objects and users in arguments: suggestions for wrong ones, and completion in the user's
shell. What is similar to a wrong name is decided in mqsc.store.catalog.spelling.

One rule for all commands, in the shell too: a name means the queue or channel with exactly this
name; if there is none, the one with this name in upper case. Names of queue managers are taken as
they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.shell_completion import CompletionItem, FishComplete, add_completion_class

from mqsc.console.choices import Choices, choices_of

if TYPE_CHECKING:
    from mqsc.language.request import Request
    from mqsc.store.engine.state import StoreState

# The keys in the `meta` of contexts of the names that were given, and of the innermost context,
# which has the common options of the whole command line.
NAMES_GIVEN = "mqsc.names"
INNERMOST = "mqsc.innermost"
# The key in the `meta` of contexts of the names that the command has met outside the store of
# today: in FILEs, or in the past. It is missing until the command has looked there.
NAMES_ELSEWHERE = "mqsc.names.elsewhere"
# The key in the `meta` of contexts that says whether the command prints IBM's texts alone.
IBM_TEXTS = "mqsc.ibm.texts"
# Of more queue managers an error does not list the names.
_MOST_LISTED = 5
QMGR = "qmgr"
USER = "user"
GROUP = "group"
# Where a queue manager that messages go to is looked up: those of the store, and the transmission
# queues and aliases that lead to others.
DESTINATION = "destination"
# Objects of all types.
ANY = "object"
# The parameters of commands that say where to look for objects beside the store of today.
_ELSEWHERE = ("files", "inputs", "earlier")
# The namespaces whose names are taken as they are.
_EXACT = frozenset((QMGR, USER, GROUP, DESTINATION))
_NOUNS = {QMGR: "queue manager", DESTINATION: "queue manager", "topic": "topic object"}


class Quoted(str):
    """A word that was in quotes in the shell: a name that means itself only."""

    __slots__ = ()


class GivenName(NamedTuple):
    """A name, the namespace in which it is looked up, and the context of its command."""

    text: str
    namespace: str
    context: click.Context
    # Whether it only selects: the command succeeds without a result when nothing has this name.
    is_filter: bool = False

    def known(self) -> list[str]:
        """The names in this namespace; none if the store cannot be read."""
        # --store may be given after the name.
        choices = choices_of(self.context.meta.get(INNERMOST, self.context))
        match self.namespace:
            case "qmgr":
                return queue_managers(choices)
            case "user":
                return users(choices)
            case "group":
                return groups(choices)
            case "object":
                return [*objects(choices), *self.context.meta.get(NAMES_ELSEWHERE, ())]
            case "destination":
                return [*queue_managers(choices), *defined_names(choices, "queue")]
        return defined_names(choices, self.namespace)

    def question(self) -> str:
        """The sentence that nothing has this name, and what was probably meant; blank if something
        has it, or no name is similar.
        """
        from mqsc.store.catalog.spelling import did_you_mean

        if any(map(self.selects, self.known())):
            return ""
        near = self.meant()
        if near:
            return f"there is no {self.noun} {self.text}; {did_you_mean([near])}"
        listed = _those_of_the_store(self) if self.namespace == QMGR else ""
        return f"there is no {self.noun} {self.text}.{listed}" if listed else ""

    def meant(self) -> str:
        """The name that was probably meant; blank if nothing has a similar one, or this one."""
        from mqsc.store.catalog.spelling import corrections, similar

        known = self.known()
        if self.text in known:
            return ""
        # A user of the operating system has no account here, and is no typing error.
        if self.namespace in (USER, GROUP):
            return next(iter(corrections(self.text, known)), "")
        return similar(self.text.strip("*"), known)

    def selects(self, name: str) -> bool:
        """Whether it is this name, or a pattern that matches it."""
        from mqsc.store.rules.names import matches

        if self.namespace == ANY:
            return pattern_of([self.text]).fullmatch(name) is not None
        return matches(self.text, name)

    @property
    def noun(self) -> str:
        """What the name is a name of, in words."""
        return _NOUNS.get(self.namespace, self.namespace)

    def as_defined(self) -> str:
        """The name in upper case if only that exists, otherwise as it is."""
        from mqsc.store.rules.names import matches

        upper = self.text.upper()
        if upper == self.text:
            return upper
        known = self.known()
        exists, exists_in_upper_case = (
            any(matches(each, name) for name in known) for each in (self.text, upper)
        )
        return upper if exists_in_upper_case and not exists else self.text


class ObjectName(click.ParamType):  # type: ignore[type-arg]
    """The name of an existing queue, or of an object in another namespace; generic names too.

    The user's shell completes it from the store; SYSTEM objects only once their name is begun.
    """

    name = "name"

    def __init__(
        self,
        namespace: str = "queue",
        *,
        is_filter: bool = False,
        is_exact: bool = False,
    ) -> None:
        self.namespace = namespace
        self._is_filter = is_filter
        # Whether the name is taken as it is, though it may be known in upper case only.
        self._is_exact = is_exact or namespace in _EXACT

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if ctx is None or ctx.resilient_parsing:
            return str(value)
        # An argument may have bytes that are no text, which the store cannot look up.
        given_name = GivenName(
            str(value).encode(errors="backslashreplace").decode(),
            self.namespace,
            ctx,
            self._is_filter,
        )
        remember_name(given_name)
        is_exact = isinstance(value, Quoted) or self._is_exact
        return given_name.text if is_exact else given_name.as_defined()

    def shell_complete(
        self,
        ctx: click.Context,
        param: click.Parameter,
        incomplete: str,
    ) -> list[CompletionItem]:
        """Complete names that begin as typed; in lower case it means upper case, unless a name
        begins so.
        """
        known = GivenName(incomplete, self.namespace, ctx).known()
        upper = incomplete.upper()
        matching = [each for each in known if each.startswith(incomplete)]
        matching = matching or [each for each in known if each.startswith(upper)]
        return [
            CompletionItem(each)
            for each in matching
            if upper[:1] == "S" or not each.startswith("SYSTEM.")
        ]


class GenericQueueName(ObjectName):
    """The name of a queue, or a generic name such as APP.*."""

    name = "queue"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from mqsc.store.rules.names import is_object_name

        if value != "*" and not is_object_name(value.removesuffix("*")):
            self.fail(
                f"{value!r} is not the name of a queue, nor a generic name such as APP.*",
                param,
                ctx,
            )
        return super().convert(value, param, ctx)


def pattern_of(names: Iterable[str]) -> re.Pattern[str]:
    """A pattern for names of which any matches; an asterisk stands for any text."""
    alternatives = (".*".join(map(re.escape, name.split("*"))) for name in names)
    return re.compile("|".join(alternatives), re.DOTALL)


def remember_names_elsewhere(names: Iterable[str]) -> None:
    """Note the names of objects in FILEs, or in the past, so that no hint says that they do not
    exist.
    """
    click.get_current_context().meta.setdefault(NAMES_ELSEWHERE, set()).update(names)


def remember_name(given_name: GivenName) -> None:
    """Let an error about this name suggest a similar one."""
    given_name.context.meta.setdefault(NAMES_GIVEN, []).append(given_name)


def defined_names(choices: Choices, namespace: str) -> list[str]:
    """The names of the objects in a namespace of the chosen queue manager; none if the store
    cannot be read.
    """
    from mqsc.store.admin import known_names

    return looked_up(
        choices,
        lambda store: known_names.defined_names(store, choices.qmgr_name(), namespace),
    )


def queue_managers(choices: Choices) -> list[str]:
    """The names of the queue managers in the chosen store; none if it cannot be read."""
    from mqsc.store.admin.read_only_store import managers_of

    return looked_up(choices, lambda store: sorted(managers_of(store).now))


def objects(choices: Choices) -> list[str]:
    """The names of the objects of all types of the chosen queue manager; none if the store cannot
    be read.
    """
    from mqsc.store.admin import known_names
    from mqsc.store.catalog import KINDS
    from mqsc.store.engine.definitions import namespaces

    # Records have no names of their own.
    kinds = [kind for kind in KINDS.values() if not kind.identity]
    places = {place for kind in kinds for place in namespaces(kind)}

    def names(store: StoreState) -> list[str]:
        own = (known_names.defined_names(store, choices.qmgr_name(), place) for place in places)
        return sorted({name for found in own for name in found})

    return looked_up(choices, names)


def remember_object_of(request: Request) -> None:
    """Let an error about the object that a command of MQSC names suggest a similar one, and an
    answer without an object.
    """
    from mqsc.store.engine.definitions import namespaces

    if request.kinds and request.name:
        place = namespaces(request.kinds[0])[0]
        remember_name(GivenName(request.name, place, click.get_current_context(), is_filter=True))


def users(choices: Choices) -> list[str]:
    """The names of users that the chosen store has; none if it cannot be read."""
    from mqsc.store.admin.user_accounts import known_users

    # Not as the user of --user, who may be the one that does not exist.
    return looked_up(choices._replace(user=""), known_users)


def groups(choices: Choices) -> list[str]:
    """The names of groups that the chosen store has; none if it cannot be read."""
    from mqsc.store.admin.user_accounts import known_groups

    return looked_up(choices._replace(user=""), known_groups)


def looked_up(choices: Choices, names: Callable[[StoreState], list[str]]) -> list[str]:
    """Names in the chosen store; none if it cannot be read: the command itself reports why."""
    from mqsc.console.target import CommandFailedError, NothingRunError, store_to_look_up
    from mqsc.store.error import StoreError

    try:
        # Another user may not see the names.
        if choices.store_is_missing() or choices.user_name() is not None:
            return []
        with store_to_look_up(choices._replace(only_reads=True)) as store:
            return names(store)
    except (StoreError, CommandFailedError, NothingRunError, OSError):
        return []


def with_suggestion(sentence: str, given_names: Iterable[GivenName]) -> str:
    """An error with "Did you mean NAME?" after it, if it is about one of these names and a
    similar one exists. If there is no similar queue manager, the error lists those of the store.
    """
    from mqsc.store.catalog.spelling import asks_what_was_meant, suggesting

    if asks_what_was_meant(sentence):
        return sentence
    about = [
        unknown_name
        for unknown_name in given_names
        if unknown_name.text and unknown_name.text in sentence
    ]
    for unknown_name in about:
        near = unknown_name.meant()
        if near:
            return suggesting(near, sentence)
    for unknown_name in about:
        if unknown_name.namespace == QMGR:
            return f"{sentence}{_those_of_the_store(unknown_name)}"
    return sentence


def unknown_names(given_names: Iterable[GivenName], *, only_filters: bool) -> list[str]:
    """A sentence for each name that nothing has, and that a similar one was probably meant for;
    with `only_filters`, only for names that select.
    """
    asked = (each for each in given_names if each.is_filter or not only_filters)
    questions = (each.question() for each in asked if each.text.strip() and _may_be_asked(each))
    return list(dict.fromkeys(filter(None, questions)))


def _may_be_asked(given_name: GivenName) -> bool:
    """Whether the store of today knows the name: in the past there were others. Commands under
    names of IBM keep to IBM's texts.
    """
    context = given_name.context.meta.get(INNERMOST, given_name.context)
    if context.meta.get(IBM_TEXTS) or context.params.get("as_of") is not None:
        return False
    # FILEs may define, and the past may have, other objects than the store has.
    looks_elsewhere = any(context.params.get(each) for each in _ELSEWHERE)
    return given_name.namespace != ANY or not looks_elsewhere or NAMES_ELSEWHERE in context.meta


def _those_of_the_store(given_name: GivenName) -> str:
    """The end of an error about a queue manager that does not exist."""
    known = given_name.known()
    if given_name.text in known or not 1 <= len(known) <= _MOST_LISTED:
        return ""
    return f" The store has {', '.join(known)}."


@add_completion_class
class FishScript(FishComplete):
    """The script for fish: a completion or its description may contain commas."""

    source_template = FishComplete.source_template.replace(
        'string split ","',
        'string split --max 1 ","',
    )
