"""The here-documents of shell scripts that are MQSC."""

from __future__ import annotations

import pytest

from mqsc.lsp.regions import Region, regions


@pytest.mark.parametrize(
    ("head", "end"),
    [
        ("runmqsc QM1 <<EOF >/dev/null 2>&1", "EOF"),
        ("runmqsc QM1 << @", "@"),
        ("su - mqm -c runmqsc <<\\!END", "!END"),
        ("cat <<'E-1' | runmqsc -e $QM", "E-1"),
        ("docker exec -i mq runmqsc<<-$$", "$$"),
    ],
)
def test_here_documents(head: str, end: str) -> None:
    found = [*regions("a.sh", f"{head}\nDEFINE QLOCAL(A)\n{end}\necho\n")]
    assert found == [Region("mqsc", 1, 0, ["DEFINE QLOCAL(A)"])]


@pytest.mark.parametrize(
    "head",
    ["cat <<EOF", "# runmqsc QM1 <<EOF", "runmqsc <<<EOF", "runmqsc QM1 < EOF"],
)
def test_what_is_no_here_document_of_runmqsc(head: str) -> None:
    assert [*regions("a.sh", f"{head}\nDEFINE QLOCAL(A)\nEOF\n")] == []
