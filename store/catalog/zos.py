"""The attributes of the kinds of object that only z/OS has: stored, without effect here."""

from __future__ import annotations

from store.catalog import common
from store.catalog.attribute import Attribute, defined
from store.catalog.kind import make_kind
from store.catalog.types import Name, Number, Stored, Text, Type, Word

_YES = Word(("YES", "NO"))
_PERCENT = Number(0, 100)
_SIZE = Text(3)


def _zos(keyword: str, type: Type, default: Stored, help: str, display_filter: Type | None = None) -> Attribute:
    return defined(keyword, type, default, help, platform="zos", hidden=False, display_filter=display_filter)


STGCLASS = make_kind(
    "STGCLASS",
    (
        common.DESCR,
        _zos("PASSTKTA", Text(8), "", "The application for which pass tickets are validated."),
        _zos("PSID", Number(0, 99), 0, "The page set that stores the messages.", display_filter=Number(0, 99)),
        _zos("XCFGNAME", Text(8), "", "The XCF group of the IMS system."),
        _zos("XCFMNAME", Text(16), "", "The XCF member name of the IMS system."),
        *common.GROUP_OPTIONS,
        *common.ALTERED_AT,
    ),
    "STGCLASS PSID XCFGNAME XCFMNAME PASSTKTA DESCR ALTDATE ALTTIME",
    Name(8, plain=True),
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
        _zos("CFCONLOS", Word(("TERMINATE", "TOLERATE", "ASQMGR")), "ASQMGR",
             "What happens when the connection to the structure is lost."),
        _zos("CFLEVEL", Number(1, 5), 3, "The functional level of the structure."),
        _zos("OFFLOAD", Word(("SMDS", "DB2")), "SMDS",
             "Where large messages are stored instead of in the structure."),
        _zos("RECAUTO", _YES, "YES", "Whether the structure is recovered automatically."),
        _zos("RECOVER", _YES, "NO", "Whether the structure can be recovered."),
        _zos("DSGROUP", Text(44), "", "The generic name of the shared message data sets."),
        _zos("DSBLOCK", Word(("8K", "16K", "32K", "64K", "128K", "256K", "512K", "1M")), "256K",
             "The block size of the shared message data sets."),
        _zos("DSBUFS", Number(1, 9999), 100, "The number of buffers for each shared message data set."),
        _zos("DSEXPAND", _YES, "YES", "Whether the shared message data sets are expanded when they are full."),
        *(
            _zos(f"OFFLD{rule}{suffix}", type, default, help)
            for rule, full, size in ((1, 70, "32K"), (2, 80, "4K"), (3, 90, "0K"))
            for suffix, type, default, help in (
                ("TH", _PERCENT, full, f"The percentage of use of the structure at which offload rule {rule} applies."),
                ("SZ", _SIZE, size, f"The message size from which offload rule {rule} applies."),
            )
        ),
        *common.ALTERED_AT,
    ),
    "CFSTRUCT CFLEVEL CFCONLOS DESCR DSBLOCK DSBUFS DSEXPAND DSGROUP OFFLOAD OFFLD1SZ OFFLD1TH OFFLD2SZ OFFLD2TH"
    " OFFLD3SZ OFFLD3TH RECAUTO RECOVER ALTDATE ALTTIME",
    Name(12, plain=True),
    synonyms=(),
    namespace="cfstruct",
    heading_id="MQSC0003I",
    heading="Display CF structure details.",
    key=("CFSTRUCT",),
    platform="zos",
)  # fmt: skip
