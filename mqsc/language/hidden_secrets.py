"""Secrets that dumps and exports hide: asterisks in place of a value are no value.

A file of definitions that has them, or leaves the secret out, says nothing about it, so what is set
stays as it is. PASSWORD(' ') removes it.
"""

import re
from collections.abc import Callable

from msgspec.structs import replace

from mqsc.language.reply import Answer
from mqsc.language.request import Request
from mqsc.language.secrets import secret_spans

_ASTERISKS = re.compile(r"\*{4,}")


def is_hidden(text: str) -> bool:
    """Whether the value of a secret is only asterisks, as dmpmqcfg and DISPLAY write one."""
    return _ASTERISKS.fullmatch(text.strip(" '")) is not None


def gives_secret(text: str) -> bool:
    """Whether there is a secret in a command that is not hidden already."""
    return any(not is_hidden(text[start:end]) for start, end in secret_spans(text))


def hidden_in(request: Request) -> list[str]:
    """The keywords of a command whose secret is hidden there."""
    asterisks = [word for word, value in request.attributes.items() if is_hidden(str(value))]
    return sorted(word for word in asterisks if _is_secret(request, word))


def _is_secret(request: Request, word: str) -> bool:
    rows = (kind.attributes.get(word) for kind in request.kinds)
    return any(row is not None and row.secret for row in rows)


def carried_out(request: Request, carry_out: Callable[[Request], Answer]) -> Answer:
    """The answer to a command. A secret that is hidden there is not set, which the answer says: the
    asterisks would be the password.
    """
    hidden = hidden_in(request)
    if not hidden:
        return carry_out(request)
    answer = carry_out(as_declaration(request))
    remark = (
        f"{' and '.join(hidden)}: asterisks stand for a secret that is not in the script, so what "
        "is set stays as it is."
    )
    return replace(answer, text=f"{answer.text}\n{remark}")


def as_declaration(request: Request) -> Request:
    """The command of a file of definitions without the secrets that are hidden there. It leaves
    those that are set.
    """
    hidden = hidden_in(request)
    kept = {word: value for word, value in request.attributes.items() if word not in hidden}
    return replace(request, attributes=kept, keeps_secrets=True)
