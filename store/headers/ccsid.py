"""Coded character set identifiers (CCSIDs) and the Python codecs for them."""

from __future__ import annotations

from store.constants import MQCCSI, MQENC

# Each supported character set with its codec. The byte order of UTF-16 with CCSID 1200 or 17584 follows the Encoding of
# the message: `codec_of` uses the big-endian codec here unless the encoding is little-endian.
_TABLE = """
    37=cp037 273=cp273 367=ascii 424=cp424 437=cp437 500=cp500 720=cp720 737=cp737 775=cp775 813=iso8859_7
    819=latin_1 850=cp850 852=cp852 855=cp855 856=cp856 857=cp857 858=cp858 860=cp860 861=cp861 862=cp862 863=cp863
    864=cp864 865=cp865 866=cp866 869=cp869 874=cp874 875=cp875 878=koi8_r 912=iso8859_2 913=iso8859_3 914=iso8859_4
    915=iso8859_5 916=iso8859_8 920=iso8859_9 921=iso8859_13 923=iso8859_15 943=cp932 949=cp949 950=cp950 954=euc_jp
    970=euc_kr 1026=cp1026 1051=hp_roman8 1089=iso8859_6 1125=cp1125 1140=cp1140 1168=koi8_u 1200=utf_16_be
    1202=utf_16_le 1208=utf_8 1250=cp1250 1251=cp1251 1252=cp1252 1253=cp1253 1254=cp1254 1255=cp1255 1256=cp1256
    1257=cp1257 1258=cp1258 1381=gb2312 1386=gbk 1392=gb18030 5348=cp1252 13488=utf_16_be 17584=utf_16_be
"""
ROWS = tuple((int(ccsid), codec) for ccsid, codec in (each.split("=") for each in _TABLE.split()))
CODECS = dict(ROWS)
# Q_MGR is the CCSID of the queue manager, which is 1208 unless it was altered.
Q_MGR, UTF_8 = int(MQCCSI.Q_MGR), 1208
# Character sets in which a character takes two bytes or more.
WIDE = frozenset((1200, 1202, 13488, 17584))
# Their byte order is that of the integers in the message.
_BYTE_ORDER_OF_ENCODING = frozenset((1200, 17584))
_INTEGER_MASK, _INTEGER_REVERSED, _NORMAL = int(MQENC.INTEGER_MASK), int(MQENC.INTEGER_REVERSED), int(MQENC.NORMAL)


def codec_of(ccsid: int, encoding: int = _NORMAL) -> str | None:
    """The Python codec for a CCSID, or None if it is unsupported; `encoding` sets the byte order of UTF-16.

    0 (MQCCSI_Q_MGR) means 1208, the default CCSID of a queue manager.
    """
    if ccsid in _BYTE_ORDER_OF_ENCODING and encoding & _INTEGER_MASK == _INTEGER_REVERSED:
        return "utf_16_le"
    return CODECS.get(ccsid or UTF_8)
