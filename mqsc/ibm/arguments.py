"""The arguments of IBM's commands, read by a table: options with one hyphen, with or without a value, then names.

An option that has no meaning here ends the command with exit code 20 and the reason; it is never ignored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mqsc.console.target import NothingRunError


@dataclass(frozen=True, slots=True)
class Word:
    """An option of a command: whether a value follows, and why it is refused where it has no meaning here.

    One that may come `often` has all its values, with commas between.
    """

    takes_value: bool = False
    refused: str = ""
    often: bool = False


FLAG, VALUE, VALUES = Word(), Word(takes_value=True), Word(takes_value=True, often=True)


def pointless(why: str, *, value: bool = False) -> Word:
    """An option of IBM's command without a meaning here."""
    return Word(value, why)


@dataclass(frozen=True, slots=True)
class Usage:
    """How a command is called: its name, the line that says so, its options, and how many names it takes."""

    command: str
    line: str
    words: Mapping[str, Word]
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Given:
    """What was given: options with their value (blank for a flag), and names."""

    options: Mapping[str, str]
    names: tuple[str, ...]

    def has(self, word: str) -> bool:
        """Whether the option was given."""
        return word in self.options

    def name(self, number: int, default: str = "") -> str:
        """The name at that place, or the default."""
        return self.names[number] if number < len(self.names) else default


def read(usage: Usage, arguments: Sequence[str]) -> Given:
    """The options and names of a command; Refused with its usage when they are anything else."""
    rest, options, names = list(arguments), dict[str, str](), list[str]()
    while rest:
        word = rest.pop(0)
        if word == "-" or not word.startswith("-"):
            names.append(word)
            continue
        for option, attached in _options(usage, word):
            _refuse_pointless(usage, option)
            row = usage.words[option]
            if option in options and not row.often:
                raise _wrong(usage, f"{option} is given twice")
            if row.takes_value and not attached and not rest:
                raise _wrong(usage, f"{option} needs a value")
            value = attached or (rest.pop(0) if row.takes_value else "")
            options[option] = f"{options[option]},{value}" if option in options else value
    if not usage.least <= len(names) <= usage.most:
        raise _wrong(usage, "a name is missing" if len(names) < usage.least else f"there is no use for {names[-1]}")
    return Given(options, tuple(names))


def number_in(usage: Usage, given: Given, option: str) -> int:
    """The value of an option that takes a number; Refused when it is none."""
    text = given.options[option]
    if not (text.isascii() and text.isdigit()):
        raise _wrong(usage, f"{option} takes a number, not {text}")
    return int(text)


def choice(usage: Usage, option: str, value: str, known: Mapping[str, str], refused: Mapping[str, str]) -> str:
    """What a word that is given with an option stands for; Refused when it is unknown, or has no meaning here."""
    if value in refused:
        raise NothingRunError(f"{usage.command} {option} {value} has no meaning here: {refused[value]}")
    if value not in known:
        raise _wrong(usage, f"{option} takes {', '.join(known)}, not {value}")
    return known[value]


def _options(usage: Usage, word: str) -> list[tuple[str, str]]:
    """The options that an argument holds, each with the value that is attached to it: -e, -ev, -fFILE."""
    if word in usage.words:
        return [(word, "")]
    first = word[:2]
    if first not in usage.words:
        raise _wrong(usage, f"{word} is no option")
    if usage.words[first].takes_value:
        return [(first, word[2:])]
    letters = [f"-{letter}" for letter in word[1:]]
    unknown = next((each for each in letters if each not in usage.words or usage.words[each].takes_value), None)
    if unknown is not None:
        raise _wrong(usage, f"{unknown} in {word} is no option without a value")
    return [(each, "") for each in letters]


def _refuse_pointless(usage: Usage, option: str) -> None:
    why = usage.words[option].refused
    if why:
        raise NothingRunError(f"{usage.command} {option} has no meaning here: {why}")


def _wrong(usage: Usage, why: str) -> NothingRunError:
    return NothingRunError(f"{why}\nusage: {usage.line}")
