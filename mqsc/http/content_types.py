"""The headers Content-Type and Accept-Charset (rest §5, §6)."""

from collections.abc import Mapping
from functools import lru_cache

from mqsc.http.errors import RestError

_JSON = "application/json"
TEXT_TYPES = ("text/plain", "text/html", "text/xml", _JSON, "application/xml")
_UTF_8 = ("utf-8", "utf8")
# How many different headers are remembered.
_REMEMBERED = 64


def require_json(headers: Mapping[str, str]) -> None:
    """RestError 415 unless the body is declared as JSON."""
    _require(headers, (_JSON,))


def require_text(headers: Mapping[str, str]) -> None:
    """RestError 415 unless the body is declared as text in UTF-8."""
    _require(headers, TEXT_TYPES)


def _require(headers: Mapping[str, str], allowed: tuple[str, ...]) -> None:
    given = headers.get("content-type", "")
    type_, is_utf_8 = _parsed(given)
    if type_ not in allowed or not is_utf_8:
        wanted = f"'{given}' and not {' or '.join(allowed)} in utf-8"
        raise RestError(415, "MQWB0306E", wanted)


@lru_cache(maxsize=_REMEMBERED)
def _parsed(given: str) -> tuple[str, bool]:
    """The type in a header Content-Type, and whether no other character set than UTF-8 is named."""
    type_, *parameters = [part.strip().lower() for part in given.split(";")]
    charsets = [
        value.strip('"')
        for name, _, value in (each.partition("=") for each in parameters)
        if name == "charset"
    ]
    return type_, {*charsets} <= {*_UTF_8}


def require_utf_8(headers: Mapping[str, str]) -> None:
    """RestError 406 unless the client takes answers in UTF-8."""
    accepted = headers.get("accept-charset")
    if accepted is None:
        return
    names = [each.partition(";")[0].strip().lower() for each in accepted.split(",")]
    if not {*names} & {*_UTF_8, "*"}:
        raise RestError(406, "MQWB0305E", accepted)
