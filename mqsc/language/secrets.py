"""What is secret, and the masks that everything uses that writes: echo, replies, history, files,
remarks of imports.

The list begins in the catalog, whose attributes are secret or not. `secret_keywords` has their
words of MQSC, `is_secret_name` also knows the names that PCF, event messages and configuration
files have for them. An attribute that is secret needs no other entry anywhere.

`masked` is for MQSC. It searches the text, not the parsed command, because a command that cannot be
parsed must not show its secret either. An unknown word is secret if it looks like a secret keyword.
`without_secrets` is for what other programs wrote, as data or as text.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import groupby
from operator import itemgetter

from mqsc.grammar.lines import LogicalLine, SourceLine
from mqsc.language.command_table import COMMANDS, NOUN_SYNONYMS
from mqsc.language.where import OPERATORS
from mqsc.store.catalog import KINDS, nearest
from mqsc.store.catalog.spelling import similar_names

HIDDEN = "********"
# The least similarity, from 0 to 1, of a misspelt keyword.
ALIKE = 0.75
# A word that may be a keyword with a value.
_WORD = re.compile(
    rf"(?<![A-Z0-9])[A-Z][A-Z0-9]{{2,15}}(?=[\s,]*[(=']|[\s,]+(?:{'|'.join(OPERATORS)})\b)",
)
# A well-formed value in quotes.
_QUOTED = re.compile(r"[(,\s]('(?:[^']|'')*')(?=[\s,)]|\Z)")


@cache
def secret_keywords() -> frozenset[str]:
    """The keywords whose values are never shown, synonyms included."""
    rows = (row for kind in KINDS.values() for row in kind.attributes.values() if row.secret)
    return frozenset(word for row in rows for word in (row.keyword, *row.synonyms))


@cache
def _known_words() -> frozenset[str]:
    nouns = frozenset(noun for verb in COMMANDS.values() for noun in verb) | NOUN_SYNONYMS.keys()
    return nouns | {word for kind in KINDS.values() for word in kind.words}


@lru_cache(maxsize=1024)
def _is_misspelt_secret(word: str) -> bool:
    """Whether an unknown word is probably a secret keyword."""
    close = similar_names(word, secret_keywords(), alike=ALIKE)
    return bool(close) or nearest(word, _known_words()) in secret_keywords()


@lru_cache(maxsize=64)
def _pattern(secrets: frozenset[str]) -> re.Pattern[str]:
    words = "|".join(sorted(secrets, key=lambda word: (-len(word), word)))
    # Quoted text without a parenthesis before it, or after an equals sign, is an error but still a
    # secret.
    quoted = "'(?:[^']|'')*'?"
    value = rf"((?:{quoted}|[^')])*)"
    compared = rf"(?:{'|'.join(OPERATORS)})\b[\s,]*{value}"
    value_pattern = rf"\(\s*{value}|({quoted})|=\s*({quoted}|[^\s,()';]+)|\b{compared}"
    return re.compile(rf"(?<![A-Z0-9])(?:{words})[\s,]*(?:{value_pattern})", re.IGNORECASE)


# The echo of a command and its reply mask the same text.
@lru_cache(maxsize=1)
def secret_spans(text: str) -> tuple[tuple[int, int], ...]:
    """The (start, end) offsets of the secret values in `text`, quotes included."""
    # Few commands have a secret, and looking for the keywords first takes a tenth of the time.
    upper = text.upper()
    unknown = {word for word in _WORD.findall(upper) if word not in _known_words()}
    if unknown and _has_all_quotes(text):
        # A host such as ldap(389) is part of a value, not a keyword.
        unknown &= set(_WORD.findall(_QUOTED.sub(" ''", upper)))
    secrets = frozenset([word for word in unknown if _is_misspelt_secret(word)])
    for word in secret_keywords():
        if word in upper:
            secrets |= secret_keywords()
            break
    if not secrets:
        return ()
    return tuple(_spans(text, _pattern(secrets)))


def _has_all_quotes(text: str) -> bool:
    """Whether no quote is missing, so that what looks like a value in quotes is one."""
    return text.count("'") % 2 == 0


def _spans(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """The values that `pattern` finds. A quote that ends a well-formed value does not begin
    another one.
    """
    closing = (
        {quoted.end(1) - 1 for quoted in _QUOTED.finditer(text)} if _has_all_quotes(text) else ()
    )
    at = 0
    while match := pattern.search(text, at):
        group = match.lastindex or 0
        start, at = match.span(group)
        if start in closing:
            at = start
        elif text[start:at].strip(" '"):
            yield start, at


def masked(text: str) -> str:
    """`text` with every secret value replaced by the same number of asterisks, whatever its
    length.
    """
    spans = secret_spans(text)
    return hide(text, spans) if spans else text


def without_secrets_of(text: str, sentence: str) -> str:
    """A sentence about `text`, with asterisks in place of every secret value that it repeats."""
    for start, end in secret_spans(text):
        for secret in (text[start:end], text[start:end].strip(" '")):
            sentence = sentence.replace(secret, HIDDEN)
    return sentence


def masked_source(line: LogicalLine) -> tuple[str, ...]:
    """The source lines of a command with asterisks for every secret value, even one that spans
    lines.
    """
    spans = secret_spans(line.text)
    if not spans:
        return tuple([source.text for source in line.source])
    hidden: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for span in spans:
        for number, places in groupby(map(line.position, range(*span)), key=itemgetter(0)):
            columns = [column for _, column in places]
            hidden[number].append((columns[0], columns[-1] + 1))
    return tuple(
        hide(source.text, _in(source, hidden.get(source.number, ()))) for source in line.source
    )


def _in(source: SourceLine, columns: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    return [(first - source.column, beyond - source.column) for first, beyond in columns]


def hide(text: str, spans: Sequence[tuple[int, int]]) -> str:
    ends = [0, *(end for _, end in spans)]
    kept = [text[end:start] for end, (start, _) in zip(ends, spans, strict=False)]
    return HIDDEN.join([*kept, text[ends[-1] :]])
