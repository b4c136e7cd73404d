"""The named numbers and texts of the MQI and of PCF, one class per family: MQRC.Q_FULL, MQGMO.WAIT, MQFMT.STRING.

- Families of options (MQGMO, MQPMO, MQOO, MQRO, MQMO, MQCO, MQMF) are IntFlag and keep bits that have no name.
- Families of numbers are IntEnum.
- Families that hold texts or bytes (MQFMT, MQCI, the structure identifiers in MQMD, MQDLH ...), lengths (MQ) and
  encodings (MQENC) are classes with plain attributes. Texts have no padding beyond their value.

Where several names share a number, the first is the number's main name. A name that would start with a digit starts
with an underscore instead. To add a constant, add a line to its class; to add a family, add a class and name it in
_FAMILIES. A module is loaded when one of its families is first used, so that importing this package costs nothing.
"""

from __future__ import annotations

import enum
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from store.constants.administration import *
    from store.constants.application_types import *
    from store.constants.calls import *
    from store.constants.channel_selectors import *
    from store.constants.channel_states import *
    from store.constants.channels import *
    from store.constants.commands import *
    from store.constants.descriptor import *
    from store.constants.feedback import *
    from store.constants.lengths import *
    from store.constants.mqrc import *
    from store.constants.mqrccf import *
    from store.constants.options import *
    from store.constants.pcf import *
    from store.constants.pcf_headers import *
    from store.constants.pcf_selectors import *
    from store.constants.properties import *
    from store.constants.queues import *
    from store.constants.selectors import *
    from store.constants.structures import *

# Module to the families that it declares.
_FAMILIES = {
    "administration": """
        MQIGQ MQPL MQQMSTA MQQMT MQQSGS MQRU MQS MQUOWST MQUOWT MQUSAGE MQXACT MQACTIVE MQADPCTX MQAS
        MQAUSC MQAUTHENTICATE MQAUTOCLUS MQBPLOCATION MQBT MQCFACCESS MQCFSTATUS MQCLCT MQCLROUTE MQCLRS MQCLRT
        MQCLST MQCLXQ MQDISCONNECT MQDOPT MQERO MQFC MQFS MQFSENC MQGUR MQIDO MQINBD MQIS MQLDAP MQLDAPC
        MQLOGTYPE MQLR MQMCP MQMLP MQMULC MQNSH MQOPMODE MQPAGECLAS MQPO MQPS MQPSCT MQPSST MQPUBO MQQMDT MQQMF
        MQQMFAC MQQO MQQSUM MQREGO MQRP MQSCO MQSPL MQSTDBY MQSUBTYPE MQSUS MQSYNCPOINT MQSYSOBJ MQSYSP MQTIME
        MQUCI MQUIDSUPP
    """,
    "application_types": "MQAT",
    "calls": "MQHC MQHO MQOT MQWI MQEC MQCNO MQBO MQBND MQDELO MQIAV MQSTAT MQHSTATE",
    "channel_selectors": "MQIACH MQCACH",
    "channels": """
        MQCHSSTATE MQCHSH MQCHSR MQCHRR MQCHLA MQCHLD MQCHIDS MQCHTAB MQMCAT MQMCAS MQNPMS MQPA
        MQCAFTY MQDCC MQCOMPRESS MQUNDELIVERED MQCAUT MQKAI MQRCN MQRDNS MQPROTO MQXDR MQSCA MQUSEDLQ
        MQIMMREASON MQBALANCED MQBALSTATE MQAPPL MQQS MQQSR MQTRIGGER
    """,
    "channel_states": "MQCHT MQCHS",
    "commands": "MQCMD",
    "descriptor": """
        MQMT MQEI MQENC MQCCSI MQFMT MQPRI MQPER MQMI MQCI MQGI MQMTOK MQOL MQACT MQACTT MQGS MQSS MQSEG MQUA
        MQEXPI
    """,
    "feedback": "MQFB",
    "lengths": "MQ",
    "mqrc": "MQCC MQRC",
    "mqrccf": "MQRCCF",
    "options": "MQGMO MQPMO MQOO MQRO MQMO MQCO MQMF",
    "pcf": """
        MQCF MQCFH MQCFO MQCFOP MQCFTYPE MQCFBF MQCFBS MQCFIL MQCFIL64 MQCFSF MQCFSL MQCFST MQCMDI
        MQEVO MQEVR MQRT MQQMOPT MQMODE MQET MQEXT MQEXTATTRS MQIT MQQSOT MQOPER MQROUTE MQSELTYPE
        MQMATCH MQAUTH MQAUTHOPT MQCHK MQSECITEM MQSECSW MQSECTYPE MQSECPROT MQSECCOMM
    """,
    "pcf_headers": "MQCFT MQCFC MQRQ MQACTP",
    "pcf_selectors": "MQIACF MQCACF MQBACF MQGACF MQIAMO MQIAMO64 MQCAMO",
    "properties": """
        MQTYPE MQPD MQCOPY MQCMHO MQSMPO MQIMPO MQDMPO MQBMHO MQMHBO MQCBT MQCBDO MQCBCT MQCS MQCTLO MQOP
    """,
    "queues": """
        MQQT MQQA MQQDT MQUS MQTC MQTT MQMDS MQQSIE MQQSO MQDL MQSP MQSQQM MQCAP MQSCOPE MQQSGD MQNPM MQQF MQRAR
        MQMON
    """,
    "selectors": "MQIA MQCA",
    "structures": """
        MQMD MQMD1 MQMD2 MQMDE MQDLH MQXQH MQTM MQTMC MQTMC2 MQOD MQPMRF MQEPH MQPBC MQSBC MQXEPO MQXP MQFIELD
    """,
}
_HOMES = {family: f"store.constants.{module}" for module, families in _FAMILIES.items() for family in families.split()}


def name_of(family: str, number: int) -> str:
    """The full main name of a number in a family ("MQRC", 2053 -> "MQRC_Q_FULL"), or its digits when it has none."""
    return _names(family).get(int(number)) or str(int(number))


def value_of(name: str) -> int:
    """The number of a constant given by its full name ("MQRC_Q_FULL" -> 2053); KeyError when no number has it."""
    family, _, member = name.partition("_")
    value = getattr(_load(family), member, None) if family in _HOMES else None
    if not isinstance(value, int):
        raise KeyError(name)
    return int(value)


def families() -> tuple[str, ...]:
    """The names of all classes."""
    return tuple(_HOMES)


# Hidden from type checkers, so that they report a family that does not exist.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> type:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return _load(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})


def _load(family: str) -> Any:
    loaded = globals().get(family)
    if loaded is None:
        loaded = globals()[family] = getattr(import_module(_HOMES[family]), family)
    return loaded


@cache
def _names(family: str) -> dict[int, str]:
    declared: type = _load(family) if family in _HOMES else object
    members = declared.__members__ if isinstance(declared, enum.EnumType) else vars(declared)
    names: dict[int, str] = {}
    for member, value in members.items():
        if isinstance(value, int):
            names.setdefault(int(value), f"{family}_{member}")
    return names
