"""Bodies of requests in JSON, read strictly: what another reader would take for something else is
refused (rest §6).
"""

import json
from collections.abc import Sequence
from typing import Any, NoReturn

from mqsc.http.errors import invalid

_DEEPEST = 32
_MOST_KEYS = 1000


def object_of(data: bytes, fields: Sequence[str]) -> dict[str, Any]:
    """The object in a body; RestError 400 for anything else, and for a field that is not one of
    `fields`.
    """
    try:
        value = json.loads(
            data.decode(),
            object_pairs_hook=_without_duplicates,
            parse_constant=_refuse_constant,
        )
    except UnicodeDecodeError as error:
        raise invalid(f"byte {error.start + 1} of the body is not UTF-8") from None
    except RecursionError:
        raise invalid(f"the JSON is nested more than {_DEEPEST} deep") from None
    except ValueError as error:
        raise invalid(f"the body is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise invalid("the body must be an object of JSON")
    _check(value)
    for name in value:
        if name not in fields:
            raise invalid(f"the field '{name}' is not one of {', '.join(fields)}")
    return value


def text_of(body: dict[str, Any], name: str, default: str | None = None) -> str:
    """The text in a field; RestError 400 if it is missing, unless there is a default, or no
    text.
    """
    value = body.get(name, default)
    if value is None:
        raise invalid(f"the field '{name}' is missing")
    if not isinstance(value, str):
        raise invalid(f"the field '{name}' must be a string")
    return value


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the field '{twice}' is there twice")
    return found


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a value of JSON")


def _check(value: object) -> None:
    """RestError 400 for JSON that is too deep, has too many fields, or text that is not Unicode."""
    left = [(value, 1)]
    keys = 0
    while left:
        each, depth = left.pop()
        if depth > _DEEPEST:
            raise invalid(f"the JSON is nested more than {_DEEPEST} deep")
        if isinstance(each, dict):
            keys += len(each)
            left.extend((inner, depth + 1) for inner in each.values())
            left.extend((name, depth) for name in each)
        elif isinstance(each, list):
            left.extend((inner, depth + 1) for inner in each)
        elif isinstance(each, str) and each != each.encode(errors="ignore").decode():
            raise invalid("a string has half of a surrogate pair")
    if keys > _MOST_KEYS:
        raise invalid(f"the JSON has more than {_MOST_KEYS} fields")
