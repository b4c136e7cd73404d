"""A backup is restored."""

from __future__ import annotations

import pytest

from tests.mqsc.session import Session

pytestmark = pytest.mark.usefixtures("queues")


def test_a_backup_is_restored(session: Session) -> None:
    session("""
        put A kept
        backup copy.db => ! backed up $PWD/store.db to copy.db (
            ! bytes), SHA-256
            |
        put A lost
        restore copy.db => ! restored $PWD/store.db from copy.db
            ! the old store is now $PWD/store.db.before-2
        get A --all => | kept
    """)
