"""The attributes of what only z/OS has: storage classes and coupling-facility structures. Kept, without effect here."""

from __future__ import annotations

from store.catalog import common
from store.catalog.attribute import Attribute, defined
from store.catalog.kind import make_kind
from store.catalog.types import Name, Number, Stored, Text, Type, Word

_YES = Word(("YES", "NO"))
_PERCENT = Number(0, 100)
_SIZE = Text(3)


def _zos(keyword: str, type: Type, default: Stored, help: str, chooser: Type | None = None) -> Attribute:
    return defined(keyword, type, default, help, platform="zos", quiet=False, chooser=chooser)


STGCLASS = make_kind(
    "STGCLASS",
    (
        common.DESCR,
        _zos("PASSTKTA", Text(8), "", "The application that pass tickets are for."),
        _zos("PSID", Number(0, 99), 0, "The page set that messages are kept in.", chooser=Number(0, 99)),
        _zos("XCFGNAME", Text(8), "", "The XCF group of the IMS bridge."),
        _zos("XCFMNAME", Text(16), "", "The XCF member of IMS."),
        *common.GROUP_OPTIONS,
        *common.ALTERED_AT,
    ),
    "STGCLASS PSID XCFGNAME XCFMNAME PASSTKTA DESCR ALTDATE ALTTIME",
    Name(8),
    synonyms=("STC",),
    namespace="stgclass",
    default_objects={"": "SYSTEMST"},
    heading_id="MQSC0002I",
    heading="Display storage class details.",
    key=("STGCLASS",),
    platform="zos",
)

CFSTRUCT = make_kind(
    "CFSTRUCT",
    (
        common.DESCR,
        _zos("CFCONLOS", Word(("TERMINATE", "TOLERATE", "ASQMGR")), "ASQMGR", "What happens when it is lost."),
        _zos("CFLEVEL", Number(1, 5), 5, "What it can do."),
        _zos("OFFLOAD", Word(("NONE", "SMDS", "DB2", "BOTH")), "SMDS", "Where large messages are kept instead."),
        _zos("RECAUTO", _YES, "YES", "Whether it is recovered without being asked."),
        _zos("RECOVER", _YES, "NO", "Whether it can be recovered."),
        _zos("DSGROUP", Text(44), "", "The name of its data sets."),
        _zos("DSBLOCK", Word(("8K", "16K", "32K", "64K", "128K", "256K", "512K", "1M")), "256K",
             "The block size of its data sets."),
        _zos("DSBUFS", Number(1, 9999), 100, "How many buffers its data sets have."),
        _zos("DSEXPAND", _YES, "YES", "Whether its data sets grow."),
        *(
            _zos(f"OFFLD{rule}{suffix}", type, default, help)
            for rule, full, size in ((1, 70, "32K"), (2, 80, "4K"), (3, 90, "0K"))
            for suffix, type, default, help in (
                ("TH", _PERCENT, full, f"Percent full at which offload rule {rule} applies."),
                ("SZ", _SIZE, size, f"Size from which offload rule {rule} applies."),
            )
        ),
        *common.ALTERED_AT,
    ),
    "CFSTRUCT CFLEVEL CFCONLOS DESCR DSBLOCK DSBUFS DSEXPAND DSGROUP OFFLOAD OFFLD1SZ OFFLD1TH OFFLD2SZ OFFLD2TH"
    " OFFLD3SZ OFFLD3TH RECAUTO RECOVER ALTDATE ALTTIME",
    Name(12),
    synonyms=(),
    namespace="cfstruct",
    heading_id="MQSC0003I",
    heading="Display CF structure details.",
    key=("CFSTRUCT",),
    platform="zos",
)  # fmt: skip
