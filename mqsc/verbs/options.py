"""Options that several verbs read from a request."""

from mqsc.language.request import Request


def ignores_state(request: Request) -> bool:
    """Whether IGNSTATE(YES) was given."""
    return request.options.get("IGNSTATE") == "YES"


def disposition_of(request: Request, default: str = "QMGR") -> str:
    """QSGDISP as given, or the default of the command."""
    return str(request.options.get("QSGDISP", default))


def words_of(request: Request, option: str) -> list[str]:
    """The words of an option that takes a list; none when it is not given."""
    words = request.options.get(option, [])
    return words if isinstance(words, list) else [str(words)]
