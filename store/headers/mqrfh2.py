"""The rules and formatting header (MQRFH2)."""

from msgspec import Struct, structs

from mqsc.store.constants import MQFMT
from mqsc.store.headers.character_sets import codec_of
from mqsc.store.headers.layout import FIELDS, NATIVE, HeaderError, Layout, byte_order, read_integer

MQRFH2 = Layout("MQRFH2", "RFH ", 2, FIELDS["MQRFH2"])
LENGTH = MQRFH2.length
FORMAT = str(MQFMT.RF_HEADER_2)
# The character sets in which folders can be written; UTF-16 in the byte order of the integers of
# the header.
UTF_8 = 1208
NAME_VALUE_CCSIDS = (UTF_8, 1200, 13488, 17584)
_LENGTH_OF_LENGTH, _MULTIPLE = 4, 4


class RulesHeader(Struct, frozen=True):
    """Encoding, CCSID and format describe the data after the header; `folders` are as they are
    in the data.
    """

    encoding: int
    coded_char_set_id: int
    format: str
    folders: tuple[bytes, ...] = ()
    flags: int = 0
    name_value_ccsid: int = UTF_8
    struc_length: int = 0


def unpack(data: bytes, encoding: int = NATIVE, ccsid: int = UTF_8, at: int = 0) -> RulesHeader:
    """The MQRFH2 at offset `at`, as `encoding` and `ccsid` describe it; HeaderError if a length
    in it is wrong.
    """
    fixed = MQRFH2.unpack(data, encoding, ccsid, at)
    length = fixed["struc_length"]
    if not LENGTH <= length <= len(data) - at or length % _MULTIPLE:
        raise HeaderError(
            f"not an MQRFH2: StrucLength {length}, with {len(data) - at} bytes of data",
        )
    if fixed["name_value_ccsid"] not in NAME_VALUE_CCSIDS:
        raise HeaderError(f"not an MQRFH2: NameValueCCSID {fixed['name_value_ccsid']}")
    folders = []
    position, end = at + LENGTH, at + length
    while position < end:
        size = read_integer(data, position, encoding)
        position += _LENGTH_OF_LENGTH
        if size < 0 or size % _MULTIPLE or position + size > end:
            raise HeaderError(
                f"not an MQRFH2: NameValueLength {size}, with {max(0, end - position)} bytes left",
            )
        folders.append(data[position : position + size])
        position += size
    return RulesHeader(**fixed, folders=tuple(folders))


def pack(header: RulesHeader, encoding: int = NATIVE, ccsid: int = UTF_8) -> bytes:
    """The bytes of the header; its StrucLength is computed."""
    order = byte_order(encoding)
    parts = [
        len(folder).to_bytes(4, "big" if order == ">" else "little") + folder
        for folder in header.folders
    ]
    tail = b"".join(parts)
    return (
        MQRFH2.pack(structs.replace(header, struc_length=LENGTH + len(tail)), encoding, ccsid)
        + tail
    )


def text_of(folder: bytes, name_value_ccsid: int, encoding: int) -> str | None:
    """The text of a folder, or None if the bytes are invalid in that character set."""
    try:
        return folder.decode(codec_of(name_value_ccsid, encoding) or "utf_8")
    except UnicodeDecodeError:
        return None


def folder_of(text: str, name_value_ccsid: int = UTF_8, encoding: int = NATIVE) -> bytes:
    """The bytes of a folder, padded with blanks to a multiple of 4."""
    codec = codec_of(name_value_ccsid, encoding) or "utf_8"
    blank = " ".encode(codec)
    data = text.encode(codec)
    return data + blank * (-len(data) % _MULTIPLE // len(blank))
