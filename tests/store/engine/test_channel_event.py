"""Events of channels."""

from __future__ import annotations

from typing import Any

import pytest

from mqsc.store.engine.channel_event import ChannelEvent
from tests.rows import rows


@rows(("ping", {}), ("batch", {"colour": 1}), ("", {}))
def test_anything_else_is_refused(cause: str, detail: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="CHANNEL has no"):
        ChannelEvent(cause, "TO.QM2", detail=detail)
