"""The chain of headers at the start of message data."""

from typing import NamedTuple

from mqsc.store.constants import MQCCSI, MQFMT
from mqsc.store.headers import mqdlh, mqmd, mqxqh
from mqsc.store.headers.layout import HeaderError, header_codec, read_integer

DEAD_LETTER_HEADER, XMIT_Q_HEADER = MQFMT.DEAD_LETTER_HEADER, MQFMT.XMIT_Q_HEADER
# Headers that begin with StrucId, Version, StrucLength, Encoding, CodedCharSetId and Format: they
# contain their own length and describe the data after them.
SELF_DESCRIBING = frozenset(
    (
        MQFMT.MD_EXTENSION,
        MQFMT.RF_HEADER_1,
        MQFMT.RF_HEADER_2,
        MQFMT.CICS,
        MQFMT.IMS,
        MQFMT.WORK_INFO_HEADER,
        MQFMT.DIST_HEADER,
        MQFMT.REF_MSG_HEADER,
        MQFMT.EMBEDDED_PCF,
    ),
)
_STRUC_LENGTH = 8
_ENCODING = 12
_CODED_CHAR_SET_ID = 16
_FORMAT = 20
_SHORTEST = 28
INHERIT = int(MQCCSI.INHERIT)


class HeadersEnd(NamedTuple):
    """The offset at which the MQ headers end, and the format, encoding and CCSID of the data
    after them.
    """

    at: int
    format: str
    encoding: int
    ccsid: int


def data_after_headers(format: str, data: bytes, encoding: int, ccsid: int) -> HeadersEnd:
    """Where the application data begins, and its format, encoding and CCSID as given by the last
    header.

    A broken header counts as application data.
    """
    end = HeadersEnd(0, format, encoding, ccsid)
    while True:
        try:
            length, format, encoding, ccsid = header_at(
                end.format,
                data,
                end.at,
                end.encoding,
                end.ccsid,
            )
        except HeaderError:
            return end
        if not length:
            return end
        end = HeadersEnd(end.at + length, format, encoding, ccsid)


def header_at(
    format: str,
    data: bytes,
    at: int,
    encoding: int,
    ccsid: int,
) -> tuple[int, str, int, int]:
    """Length of the header at `at` and format, encoding and CCSID of the data after it; length 0
    without a header.
    """
    if format == DEAD_LETTER_HEADER:
        header = mqdlh.unpack_mqdlh(data[at : at + mqdlh.MQDLH_LENGTH], encoding, ccsid)
        return mqdlh.MQDLH_LENGTH, header.format, header.encoding, header.coded_char_set_id
    if format == XMIT_Q_HEADER:
        mqxqh.MQXQH.check(data[at : at + mqxqh.LENGTH], encoding, ccsid)
        sent = mqmd.unpack(data, encoding, ccsid, at + mqxqh.LENGTH - mqmd.MQMD_1.length)
        return mqxqh.LENGTH, sent.format, sent.encoding, sent.coded_char_set_id
    if format in SELF_DESCRIBING:
        return _self_described(data, at, encoding, ccsid)
    return 0, format, encoding, ccsid


def _self_described(data: bytes, at: int, encoding: int, ccsid: int) -> tuple[int, str, int, int]:
    length = read_integer(data, at + _STRUC_LENGTH, encoding)
    if not _SHORTEST <= length <= len(data) - at:
        raise HeaderError(f"StrucLength is {length}, but {len(data) - at} bytes of data remain")
    format = (
        data[at + _FORMAT : at + _SHORTEST].decode(header_codec(ccsid), "replace").rstrip(" \0")
    )
    own_ccsid = read_integer(data, at + _CODED_CHAR_SET_ID, encoding)
    return (
        length,
        format,
        read_integer(data, at + _ENCODING, encoding),
        ccsid if own_ccsid == INHERIT else own_ccsid,
    )
