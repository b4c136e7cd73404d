"""The objects of `mqsc qmgr create --dev`: those of IBM's image, and what the lint rules say of
them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mqsc
from mqsc.language.developer_objects import DEVELOPER_OBJECTS
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from tests.mqsc.conftest import Command

SHOWN = (
    "QUEUE(DEV.*)",
    "TOPIC(DEV.*)",
    "AUTHINFO(DEV.*)",
    "CHANNEL(DEV.*)",
    "CHLAUTH(*)",
    "AUTHREC",
)
# Descriptions are ours, and times differ.
NOT_COMPARED = frozenset({"DESCR", "ALTDATE", "ALTTIME", "CRDATE", "CRTIME"})


def defined(qmgr: QueueManager) -> Iterator[dict[str, Any]]:
    """What the script may have defined, as rows of DISPLAY."""
    for shown in SHOWN:
        (reply,) = mqsc.run(qmgr, f"DISPLAY {shown} ALL", check=True)
        for row in reply.rows:
            yield {word: value for word, value in row.items() if word not in NOT_COMPARED}
    (reply,) = mqsc.run(qmgr, "DISPLAY QMGR DEADQ CONNAUTH", check=True)
    yield {word: value for word, value in reply.rows[0].items() if word != "QMNAME"}


def test_they_are_those_of_ibms_image(corpus: Path, store: Store) -> None:
    (template,) = (corpus / "mqsc").glob("*__10-dev.mqsc.tpl")
    theirs, ours = store.create_queue_manager("QM1"), store.create_queue_manager("QM2")
    mqsc.run(theirs, template.read_text("utf-8").replace("{{ .ChckClnt }}", "ASQMGR"), check=True)
    mqsc.run(ours, DEVELOPER_OBJECTS.read_text("utf-8"), check=True)
    assert list(defined(ours)) == list(defined(theirs))


def test_they_can_be_defined_again_and_the_checker_is_content(
    mqsc: Command,
    tmp_path: Path,
) -> None:
    (tmp_path / "developer.mqsc").write_bytes(DEVELOPER_OBJECTS.read_bytes())
    mqsc("qmgr", "create", "QM1", "--dev")
    assert mqsc("run", "developer.mqsc").code == 0
    assert mqsc("check", "developer.mqsc").code == 0
