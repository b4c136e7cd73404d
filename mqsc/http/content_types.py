"""The headers Content-Type and Accept-Charset (rest §5, §6)."""

from starlette.requests import Request

from mqsc.http.errors import RestError

_JSON = "application/json"
_TEXT = ("text/plain", "text/html", "text/xml", _JSON, "application/xml")
_UTF_8 = ("utf-8", "utf8")


def require_json(request: Request) -> None:
    """RestError 415 unless the body is declared as JSON."""
    _require(request, (_JSON,))


def require_text(request: Request) -> None:
    """RestError 415 unless the body is declared as text in UTF-8."""
    _require(request, _TEXT)


def _require(request: Request, allowed: tuple[str, ...]) -> None:
    given = request.headers.get("content-type", "")
    type_, *parameters = [part.strip().lower() for part in given.split(";")]
    charsets = [
        value.strip('"')
        for name, _, value in (each.partition("=") for each in parameters)
        if name == "charset"
    ]
    if type_ not in allowed or not {*charsets} <= {*_UTF_8}:
        wanted = f"'{given}' and not {' or '.join(allowed)} in utf-8"
        raise RestError(415, "MQWB0306E", wanted)


def require_utf_8(request: Request) -> None:
    """RestError 406 unless the client takes answers in UTF-8."""
    accepted = request.headers.get("accept-charset")
    if accepted is None:
        return
    names = [each.partition(";")[0].strip().lower() for each in accepted.split(",")]
    if not {*names} & {*_UTF_8, "*"}:
        raise RestError(406, "MQWB0305E", accepted)
