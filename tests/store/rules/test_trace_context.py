"""The context of a distributed trace in a message."""

import pytest

from mqsc.store.rules.trace_context import TraceContext, context_of

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


@pytest.mark.parametrize(
    ("text", "context"),
    [
        (f"00-{TRACE}-{SPAN}-01", TraceContext(TRACE, SPAN, is_sampled=True)),
        (f"00-{TRACE}-{SPAN}-00", TraceContext(TRACE, SPAN, is_sampled=False)),
        (f"00-{TRACE}-{SPAN}-03", TraceContext(TRACE, SPAN, is_sampled=True)),
        # A later version may have more.
        (f"cc-{TRACE}-{SPAN}-01-more", TraceContext(TRACE, SPAN, is_sampled=True)),
        (f"cc-{TRACE}-{SPAN}-01", TraceContext(TRACE, SPAN, is_sampled=True)),
        (f"00-{TRACE}-{SPAN}-01-more", None),
        (f"ff-{TRACE}-{SPAN}-01", None),
        (f"00-{TRACE.upper()}-{SPAN}-01", None),
        (f"00-{'0' * 32}-{SPAN}-01", None),
        (f"00-{TRACE}-{'0' * 16}-01", None),
        (f"00-{TRACE}-{SPAN}-01\n", None),
        (f"cc-{TRACE}-{SPAN}-01-\x1b[31m", None),
        ("", None),
        (7, None),
        (None, None),
    ],
)
def test_only_a_valid_value_is_a_context(text: object, context: TraceContext | None) -> None:
    assert context_of(text) == context
