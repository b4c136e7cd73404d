"""The pictures of the documentation are those of the program as it is; python -m
tests.docs.pictures makes them.
"""

from __future__ import annotations

from hashlib import sha256

from tests.docs.pictures import PICTURES, SOURCES, digest_in, said, shell_picture
from tests.rows import rows

LARGEST = 200_000


def test_the_session_of_the_shell_is_not_stale() -> None:
    assert said((PICTURES / "shell.svg").read_text("utf-8")) == said(shell_picture())


@rows(*SOURCES)
def test_a_picture_is_made_from_what_is_there_now(name: str) -> None:
    """Without a browser, which draws the same page differently from one version to the next."""
    picture = (PICTURES / name).read_bytes()
    assert len(picture) < LARGEST
    assert digest_in(picture).decode() == sha256(SOURCES[name]()).hexdigest()
