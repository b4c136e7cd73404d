"""Secrets in what other programs wrote: keys of JSON, texts of logs, commands in event messages."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from mqsc.language.secrets import HIDDEN, hide, masked, secret_keywords
from mqsc.store.catalog import KINDS

# An attribute with one of these in its name holds a secret, in any product.
_TELLING = ("PASSWORD", "PASSWD", "PASSPHRASE", "CRYPTOHARDWARE")
# One of these is in every text that has a secret, in capitals.
_HINTS = ("PASSW", "PASSPHRASE", "CRYPTO", "INITIAL", "PKCS11")
# The parameters of cryptographic hardware begin so. They have the password of its token between
# semicolons, the name of a token may have blanks, and MQ allows 256 characters.
_HARDWARE = re.compile(
    r"GSK_PKCS11\s*=?(?:[^'\"()\n]{0,256};)?[^\s'\"()]*",
    re.IGNORECASE,
)
_NAMED_HARDWARE = re.compile(
    r"((?:CRYPTO[ _]?HARDWARE|SSLCRYP)\s*[:=]\s*)[^'\"()\n]{0,256};",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"[^A-Z0-9]+")
# The keys of data that has the name of a parameter and its value side by side.
_NAMING = ("name", "parameter", "attribute", "keyword")
_NAMED = ("value", "values")


@cache
def _secret_names() -> frozenset[str]:
    """The secret keywords, and the names of their parameters in PCF, all in capitals without
    separators.
    """
    return frozenset(secret_keywords() | {"".join(words) for words in _names_in_pcf()})


@cache
def _names_in_pcf() -> tuple[tuple[str, ...], ...]:
    """The words of the name of each secret parameter: SSL, CRYPTO and HARDWARE for
    MQCA_SSL_CRYPTO_HARDWARE.
    """
    # Few commands read what other programs wrote.
    from mqsc.store.catalog.pcf import pcf_attributes
    from mqsc.store.constants import name_of

    numbers = [
        pcf_attributes(keyword)[word].number
        for keyword, kind in KINDS.items()
        for word, row in kind.attributes.items()
        if row.secret and word in pcf_attributes(keyword)
    ]
    names = [name_of(family, number) for number in numbers for family in ("MQCA", "MQCACH")]
    return tuple(tuple(name.split("_")[1:]) for name in names if "_" in name)


def is_secret_name(name: str) -> bool:
    """Whether that is the name of a secret: a keyword, a key of JSON, a constant of PCF or words
    of a form.
    """
    plain = _SEPARATOR.sub("", name.upper())
    return any(each in plain for each in (*_secret_names(), *_TELLING))


@cache
def _named_values() -> re.Pattern[str]:
    """A secret name in a text, and its value behind it: in parentheses or brackets, between tags,
    or after a colon or an equals sign. After a constant of PCF or an option a blank is enough.
    """
    spelled = ["[ _]?".join(words) for words in _names_in_pcf()]
    names = "|".join(
        (*sorted(secret_keywords()), *spelled, *(rf"[A-Z0-9_]*{each}" for each in _TELLING)),
    )
    quoted = r"'(?:[^']|'')*'?|\"(?:[^\"\\]|\\.)*\"?"
    enclosed = rf"\(\s*((?:{quoted}|[^'\")])*)|\[\s*([^\]]*)|>([^<]*)</"
    assigned = rf"[:=]\s*({quoted}|[^\s,(){{}}';\"]+)"
    named = rf"(?<![A-Z0-9])(?:MQCA(?:CH)?_)?(?:{names})[\"']?\s*(?:{enclosed}|{assigned})"
    following = rf"(?<![A-Z0-9])(?:MQCA(?:CH)?_|--)(?:{names})\s+({quoted}|[^\s'\"]+)"
    return re.compile(f"{named}|{following}", re.IGNORECASE)


def may_have_secrets(text: str) -> bool:
    """Whether it is worth while to look for secrets in a text of another program."""
    upper = text.upper()
    return any(each in upper for each in _HINTS) or any(each in upper for each in secret_keywords())


def without_secrets(value: Any) -> Any:
    """Data or text of another program, with asterisks in place of secret values: those of secret
    names, at any depth, and those that follow such a name in a text.
    """
    if isinstance(value, Mapping):
        is_named = any(is_secret_name(str(value[key])) for key in _NAMING if key in value)
        return {
            key: HIDDEN
            if each and (is_secret_name(str(key)) or (is_named and key in _NAMED))
            else without_secrets(each)
            for key, each in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [without_secrets(each) for each in value]
    return (
        _text_without_secrets(value)
        if isinstance(value, str) and may_have_secrets(value)
        else value
    )


def _text_without_secrets(text: str) -> str:
    text = _HARDWARE.sub(HIDDEN, text)
    text = _NAMED_HARDWARE.sub(rf"\1{HIDDEN}", text)
    named_values = _named_values().finditer(text)
    spans = [
        each.span(each.lastindex or 0)
        for each in named_values
        if (each[each.lastindex or 0] or "").strip(" '\"")
    ]
    return masked(hide(text, spans))
