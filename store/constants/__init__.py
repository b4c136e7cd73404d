"""The named numbers and texts of the MQI and of PCF, one class per family: MQRC.Q_FULL, MQGMO.WAIT,
MQFMT.STRING.

- Families of options (MQGMO, MQPMO, MQOO, MQRO, MQMO, MQCO, MQMF, MQSO, MQSRO) are IntFlag and keep
  bits that have no name.
- Families of numbers are IntEnum.
- Families that hold texts or bytes (MQFMT, MQCI, the structure identifiers in MQMD, MQDLH ...),
  lengths (MQ) and encodings (MQENC) are classes with plain attributes. Texts have no padding beyond
  their value.

Where several names share a number, the first is the number's main name. A name that would start
with a digit starts with an underscore instead.

Each family has a file with its name. It is loaded when the family is first used: all of them cost a
tenth of a second.
"""

from typing import TYPE_CHECKING

from mqsc.store.constants.naming import (
    families as families,
    family_named,
    name_of as name_of,
    value_of as value_of,
)

if TYPE_CHECKING:
    from mqsc.store.constants.mq import MQ as MQ
    from mqsc.store.constants.mqact import MQACT as MQACT
    from mqsc.store.constants.mqactive import MQACTIVE as MQACTIVE
    from mqsc.store.constants.mqactp import MQACTP as MQACTP
    from mqsc.store.constants.mqactt import MQACTT as MQACTT
    from mqsc.store.constants.mqadpctx import MQADPCTX as MQADPCTX
    from mqsc.store.constants.mqappl import MQAPPL as MQAPPL
    from mqsc.store.constants.mqas import MQAS as MQAS
    from mqsc.store.constants.mqat import MQAT as MQAT
    from mqsc.store.constants.mqausc import MQAUSC as MQAUSC
    from mqsc.store.constants.mqauth import MQAUTH as MQAUTH
    from mqsc.store.constants.mqauthenticate import MQAUTHENTICATE as MQAUTHENTICATE
    from mqsc.store.constants.mqauthopt import MQAUTHOPT as MQAUTHOPT
    from mqsc.store.constants.mqautoclus import MQAUTOCLUS as MQAUTOCLUS
    from mqsc.store.constants.mqbacf import MQBACF as MQBACF
    from mqsc.store.constants.mqbalanced import MQBALANCED as MQBALANCED
    from mqsc.store.constants.mqbalstate import MQBALSTATE as MQBALSTATE
    from mqsc.store.constants.mqbmho import MQBMHO as MQBMHO
    from mqsc.store.constants.mqbnd import MQBND as MQBND
    from mqsc.store.constants.mqbo import MQBO as MQBO
    from mqsc.store.constants.mqbplocation import MQBPLOCATION as MQBPLOCATION
    from mqsc.store.constants.mqbt import MQBT as MQBT
    from mqsc.store.constants.mqca import MQCA as MQCA
    from mqsc.store.constants.mqcacf import MQCACF as MQCACF
    from mqsc.store.constants.mqcach import MQCACH as MQCACH
    from mqsc.store.constants.mqcafty import MQCAFTY as MQCAFTY
    from mqsc.store.constants.mqcamo import MQCAMO as MQCAMO
    from mqsc.store.constants.mqcap import MQCAP as MQCAP
    from mqsc.store.constants.mqcaut import MQCAUT as MQCAUT
    from mqsc.store.constants.mqcbct import MQCBCT as MQCBCT
    from mqsc.store.constants.mqcbdo import MQCBDO as MQCBDO
    from mqsc.store.constants.mqcbt import MQCBT as MQCBT
    from mqsc.store.constants.mqcc import MQCC as MQCC
    from mqsc.store.constants.mqccsi import MQCCSI as MQCCSI
    from mqsc.store.constants.mqcf import MQCF as MQCF
    from mqsc.store.constants.mqcfaccess import MQCFACCESS as MQCFACCESS
    from mqsc.store.constants.mqcfbf import MQCFBF as MQCFBF
    from mqsc.store.constants.mqcfbs import MQCFBS as MQCFBS
    from mqsc.store.constants.mqcfc import MQCFC as MQCFC
    from mqsc.store.constants.mqcfh import MQCFH as MQCFH
    from mqsc.store.constants.mqcfil import MQCFIL as MQCFIL
    from mqsc.store.constants.mqcfil64 import MQCFIL64 as MQCFIL64
    from mqsc.store.constants.mqcfo import MQCFO as MQCFO
    from mqsc.store.constants.mqcfop import MQCFOP as MQCFOP
    from mqsc.store.constants.mqcfsf import MQCFSF as MQCFSF
    from mqsc.store.constants.mqcfsl import MQCFSL as MQCFSL
    from mqsc.store.constants.mqcfst import MQCFST as MQCFST
    from mqsc.store.constants.mqcfstatus import MQCFSTATUS as MQCFSTATUS
    from mqsc.store.constants.mqcft import MQCFT as MQCFT
    from mqsc.store.constants.mqcftype import MQCFTYPE as MQCFTYPE
    from mqsc.store.constants.mqchids import MQCHIDS as MQCHIDS
    from mqsc.store.constants.mqchk import MQCHK as MQCHK
    from mqsc.store.constants.mqchla import MQCHLA as MQCHLA
    from mqsc.store.constants.mqchld import MQCHLD as MQCHLD
    from mqsc.store.constants.mqchrr import MQCHRR as MQCHRR
    from mqsc.store.constants.mqchs import MQCHS as MQCHS
    from mqsc.store.constants.mqchsh import MQCHSH as MQCHSH
    from mqsc.store.constants.mqchsr import MQCHSR as MQCHSR
    from mqsc.store.constants.mqchsstate import MQCHSSTATE as MQCHSSTATE
    from mqsc.store.constants.mqcht import MQCHT as MQCHT
    from mqsc.store.constants.mqchtab import MQCHTAB as MQCHTAB
    from mqsc.store.constants.mqci import MQCI as MQCI
    from mqsc.store.constants.mqclct import MQCLCT as MQCLCT
    from mqsc.store.constants.mqclroute import MQCLROUTE as MQCLROUTE
    from mqsc.store.constants.mqclrs import MQCLRS as MQCLRS
    from mqsc.store.constants.mqclrt import MQCLRT as MQCLRT
    from mqsc.store.constants.mqclst import MQCLST as MQCLST
    from mqsc.store.constants.mqclxq import MQCLXQ as MQCLXQ
    from mqsc.store.constants.mqcmd import MQCMD as MQCMD
    from mqsc.store.constants.mqcmdi import MQCMDI as MQCMDI
    from mqsc.store.constants.mqcmho import MQCMHO as MQCMHO
    from mqsc.store.constants.mqcno import MQCNO as MQCNO
    from mqsc.store.constants.mqco import MQCO as MQCO
    from mqsc.store.constants.mqcompress import MQCOMPRESS as MQCOMPRESS
    from mqsc.store.constants.mqcopy import MQCOPY as MQCOPY
    from mqsc.store.constants.mqcs import MQCS as MQCS
    from mqsc.store.constants.mqctlo import MQCTLO as MQCTLO
    from mqsc.store.constants.mqdc import MQDC as MQDC
    from mqsc.store.constants.mqdcc import MQDCC as MQDCC
    from mqsc.store.constants.mqdelo import MQDELO as MQDELO
    from mqsc.store.constants.mqdisconnect import MQDISCONNECT as MQDISCONNECT
    from mqsc.store.constants.mqdl import MQDL as MQDL
    from mqsc.store.constants.mqdlh import MQDLH as MQDLH
    from mqsc.store.constants.mqdlv import MQDLV as MQDLV
    from mqsc.store.constants.mqdmpo import MQDMPO as MQDMPO
    from mqsc.store.constants.mqdopt import MQDOPT as MQDOPT
    from mqsc.store.constants.mqec import MQEC as MQEC
    from mqsc.store.constants.mqei import MQEI as MQEI
    from mqsc.store.constants.mqenc import MQENC as MQENC
    from mqsc.store.constants.mqeph import MQEPH as MQEPH
    from mqsc.store.constants.mqero import MQERO as MQERO
    from mqsc.store.constants.mqet import MQET as MQET
    from mqsc.store.constants.mqevo import MQEVO as MQEVO
    from mqsc.store.constants.mqevr import MQEVR as MQEVR
    from mqsc.store.constants.mqexpi import MQEXPI as MQEXPI
    from mqsc.store.constants.mqext import MQEXT as MQEXT
    from mqsc.store.constants.mqextattrs import MQEXTATTRS as MQEXTATTRS
    from mqsc.store.constants.mqfb import MQFB as MQFB
    from mqsc.store.constants.mqfc import MQFC as MQFC
    from mqsc.store.constants.mqfield import MQFIELD as MQFIELD
    from mqsc.store.constants.mqfmt import MQFMT as MQFMT
    from mqsc.store.constants.mqfs import MQFS as MQFS
    from mqsc.store.constants.mqfsenc import MQFSENC as MQFSENC
    from mqsc.store.constants.mqgacf import MQGACF as MQGACF
    from mqsc.store.constants.mqgi import MQGI as MQGI
    from mqsc.store.constants.mqgmo import MQGMO as MQGMO
    from mqsc.store.constants.mqgs import MQGS as MQGS
    from mqsc.store.constants.mqgur import MQGUR as MQGUR
    from mqsc.store.constants.mqhc import MQHC as MQHC
    from mqsc.store.constants.mqho import MQHO as MQHO
    from mqsc.store.constants.mqhstate import MQHSTATE as MQHSTATE
    from mqsc.store.constants.mqia import MQIA as MQIA
    from mqsc.store.constants.mqiacf import MQIACF as MQIACF
    from mqsc.store.constants.mqiach import MQIACH as MQIACH
    from mqsc.store.constants.mqiamo import MQIAMO as MQIAMO
    from mqsc.store.constants.mqiamo64 import MQIAMO64 as MQIAMO64
    from mqsc.store.constants.mqiav import MQIAV as MQIAV
    from mqsc.store.constants.mqido import MQIDO as MQIDO
    from mqsc.store.constants.mqigq import MQIGQ as MQIGQ
    from mqsc.store.constants.mqimmreason import MQIMMREASON as MQIMMREASON
    from mqsc.store.constants.mqimpo import MQIMPO as MQIMPO
    from mqsc.store.constants.mqinbd import MQINBD as MQINBD
    from mqsc.store.constants.mqis import MQIS as MQIS
    from mqsc.store.constants.mqit import MQIT as MQIT
    from mqsc.store.constants.mqkai import MQKAI as MQKAI
    from mqsc.store.constants.mqldap import MQLDAP as MQLDAP
    from mqsc.store.constants.mqldapc import MQLDAPC as MQLDAPC
    from mqsc.store.constants.mqlogtype import MQLOGTYPE as MQLOGTYPE
    from mqsc.store.constants.mqlr import MQLR as MQLR
    from mqsc.store.constants.mqmatch import MQMATCH as MQMATCH
    from mqsc.store.constants.mqmcas import MQMCAS as MQMCAS
    from mqsc.store.constants.mqmcat import MQMCAT as MQMCAT
    from mqsc.store.constants.mqmcp import MQMCP as MQMCP
    from mqsc.store.constants.mqmd import MQMD as MQMD
    from mqsc.store.constants.mqmd1 import MQMD1 as MQMD1
    from mqsc.store.constants.mqmd2 import MQMD2 as MQMD2
    from mqsc.store.constants.mqmde import MQMDE as MQMDE
    from mqsc.store.constants.mqmds import MQMDS as MQMDS
    from mqsc.store.constants.mqmf import MQMF as MQMF
    from mqsc.store.constants.mqmhbo import MQMHBO as MQMHBO
    from mqsc.store.constants.mqmi import MQMI as MQMI
    from mqsc.store.constants.mqmlp import MQMLP as MQMLP
    from mqsc.store.constants.mqmo import MQMO as MQMO
    from mqsc.store.constants.mqmode import MQMODE as MQMODE
    from mqsc.store.constants.mqmon import MQMON as MQMON
    from mqsc.store.constants.mqmt import MQMT as MQMT
    from mqsc.store.constants.mqmtok import MQMTOK as MQMTOK
    from mqsc.store.constants.mqmulc import MQMULC as MQMULC
    from mqsc.store.constants.mqnpm import MQNPM as MQNPM
    from mqsc.store.constants.mqnpms import MQNPMS as MQNPMS
    from mqsc.store.constants.mqnsh import MQNSH as MQNSH
    from mqsc.store.constants.mqod import MQOD as MQOD
    from mqsc.store.constants.mqol import MQOL as MQOL
    from mqsc.store.constants.mqoo import MQOO as MQOO
    from mqsc.store.constants.mqop import MQOP as MQOP
    from mqsc.store.constants.mqoper import MQOPER as MQOPER
    from mqsc.store.constants.mqopmode import MQOPMODE as MQOPMODE
    from mqsc.store.constants.mqot import MQOT as MQOT
    from mqsc.store.constants.mqpa import MQPA as MQPA
    from mqsc.store.constants.mqpageclas import MQPAGECLAS as MQPAGECLAS
    from mqsc.store.constants.mqpbc import MQPBC as MQPBC
    from mqsc.store.constants.mqpd import MQPD as MQPD
    from mqsc.store.constants.mqper import MQPER as MQPER
    from mqsc.store.constants.mqpl import MQPL as MQPL
    from mqsc.store.constants.mqpmo import MQPMO as MQPMO
    from mqsc.store.constants.mqpmrf import MQPMRF as MQPMRF
    from mqsc.store.constants.mqpo import MQPO as MQPO
    from mqsc.store.constants.mqpri import MQPRI as MQPRI
    from mqsc.store.constants.mqproto import MQPROTO as MQPROTO
    from mqsc.store.constants.mqps import MQPS as MQPS
    from mqsc.store.constants.mqpsct import MQPSCT as MQPSCT
    from mqsc.store.constants.mqpsm import MQPSM as MQPSM
    from mqsc.store.constants.mqpsprop import MQPSPROP as MQPSPROP
    from mqsc.store.constants.mqpsst import MQPSST as MQPSST
    from mqsc.store.constants.mqpubo import MQPUBO as MQPUBO
    from mqsc.store.constants.mqqa import MQQA as MQQA
    from mqsc.store.constants.mqqdt import MQQDT as MQQDT
    from mqsc.store.constants.mqqf import MQQF as MQQF
    from mqsc.store.constants.mqqmdt import MQQMDT as MQQMDT
    from mqsc.store.constants.mqqmf import MQQMF as MQQMF
    from mqsc.store.constants.mqqmfac import MQQMFAC as MQQMFAC
    from mqsc.store.constants.mqqmopt import MQQMOPT as MQQMOPT
    from mqsc.store.constants.mqqmsta import MQQMSTA as MQQMSTA
    from mqsc.store.constants.mqqmt import MQQMT as MQQMT
    from mqsc.store.constants.mqqo import MQQO as MQQO
    from mqsc.store.constants.mqqs import MQQS as MQQS
    from mqsc.store.constants.mqqsgd import MQQSGD as MQQSGD
    from mqsc.store.constants.mqqsgs import MQQSGS as MQQSGS
    from mqsc.store.constants.mqqsie import MQQSIE as MQQSIE
    from mqsc.store.constants.mqqso import MQQSO as MQQSO
    from mqsc.store.constants.mqqsot import MQQSOT as MQQSOT
    from mqsc.store.constants.mqqsr import MQQSR as MQQSR
    from mqsc.store.constants.mqqsum import MQQSUM as MQQSUM
    from mqsc.store.constants.mqqt import MQQT as MQQT
    from mqsc.store.constants.mqrar import MQRAR as MQRAR
    from mqsc.store.constants.mqrc import MQRC as MQRC
    from mqsc.store.constants.mqrccf import MQRCCF as MQRCCF
    from mqsc.store.constants.mqrcn import MQRCN as MQRCN
    from mqsc.store.constants.mqrdns import MQRDNS as MQRDNS
    from mqsc.store.constants.mqrego import MQREGO as MQREGO
    from mqsc.store.constants.mqro import MQRO as MQRO
    from mqsc.store.constants.mqroute import MQROUTE as MQROUTE
    from mqsc.store.constants.mqrp import MQRP as MQRP
    from mqsc.store.constants.mqrq import MQRQ as MQRQ
    from mqsc.store.constants.mqrt import MQRT as MQRT
    from mqsc.store.constants.mqru import MQRU as MQRU
    from mqsc.store.constants.mqs import MQS as MQS
    from mqsc.store.constants.mqsbc import MQSBC as MQSBC
    from mqsc.store.constants.mqsca import MQSCA as MQSCA
    from mqsc.store.constants.mqsco import MQSCO as MQSCO
    from mqsc.store.constants.mqscope import MQSCOPE as MQSCOPE
    from mqsc.store.constants.mqsd import MQSD as MQSD
    from mqsc.store.constants.mqseccomm import MQSECCOMM as MQSECCOMM
    from mqsc.store.constants.mqsecitem import MQSECITEM as MQSECITEM
    from mqsc.store.constants.mqsecprot import MQSECPROT as MQSECPROT
    from mqsc.store.constants.mqsecsw import MQSECSW as MQSECSW
    from mqsc.store.constants.mqsectype import MQSECTYPE as MQSECTYPE
    from mqsc.store.constants.mqseg import MQSEG as MQSEG
    from mqsc.store.constants.mqseltype import MQSELTYPE as MQSELTYPE
    from mqsc.store.constants.mqsmpo import MQSMPO as MQSMPO
    from mqsc.store.constants.mqso import MQSO as MQSO
    from mqsc.store.constants.mqsp import MQSP as MQSP
    from mqsc.store.constants.mqspl import MQSPL as MQSPL
    from mqsc.store.constants.mqsqqm import MQSQQM as MQSQQM
    from mqsc.store.constants.mqsr import MQSR as MQSR
    from mqsc.store.constants.mqsro import MQSRO as MQSRO
    from mqsc.store.constants.mqss import MQSS as MQSS
    from mqsc.store.constants.mqstat import MQSTAT as MQSTAT
    from mqsc.store.constants.mqstdby import MQSTDBY as MQSTDBY
    from mqsc.store.constants.mqsub import MQSUB as MQSUB
    from mqsc.store.constants.mqsubtype import MQSUBTYPE as MQSUBTYPE
    from mqsc.store.constants.mqsus import MQSUS as MQSUS
    from mqsc.store.constants.mqsyncpoint import MQSYNCPOINT as MQSYNCPOINT
    from mqsc.store.constants.mqsysobj import MQSYSOBJ as MQSYSOBJ
    from mqsc.store.constants.mqsysp import MQSYSP as MQSYSP
    from mqsc.store.constants.mqta import MQTA as MQTA
    from mqsc.store.constants.mqtc import MQTC as MQTC
    from mqsc.store.constants.mqtime import MQTIME as MQTIME
    from mqsc.store.constants.mqtm import MQTM as MQTM
    from mqsc.store.constants.mqtmc import MQTMC as MQTMC
    from mqsc.store.constants.mqtmc2 import MQTMC2 as MQTMC2
    from mqsc.store.constants.mqtrigger import MQTRIGGER as MQTRIGGER
    from mqsc.store.constants.mqtt import MQTT as MQTT
    from mqsc.store.constants.mqtype import MQTYPE as MQTYPE
    from mqsc.store.constants.mqua import MQUA as MQUA
    from mqsc.store.constants.mquci import MQUCI as MQUCI
    from mqsc.store.constants.mquidsupp import MQUIDSUPP as MQUIDSUPP
    from mqsc.store.constants.mqundelivered import MQUNDELIVERED as MQUNDELIVERED
    from mqsc.store.constants.mquowst import MQUOWST as MQUOWST
    from mqsc.store.constants.mquowt import MQUOWT as MQUOWT
    from mqsc.store.constants.mqus import MQUS as MQUS
    from mqsc.store.constants.mqusage import MQUSAGE as MQUSAGE
    from mqsc.store.constants.mqusedlq import MQUSEDLQ as MQUSEDLQ
    from mqsc.store.constants.mqvu import MQVU as MQVU
    from mqsc.store.constants.mqwi import MQWI as MQWI
    from mqsc.store.constants.mqws import MQWS as MQWS
    from mqsc.store.constants.mqxact import MQXACT as MQXACT
    from mqsc.store.constants.mqxdr import MQXDR as MQXDR
    from mqsc.store.constants.mqxepo import MQXEPO as MQXEPO
    from mqsc.store.constants.mqxp import MQXP as MQXP
    from mqsc.store.constants.mqxqh import MQXQH as MQXQH
else:

    def __getattr__(name: str) -> type:
        found = globals()[name] = family_named(name)
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *families()})
