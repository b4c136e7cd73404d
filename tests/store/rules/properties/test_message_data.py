"""Properties in data of any kind: nothing fails, and what is added can be taken out again."""

from __future__ import annotations

from hypothesis import example, given, settings, strategies as st

from mqsc.store.descriptor import MessageDescriptor
from mqsc.store.headers import mqrfh2
from mqsc.store.headers.mqrfh2 import RulesHeader
from mqsc.store.rules.properties import message_data
from mqsc.store.rules.properties.property_names import PropertyName
from mqsc.store.rules.properties.property_set import Property
from tests.examples import examples

PROPERTIES = [
    Property(PropertyName("usr", "Color"), 1024, "red"),
    Property(PropertyName("f", "g.n"), 64, 5),
]
FOLDERS = [
    "<usr><Color>blue</Color><N dt='i4'>42</N></usr>",
    "<psc>x</psc>",
    "<mq><a>1</a></mq>",
    "<mcd><Msd/></mcd>",
]
HEADERS = st.lists(st.sampled_from(FOLDERS), max_size=3).map(
    lambda texts: mqrfh2.pack(RulesHeader(546, 1208, "MQSTR", tuple(map(mqrfh2.folder_of, texts)))),
)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """Return a header and data, with some bytes changed."""
    data = bytearray(draw(HEADERS) + b"data")
    for _ in range(draw(st.integers(0, 3))):
        data[draw(st.integers(0, len(data) - 1))] = draw(st.sampled_from(b"<>/&;' =\0\xff\x04"))
    return bytes(data)


HEADER = mqrfh2.pack(RulesHeader(546, 1208, "MQSTR", ()))


@settings(max_examples=examples(75))
@example(HEADER.replace(b"MQSTR", b"\xffQSTR"), "MQHRF", 546)
@example(HEADER.replace(b"MQSTR ", b"MQSTR\0"), "MQHRF", 546)
@given(
    damaged(),
    st.sampled_from(["MQHRF2", "MQHRF", "MQDEAD", "MQXMIT", "MQSTR"]),
    st.sampled_from([546, 273]),
)
def test_properties_that_were_added_can_be_taken_out(
    data: bytes,
    format: str,
    encoding: int,
) -> None:
    descriptor = MessageDescriptor(format=format, encoding=encoding, coded_char_set_id=1208)
    message_data.fault(descriptor, data)
    added = message_data.with_properties(descriptor, data, PROPERTIES, 1208)
    carried = message_data.read(*added)
    if carried is not None:
        assert list(carried.set_by_handle.values()) == PROPERTIES
        assert carried.properties[PROPERTIES[0].name].value == "red"
        shown = message_data.in_rules_header(*added, carried)
        seen = message_data.read(*shown)
        assert seen is not None
        assert seen.properties == carried.properties
        assert seen.set_by_handle == {}
        message_data.without_properties(*added, carried)
        # A Format that was padded with NUL may be padded with blanks then.
        restored, rest = message_data.without_marked(*added)
        assert restored == descriptor
        assert rest in (data, data[:20] + data[20:28].rstrip(b" \0").ljust(8) + data[28:])
