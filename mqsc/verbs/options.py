"""Options that several verbs read from a request."""

from collections.abc import Mapping

from mqsc.language.reply import Answer, done
from mqsc.language.request import Request
from mqsc.store.error import MQError


def ignores_state(request: Request) -> bool:
    """Whether IGNSTATE(YES) was given."""
    return request.options.get("IGNSTATE") == "YES"


def already(request: Request, refusal: MQError, states: Mapping[int, str]) -> Answer:
    """The answer to a command that changes nothing, if IGNSTATE(YES) permits that."""
    state = states.get(int(refusal.reason))
    if state is None or not ignores_state(request):
        raise refusal
    return done(
        request.verb,
        request.kind.namespace,
        f"The {state}; IGNSTATE(YES) counts this as success.",
    )


def disposition_of(request: Request, default: str = "QMGR") -> str:
    """QSGDISP as given, or the default of the command."""
    return str(request.options.get("QSGDISP", default))


def words_of(request: Request, option: str) -> list[str]:
    """The words of an option that takes a list; none when it is not given."""
    words = request.options.get(option, [])
    return words if isinstance(words, list) else [str(words)]
