"""Changes that need FORCE."""

from __future__ import annotations

from mqsc.store.catalog import KINDS, Stored
from mqsc.store.rules import forced_changes
from mqsc.store.rules.forced_changes import QueueUse
from tests.rows import rows

FREE = QueueUse(input_handles=0, is_open=False, has_messages=False, is_manager_alias=False)


# (kind, attribute, new value, use of the queue, whether FORCE is needed) by the FORCE rules of the
# ALTER commands.
@rows(
    ("QLOCAL", "SHARE", "NOSHARE", FREE, False),
    ("QLOCAL", "SHARE", "NOSHARE", FREE._replace(input_handles=1, is_open=True), False),
    ("QLOCAL", "SHARE", "NOSHARE", FREE._replace(input_handles=2, is_open=True), True),
    ("QLOCAL", "SHARE", "SHARE", FREE._replace(input_handles=2, is_open=True), False),
    ("QLOCAL", "USAGE", "XMITQ", FREE, False),
    ("QLOCAL", "USAGE", "XMITQ", FREE._replace(has_messages=True), True),
    ("QLOCAL", "USAGE", "NORMAL", FREE._replace(is_open=True), True),
    (
        "QLOCAL",
        "MAXDEPTH",
        1,
        FREE._replace(input_handles=2, is_open=True, has_messages=True),
        False,
    ),
    (
        "QLOCAL",
        "PUT",
        "DISABLED",
        FREE._replace(input_handles=2, is_open=True, has_messages=True),
        False,
    ),
    ("QMODEL", "USAGE", "XMITQ", FREE._replace(is_open=True), False),
    ("QALIAS", "TARGET", "B", FREE, False),
    ("QALIAS", "TARGET", "B", FREE._replace(is_open=True), True),
    ("QREMOTE", "XMITQ", "B", FREE._replace(is_open=True), True),
    ("QREMOTE", "RNAME", "B", FREE._replace(is_open=True), False),
    ("QREMOTE", "RNAME", "B", FREE._replace(is_open=True, is_manager_alias=True), True),
    ("QREMOTE", "RQMNAME", "B", FREE._replace(is_open=True, is_manager_alias=True), True),
)
def test_force_is_needed_when_programs_or_messages_are_affected(
    kind: str,
    word: str,
    value: Stored,
    use: QueueUse,
    needed: bool,
) -> None:
    changes: dict[str, tuple[Stored | None, Stored]] = {
        word: ("before", value),
        "DESCR": ("", "new"),
    }
    assert forced_changes.needs_force(KINDS[kind], changes, use) is needed
    assert forced_changes.has_marked(KINDS[kind], changes) or not needed
