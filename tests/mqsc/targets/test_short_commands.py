"""Commands of a dump without what their default object has, too."""

from __future__ import annotations

from mqsc.targets.short_commands import shortened
from tests.rows import rows

DEFAULT = (
    "DEFINE QLOCAL('SYSTEM.DEFAULT.LOCAL.QUEUE') MAXDEPTH(9) DESCR('it''s (a) b') NEW(1) REPLACE"
)


@rows(
    # Of the default object in the dump, and of that of a new queue manager if it has none.
    (
        "DEFINE QLOCAL('A') MAXDEPTH(9) GET(DISABLED) REPLACE",
        "DEFINE QLOCAL('A') GET(DISABLED) REPLACE",
    ),
    (
        "DEFINE QLOCAL('A') DESCR('it''s (a) b') MAXDEPTH(8) REPLACE",
        "DEFINE QLOCAL('A') MAXDEPTH(8) REPLACE",
    ),
    (
        "DEFINE QALIAS('A') TARGET('B') PUT(ENABLED) REPLACE",
        "DEFINE QALIAS('A') TARGET('B') REPLACE",
    ),
    # What the catalog does not know stays, and so do all other commands.
    ("DEFINE QLOCAL('A') NEW(1) MAXDEPTH(9)", "DEFINE QLOCAL('A') NEW(1)"),
    (DEFAULT, DEFAULT),
    ("DEFINE NAMELIST('A') NAMES('A','B') REPLACE", "DEFINE NAMELIST('A') NAMES('A','B') REPLACE"),
    (
        "DEFINE CHANNEL('A') CHLTYPE(SDR) MAXMSGL(4194304)",
        "DEFINE CHANNEL('A') CHLTYPE(SDR) MAXMSGL(4194304)",
    ),
    (
        "DEFINE QLOCAL('A') LIKE('B') MAXDEPTH(9)",
        "DEFINE QLOCAL('A') LIKE('B') MAXDEPTH(9)",
    ),
    ("ALTER QLOCAL('A') MAXDEPTH(9)", "ALTER QLOCAL('A') MAXDEPTH(9)"),
    ("ALTER QMGR MAXHANDS(256)", "ALTER QMGR MAXHANDS(256)"),
    ("DEFINE QLOCAL('A') MAXDEPTH(9) +", "DEFINE QLOCAL('A') MAXDEPTH(9) +"),
    ("DEFINE QLOCAL('A') MAXDEPTH(9) DESCR('open", "DEFINE QLOCAL('A') MAXDEPTH(9) DESCR('open"),
    ("* a comment", "* a comment"),
    ("", ""),
)
def test_only_what_is_the_same_is_left_out(line: str, short: str) -> None:
    """N12: wherever the default object is in the dump."""
    assert shortened([line, DEFAULT]) == [short, DEFAULT]
    assert shortened([DEFAULT, line]) == [DEFAULT, short]


@rows(
    # As dmpmqcfg of this product writes it.
    ("ALTER QLOCAL('SYSTEM.DEFAULT.LOCAL.QUEUE') MAXDEPTH(77) GET(ENABLED)", "MAXDEPTH(5000)"),
    # In another form than that of dmpmqcfg, nothing is known of it.
    ("alter ql(SYSTEM.DEFAULT.LOCAL.QUEUE) maxdepth(77)", "MAXDEPTH(5000) GET(ENABLED)"),
    ("DEFINE QLOCAL('SYSTEM.DEFAULT.LOCAL.QUEUE') +", "MAXDEPTH(5000) GET(ENABLED)"),
)
def test_a_default_object_that_was_changed(default: str, left: str) -> None:
    """A value as of a new queue manager differs from a changed default, and must be kept."""
    line = "DEFINE QLOCAL('A') MAXDEPTH(5000) GET(ENABLED)"
    assert shortened([default, line]) == [default, f"DEFINE QLOCAL('A') {left}"]


def test_records_of_a_default_object_do_not_count() -> None:
    record = "SET AUTHREC PROFILE('SYSTEM.DEFAULT.LOCAL.QUEUE') OBJTYPE(QUEUE) GROUP('g')"
    line = "DEFINE QLOCAL('A') MAXDEPTH(9)"
    assert shortened([DEFAULT, record, line]) == [DEFAULT, record, "DEFINE QLOCAL('A')"]


def test_a_line_of_any_length_is_looked_at() -> None:
    long = f"DEFINE QLOCAL('A') DESCR('{'x' * 10_000_000}')"
    assert shortened([long]) == [long]
