"""Secrets that dumps and exports hide: asterisks in place of a value are no value.

A file of definitions that has them, or leaves the secret out, says nothing about it, so what is set
stays as it is. PASSWORD(' ') removes it.
"""

import re

from msgspec.structs import replace

from mqsc.language.request import Request
from mqsc.language.secrets import secret_spans

_ASTERISKS = re.compile(r"\*{4,}")


def is_hidden(text: str) -> bool:
    """Whether the value of a secret is only asterisks, as dmpmqcfg and DISPLAY write one."""
    return _ASTERISKS.fullmatch(text.strip(" '")) is not None


def gives_secret(text: str) -> bool:
    """Whether there is a secret in a command that is not hidden already."""
    return any(not is_hidden(text[start:end]) for start, end in secret_spans(text))


def as_declaration(request: Request) -> Request:
    """The command of a file of definitions without the secrets that are hidden there. It leaves
    those that are set.
    """
    given = request.attributes
    secrets = {
        word for kind in request.kinds for word, row in kind.attributes.items() if row.secret
    }
    hidden = {word for word in secrets & given.keys() if is_hidden(str(given[word]))}
    kept = {word: value for word, value in given.items() if word not in hidden}
    return replace(request, attributes=kept, keeps_secrets=True)
