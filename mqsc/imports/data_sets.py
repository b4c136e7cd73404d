"""Data sets of z/OS: their records, which have a fixed length and may be in EBCDIC."""

# The length of a record, and that of the text before its sequence number.
_RECORD = 80
_READ = 72
_DEFINE = "DEFINE".encode("cp037")
# Code page 1047 has these characters where 037 has the others.
_1047 = str.maketrans("\xdd\xa8\xac^[]", "[]^\xac\xdd\xa8")


def records_of(content: bytes) -> list[str]:
    """The records of a data set, without their sequence numbers."""
    ebcdic = _DEFINE in content[: 200 * _RECORD]
    text = (
        content.decode("cp037").translate(_1047)
        if ebcdic
        else content.decode("utf-8", "surrogateescape")
    )
    lines = [line.rstrip("\r") for line in text.replace("\x85", "\n").split("\n")]
    if len(lines) == 1 and len(text) % _RECORD == 0:
        lines = [text[at : at + _RECORD] for at in range(0, len(text), _RECORD)]
    fixed = all(
        len(line) == _RECORD and not line[_READ:].strip(" 0123456789") for line in lines if line
    )
    return [line[:_READ] for line in lines] if fixed else lines
