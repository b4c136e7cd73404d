"""The layout of a message as printed by amqsbcg: the whole page."""

from __future__ import annotations

import pytest

from mqsc.ibm.samples import dump_lines
from store import Message, MessageDescriptor

NONE = "0" * 48
BLANK = " " * 48
PAGE = f"""\
****Message descriptor****

  StrucId  : 'MD  '  Version : 2
  Report   : 2097152  MsgType : 1
  Expiry   : 300  Feedback : 0
  Encoding : 273  CodedCharSetId : 819
  Format : 'MQSTR   '
  Priority : 9  Persistence : 1
  MsgId : X'4142{"0" * 44}'
  CorrelId : X'{NONE}'
  BackoutCount : 2
  ReplyToQ       : '{"ANSWERS":<48}'
  ReplyToQMgr    : '{BLANK}'
  ** Identity Context
  UserIdentifier : 'ann         '
  AccountingToken :
   X'{"0" * 64}'
  ApplIdentityData : '{" " * 32}'
  ** Origin Context
  PutApplType    : '6'
  PutApplName    : '{"amqsput":<28}'
  PutDate  : '20231114'    PutTime  : '22132000'
  ApplOriginData : '    '

  GroupId : X'{NONE}'
  MsgSeqNumber   : '1'
  Offset         : '0'
  MsgFlags       : '0'
  OriginalLength : '-1'

****   Message      ****

 length - 20 of 20 bytes

00000000:  666F 7572 2062 7974 6573 2061 6E64 20C3 'four bytes and .'
00000010:  A400 7E7F                               '..~.            '
"""


def test_the_page() -> None:
    descriptor = MessageDescriptor(
        report=2097152,
        msg_type=1,
        expiry=300,
        encoding=273,
        coded_char_set_id=819,
        format="MQSTR",
        priority=9,
        persistence=1,
        msg_id=b"AB",
        backout_count=2,
        reply_to_q="ANSWERS",
        user_identifier="ann",
        put_appl_type=6,
        put_appl_name="amqsput",
        put_date="20231114",
        put_time="22132000",
    )
    assert "\n".join(dump_lines(Message("four bytes and ä".encode() + b"\0~\x7f", descriptor))) + "\n" == PAGE + "\n"


@pytest.mark.parametrize(("length", "lines"), [(0, 0), (1, 1), (16, 1), (17, 2)])
def test_lines_of_sixteen_bytes(length: int, lines: int) -> None:
    found = [line for line in dump_lines(Message(b"x" * length)) if line.startswith("000000")]
    assert len(found) == lines
    assert {len(line) for line in found} <= {len("00000000:  ") + 39 + 1 + 18}
