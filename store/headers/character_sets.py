"""Coded character set identifiers (CCSIDs) and the Python codecs for them."""

from __future__ import annotations

from mqsc.store.constants import MQCCSI, MQENC
from mqsc.store.table import cells

INTEGER_MASK, INTEGER_NORMAL = int(MQENC.INTEGER_MASK), int(MQENC.INTEGER_NORMAL)


# Each supported character set with its codec. The byte order of UTF-16 with CCSID 1200 or 17584
# follows the Encoding of the message: `codec_of` uses the big-endian codec here unless the encoding
# is little-endian.
CODECS = {
    int(ccsid): codec for ccsid, codec in cells(__file__, "character_sets.csv", ("ccsid", "codec"))
}
# Q_MGR is the CCSID of the queue manager, which is 1208 unless it was altered.
Q_MGR, UTF_8 = int(MQCCSI.Q_MGR), 1208
# Character sets in which a character takes two bytes or more.
WIDE = frozenset((1200, 1202, 13488, 17584))
# Their byte order is that of the integers in the message.
_BYTE_ORDER_OF_ENCODING = frozenset((1200, 17584))
_INTEGER_REVERSED, _NORMAL = int(MQENC.INTEGER_REVERSED), int(MQENC.NORMAL)


def codec_of(ccsid: int, encoding: int = _NORMAL) -> str | None:
    """The Python codec for a CCSID, or None if it is unsupported; `encoding` sets the byte order of
    UTF-16.

    0 (MQCCSI_Q_MGR) means 1208, the default CCSID of a queue manager.
    """
    if ccsid in _BYTE_ORDER_OF_ENCODING and encoding & INTEGER_MASK == _INTEGER_REVERSED:
        return "utf_16_le"
    return CODECS.get(ccsid or UTF_8)
