"""Headers of HTTP and the fields of a message descriptor, in both directions (rest §5)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import quote

from mqsc.http import user_properties
from mqsc.http.errors import RestError, invalid
from mqsc.store.constants import MQFMT, MQMT, MQPER, MQPRI
from mqsc.store.descriptor import UNLIMITED, MessageDescriptor
from mqsc.store.rules.properties.property_types import Value

MESSAGE_ID, CORRELATION_ID = "ibm-mq-md-messageId", "ibm-mq-md-correlationId"
EXPIRY, PERSISTENCE = "ibm-mq-md-expiry", "ibm-mq-md-persistence"
PRIORITY, REPLY_TO = "ibm-mq-md-priority", "ibm-mq-md-replyTo"
PROPERTIES = "ibm-mq-usr"
JMS_CORRELATION_ID, JMS_TYPE = "JMSCorrelationID", "mcd.Msd"
NEWEST = "v3"
_TEXT_MESSAGE = "jms_text"
_UTF_8 = 1208
_ID_LENGTH = 24
_NO_ID = bytes(_ID_LENGTH)
_HEX_ID = re.compile(rf"[0-9A-Fa-f]{{{2 * _ID_LENGTH}}}")
_ID_PREFIX = "ID:"
_MOST_MILLISECONDS = 99_999_999_900
_IN_A_TENTH = 100
UNLIMITED_WORD, AS_DESTINATION = "unlimited", "asDestination"
PERSISTENCES = {"nonPersistent": int(MQPER.NOT_PERSISTENT), "persistent": int(MQPER.PERSISTENT)}
_PERSISTENCE_WORDS = {number: word for word, number in PERSISTENCES.items()}
_REPLY_TO = re.compile(r"([A-Za-z0-9./_%]{1,48})(?:@([A-Za-z0-9./_%]{1,48}))?")


class Put(NamedTuple):
    """What the headers of a POST say: the descriptor and the properties, each with its type."""

    descriptor: MessageDescriptor
    properties: list[user_properties.UserProperty]


class ReceivedFields(NamedTuple):
    """What the headers of an answer say about a message."""

    descriptor: MessageDescriptor
    properties: Mapping[str, Value]
    types: Mapping[str, int]


def put_of(headers: Mapping[str, str], version: str) -> Put:
    """The message that the headers describe; RestError 400 for a value that is not allowed.
    Names of headers are in lower case.
    """
    descriptor = MessageDescriptor(
        format=str(MQFMT.STRING),
        coded_char_set_id=_UTF_8,
        expiry=_expiry(headers.get(EXPIRY.lower())),
        persistence=_persistence(headers.get(PERSISTENCE.lower())),
    )
    properties: list[user_properties.UserProperty] = []
    reply_to = headers.get(REPLY_TO.lower())
    if reply_to is not None:
        queue, manager = _reply_to(reply_to)
        descriptor.reply_to_q, descriptor.reply_to_q_mgr = queue, manager
        descriptor.msg_type = int(MQMT.REQUEST)
    if version == NEWEST:
        descriptor.priority = _priority(headers.get(PRIORITY.lower()))
        properties = user_properties.read(headers.get(PROPERTIES, ""))
    correlation = headers.get(CORRELATION_ID.lower())
    if correlation is not None:
        properties += _correlate(descriptor, correlation, version)
    return Put(descriptor, properties)


def _correlate(
    descriptor: MessageDescriptor,
    text: str,
    version: str,
) -> list[user_properties.UserProperty]:
    """Set CorrelId. A text of an application makes a JMS TextMessage, which keeps it as a
    property.
    """
    is_text = version == NEWEST and not text.startswith(_ID_PREFIX)
    if not is_text:
        identifier = identifier_of(text, version)
        if identifier is None:
            raise refused_header(CORRELATION_ID, text, _identifier_form(version))
        descriptor.correl_id = identifier
        return []
    if not text or not text.isprintable():
        raise refused_header(CORRELATION_ID, text, "a text or ID: and 48 hexadecimal digits")
    descriptor.correl_id = text.encode()[:_ID_LENGTH].ljust(_ID_LENGTH, b"\0")
    return [
        user_properties.UserProperty(JMS_TYPE, user_properties.STRING, _TEXT_MESSAGE),
        user_properties.UserProperty(JMS_CORRELATION_ID, user_properties.STRING, text),
    ]


def identifier_of(text: str, version: str) -> bytes | None:
    """The identifier that a text of this version means; None if it means none."""
    if version == NEWEST:
        if not text.startswith(_ID_PREFIX):
            return None
        text = text.removeprefix(_ID_PREFIX)
    return bytes.fromhex(text) if _HEX_ID.fullmatch(text) else None


def identifier_in_query(name: str, text: str, version: str) -> bytes:
    """The identifier in a parameter of the query; RestError 400 for none, and for one of zeros,
    which would match any message.
    """
    identifier = identifier_of(text, version)
    if identifier is None or identifier == _NO_ID:
        raise invalid(f"the parameter '{name}' takes {_identifier_form(version)}, not all zero")
    return identifier


def identifier_text(identifier: bytes, version: str) -> str:
    """An identifier as this version writes it."""
    return f"{_ID_PREFIX if version == NEWEST else ''}{identifier.hex()}"


def answer_headers(fields: ReceivedFields, version: str) -> list[tuple[str, str]]:
    """The headers of an answer that has a message."""
    descriptor = fields.descriptor
    expiry = descriptor.expiry
    headers = [
        (MESSAGE_ID, identifier_text(descriptor.msg_id, version)),
        (EXPIRY, UNLIMITED_WORD if expiry == UNLIMITED else str(expiry * _IN_A_TENTH)),
        (PERSISTENCE, _PERSISTENCE_WORDS.get(descriptor.persistence, "nonPersistent")),
    ]
    correlation = correlation_text(fields, version)
    if correlation:
        headers.append((CORRELATION_ID, correlation))
    if descriptor.reply_to_q:
        manager = f"@{descriptor.reply_to_q_mgr}" if descriptor.reply_to_q_mgr else ""
        headers.append((REPLY_TO, f"{descriptor.reply_to_q}{manager}"))
    if version == NEWEST:
        headers.append((PRIORITY, str(descriptor.priority)))
        written = user_properties.written(fields.properties, fields.types)
        if written:
            headers.append((PROPERTIES, written))
    return [(name, header_text(value)) for name, value in headers]


def correlation_text(fields: ReceivedFields, version: str) -> str:
    """The correlation identifier of a message; blank if it has none."""
    text = fields.properties.get(JMS_CORRELATION_ID)
    if version == NEWEST and isinstance(text, str) and not text.startswith(_ID_PREFIX):
        return text
    identifier = fields.descriptor.correl_id
    return "" if identifier == _NO_ID else identifier_text(identifier, version)


def header_text(text: str) -> str:
    """A text as the value of a header: control characters and what is not ASCII are
    percent-encoded, so that a message cannot add headers to an answer.
    """
    if text.isascii() and text.isprintable():
        return text
    return quote(text, safe="".join(map(chr, range(0x20, 0x7F))), errors="surrogatepass")


def refused_header(name: str, value: str, wanted: str) -> RestError:
    """400: a header has a value that is not allowed."""
    return RestError(400, "MQWB0302E", f"{name} has the value '{value}' and takes {wanted}")


def _identifier_form(version: str) -> str:
    prefix = _ID_PREFIX if version == NEWEST else ""
    return f"{prefix + ' and ' if prefix else ''}{2 * _ID_LENGTH} hexadecimal digits"


def _expiry(text: str | None) -> int:
    if text is None or text == UNLIMITED_WORD:
        return UNLIMITED
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(_MOST_MILLISECONDS))
    if not is_number or not 0 < int(text) <= _MOST_MILLISECONDS:
        wanted = f"{UNLIMITED_WORD} or milliseconds from 1 to {_MOST_MILLISECONDS}"
        raise refused_header(EXPIRY, text, wanted)
    return -(-int(text) // _IN_A_TENTH)


def _persistence(text: str | None) -> int:
    if text is None:
        return int(MQPER.NOT_PERSISTENT)
    if text not in PERSISTENCES:
        raise refused_header(PERSISTENCE, text, " or ".join(PERSISTENCES))
    return PERSISTENCES[text]


def _priority(text: str | None) -> int:
    if text is None or text == AS_DESTINATION:
        return int(MQPRI.PRIORITY_AS_Q_DEF)
    if not (len(text) == 1 and text.isascii() and text.isdigit()):
        raise refused_header(PRIORITY, text, f"0 to 9 or {AS_DESTINATION}")
    return int(text)


def _reply_to(text: str) -> tuple[str, str]:
    found = _REPLY_TO.fullmatch(text)
    if found is None:
        raise refused_header(REPLY_TO, text, "QUEUE or QUEUE@QUEUEMANAGER")
    return found[1], found[2] or ""
