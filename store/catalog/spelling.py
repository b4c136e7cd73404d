"""Which known word or name a wrong one was meant to be, and how an error says so.

The whole product asks here. Keywords and values of MQSC, and names of objects, have similar ones
suggested. Commands, options and their values are suggested only for a typing error: a similar one
is often another one, such as set for get, or --file for --lines. A word is never suggested for its
own negation.
"""

from collections.abc import Iterable, Sequence

# How alike words must be, from 0 to 1.
_SIMILAR = 0.6
_NEGATIONS = ("NOT", "NON", "NO", "UN", "DIS")
# A word with fewer letters has no wrong letter, only one too many, one too few, or two swapped.
_SHORT = 6
# A word with as many letters may have two errors, and none more.
_LONG = 8
_MOST_ERRORS = 2


def nearest(word: str, words: Iterable[str]) -> str | None:
    """The most similar word in any case, or None when no word is similar."""
    import difflib

    wanted = word.upper()
    by_key = {each.upper(): each for each in words if not are_opposite(wanted, each.upper())}
    found = difflib.get_close_matches(wanted, by_key, n=1, cutoff=_SIMILAR)
    return by_key[found[0]] if found else None


def similar_names(
    name: str,
    known: Iterable[str],
    *,
    most: int = 1,
    alike: float = _SIMILAR,
) -> list[str]:
    """The known names that are most like this one, the closest first, where a difference in case
    counts least; none if it is one of them.
    """
    names = {*known}
    if name in names:
        return []
    import difflib

    by_key: dict[str, str] = {}
    for each in sorted(names):
        by_key.setdefault(each.upper(), each)
    found = difflib.get_close_matches(name.upper(), by_key, n=most, cutoff=alike)
    return [by_key[key] for key in found]


def similar(name: str, known: Iterable[str]) -> str:
    """The known name that is most like this one; blank if there is none, or it is one of them."""
    return next(iter(similar_names(name, known)), "")


def did_you_mean(near: Sequence[str]) -> str:
    """The question whether one of these words was meant; blank if there are none."""
    return f"did you mean {' or '.join(near)}?" if near else ""


def asks_what_was_meant(sentence: str) -> bool:
    """Whether the sentence has such a question already."""
    return "did you mean " in sentence or "Did you mean " in sentence


def hint(word: str, known: Sequence[str], otherwise: str) -> str:
    """The end of an error about a wrong word: the known word of which it is a typing error, or
    `otherwise` with all known words.
    """
    return did_you_mean(corrections(word, known)[:1]) or f"{otherwise} {', '.join(known)}"


def suggesting(near: str, sentence: str) -> str:
    """The sentence of an error, with "Did you mean NAME?" after it if there is a similar name."""
    if not near:
        return sentence
    question = did_you_mean([near])
    end = "" if sentence.endswith("?") else "."
    return f"{sentence.rstrip('.')}{end} {question[0].upper()}{question[1:]}"


def corrections(word: str, words: Iterable[str]) -> list[str]:
    """The words of which `word`, in any case, is the beginning or a typing error, the closest
    first.
    """
    typed = _letters(word)
    ranked: list[tuple[int, str]] = []
    for each in words:
        meant = _letters(each)
        missing = len(meant) - len(typed)
        if _is_beginning(typed, meant):
            ranked.append((missing, each))
        elif abs(missing) <= _MOST_ERRORS:
            # Counting takes long for long words, and a word may be any text.
            errors = typing_errors(typed, meant)
            if _is_slip(typed, meant, errors):
                ranked.append((errors, each))
    return [each for _, each in sorted(ranked)]


def typing_error_of(word: str, words: Iterable[str]) -> str:
    """The word of which `word`, in any case, is a typing error; blank if there is none. For names
    that are free otherwise: neither the beginning of a word nor retail for retain is one.
    """
    typed = _letters(word)
    slips: list[tuple[int, str]] = []
    for each in words:
        meant = _letters(each)
        is_other_word = len(meant) == len(typed) < _LONG and sorted(typed) != sorted(meant)
        if is_other_word or abs(len(meant) - len(typed)) > _MOST_ERRORS:
            continue
        errors = typing_errors(typed, meant)
        if _is_slip(typed, meant, errors):
            slips.append((errors, each))
    return min(slips)[1] if slips else ""


def are_opposite(word: str, other: str) -> bool:
    """Whether one word, in upper case, is the negation of the other, such as UNTRIGGER of
    TRIGGER.
    """
    shorter, longer = sorted((word, other), key=len)
    return any(longer == negation + shorter for negation in _NEGATIONS)


def typing_errors(typed: str, meant: str) -> int:
    """How many letters are too many, too few, wrong, or swapped with the next one."""
    above: list[int] = []
    row: list[int] = [*range(len(meant) + 1)]
    for down, letter in enumerate(typed):
        two_above = above
        above = row
        row = [down + 1]
        for across, wanted in enumerate(meant):
            errors: int = min(
                above[across + 1] + 1,
                row[across] + 1,
                above[across] + (letter != wanted),
            )
            is_swap = (
                down > 0
                and across > 0
                and letter == meant[across - 1]
                and typed[down - 1] == wanted
            )
            row.append(min(errors, two_above[across - 1] + 1) if is_swap else errors)
    return row[-1]


def _letters(word: str) -> str:
    """The word in upper case, without the hyphens of an option."""
    return word.lstrip("-").upper()


def _is_beginning(typed: str, meant: str) -> bool:
    return len(typed) > 1 and meant.startswith(typed)


def _is_slip(typed: str, meant: str, errors: int) -> bool:
    shorter = min(len(typed), len(meant))
    if shorter < 2 or are_opposite(typed, meant):
        return False
    if errors > 1:
        return errors == _MOST_ERRORS and shorter >= _LONG and typed[0] == meant[0]
    has_wrong_letter = len(typed) == len(meant) and sorted(typed) != sorted(meant)
    return shorter >= _SHORT or not has_wrong_letter
