"""MQGMO_CONVERT: texts into the CCSID that the getter wants; MQ headers and PCF into its Encoding
too.

mqi-semantics §4.4
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from mqsc.store.constants import MQCCSI, MQRC
from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers import mqdlh, mqmde, mqrfh2, mqtm, mqxqh, pcf
from mqsc.store.headers.character_sets import WIDE, codec_of
from mqsc.store.headers.layout import HeaderError, writable

STRING = "MQSTR"
DEAD_LETTER = "MQDEAD"
TRIGGER = "MQTRIG"
TRANSMISSION, EXTENSION = "MQXMIT", "MQHMDE"
COMMAND = "MQADMIN"
EVENT = "MQEVENT"
PARAMETERS = "MQPCF"
# The characters that decoding puts in place of invalid bytes.
_NO_TEXT = "\ufffd"


class Representation(NamedTuple):
    """How a getter wants data: the CCSID of its texts, the Encoding of its numbers."""

    ccsid: int
    encoding: int


def converted(
    descriptor: MessageDescriptor,
    body: bytes,
    target: Representation,
) -> tuple[int, bytes]:
    """(0, converted data) with Encoding and CodedCharSetId of the descriptor changed, or (reason,
    unchanged data).

    2110 for a format that cannot be converted, a blank one included, and for data that does not
    have its format. 2111 or 2115 for an unknown CCSID of the message or of the target; 2111 also
    for a CCSID that MQ headers cannot have. 2119 for bytes that are invalid in the message's CCSID
    or have no equivalent in the other.
    """
    if codec_of(target.ccsid) is None:
        return MQRC.TARGET_CCSID_ERROR, body
    reason, data = _converted(
        descriptor.format,
        body,
        descriptor.encoding,
        descriptor.coded_char_set_id,
        target,
    )
    if not reason:
        descriptor.encoding, descriptor.coded_char_set_id = target.encoding, target.ccsid
    return reason, data


def _converted(
    format: str,
    body: bytes,
    encoding: int,
    ccsid: int,
    target: Representation,
) -> tuple[int, bytes]:
    convert = _BY_FORMAT.get(format)
    if convert is None:
        return MQRC.FORMAT_ERROR, body
    if codec_of(ccsid) is None or (ccsid in WIDE and format != STRING):
        return MQRC.SOURCE_CCSID_ERROR, body
    try:
        return 0, convert(body, encoding, ccsid, target)
    except HeaderError:
        return MQRC.FORMAT_ERROR, body
    except ValueError:
        return MQRC.NOT_CONVERTED, body


def _string(body: bytes, encoding: int, ccsid: int, target: Representation) -> bytes:
    source, wanted = codec_of(ccsid, encoding), codec_of(target.ccsid, target.encoding)
    return body.decode(source or "").encode(wanted or "")


Header = TypeVar("Header", mqdlh.DeadLetterHeader, mqmde.DescriptorExtension, mqrfh2.RulesHeader)


def _behind(
    header: Header,
    rest: bytes,
    ccsid: int,
    target: Representation,
) -> tuple[Header, bytes]:
    """The header, and the data behind it; data that cannot be converted stays as it is, and so
    do its format fields.
    """
    reason, data = _converted(header.format, rest, header.encoding, ccsid, target)
    if not reason:
        header = replace(header, encoding=target.encoding, coded_char_set_id=target.ccsid)
    return header, data


def _dead_letter(body: bytes, encoding: int, ccsid: int, target: Representation) -> bytes:
    """The header, and the data after it if its format can be converted."""
    header = mqdlh.unpack_mqdlh(body, encoding, ccsid)
    header, data = _behind(header, body[mqdlh.MQDLH_LENGTH :], header.coded_char_set_id, target)
    return mqdlh.pack_mqdlh(header, target.encoding, writable(target.ccsid)) + data


def _transmission(body: bytes, encoding: int, ccsid: int, target: Representation) -> bytes:
    """MQXQH and embedded MQMD, and the data after them if its format can be converted."""
    header = mqxqh.unpack(body, encoding, ccsid)
    sent, rest = header.descriptor, body[mqxqh.LENGTH :]
    reason, data = _converted(sent.format, rest, sent.encoding, sent.coded_char_set_id, target)
    if not reason:
        sent.encoding, sent.coded_char_set_id = target.encoding, target.ccsid
    return mqxqh.pack(header, target.encoding, writable(target.ccsid)) + data


def _extension(body: bytes, encoding: int, ccsid: int, target: Representation) -> bytes:
    """The MQMDE, and the data after it if its format can be converted."""
    extension = mqmde.unpack_extension(body, encoding, ccsid)
    extension, data = _behind(
        extension,
        body[mqmde.EXTENSION_LENGTH :],
        extension.coded_char_set_id,
        target,
    )
    return mqmde.pack_extension(extension, target.encoding, writable(target.ccsid)) + data


def _rules(body: bytes, encoding: int, ccsid: int, target: Representation) -> bytes:
    """The fixed part of an MQRFH2, and the data after it if its format can be converted.

    The folders keep their character set; in UTF-16 they follow the byte order of the header.
    """
    header = mqrfh2.unpack(body, encoding, ccsid)
    rest = body[header.struc_length :]
    if header.name_value_ccsid != mqrfh2.UTF_8:
        texts = (
            mqrfh2.text_of(each, header.name_value_ccsid, encoding) or "" for each in header.folders
        )
        folders = (
            mqrfh2.folder_of(each, header.name_value_ccsid, target.encoding) for each in texts
        )
        header = replace(header, folders=tuple(folders))
    data_ccsid = ccsid if header.coded_char_set_id == MQCCSI.INHERIT else header.coded_char_set_id
    header, data = _behind(header, rest, data_ccsid, target)
    return mqrfh2.pack(header, target.encoding, writable(target.ccsid)) + data


def _trigger(body: bytes, encoding: int, ccsid: int, target: Representation) -> bytes:
    return mqtm.pack_mqtm(
        mqtm.unpack_mqtm(body, encoding, ccsid),
        target.encoding,
        writable(target.ccsid),
    )


def _commands(body: bytes, encoding: int, ccsid: int, target: Representation) -> bytes:
    """PCF; texts that need more bytes in the other CCSID get them."""
    header, count = pcf.unpack_header(body, encoding)
    parameters, end = pcf.unpack_parameters(body, count, encoding, ccsid)
    written = writable(target.ccsid)
    roomy = [_with_room(each, codec_of(written) or "") for each in parameters]
    return pcf.pack(header, roomy, target.encoding, written) + body[end:]


def _with_room(parameter: pcf.Parameter, codec: str) -> pcf.Parameter:
    """The parameter, lengthened if its texts need more room. ValueError for text that does not
    convert.
    """
    value = parameter.value
    if isinstance(value, tuple):
        return parameter._replace(value=tuple(_with_room(each, codec) for each in value))
    compared = value.value if isinstance(value, pcf.Filter) else value
    texts = [
        each
        for each in (compared if isinstance(compared, list) else [compared])
        if isinstance(each, str)
    ]
    if any(_NO_TEXT in each for each in texts):
        raise ValueError("bytes that are no text in the CCSID of the message")
    return parameter._replace(
        length=max([parameter.length, *(len(each.encode(codec)) for each in texts)]),
    )


_BY_FORMAT = {
    STRING: _string,
    DEAD_LETTER: _dead_letter,
    TRIGGER: _trigger,
    TRANSMISSION: _transmission,
    EXTENSION: _extension,
    mqrfh2.FORMAT: _rules,
    COMMAND: _commands,
    EVENT: _commands,
    PARAMETERS: _commands,
}
