"""The attributes of what says who may do what: stored and displayed; no authority is enforced here."""

from __future__ import annotations

from typing import Any

from store.catalog import common
from store.catalog.attribute import SET, Attribute, defined, shown
from store.catalog.common import YES_NO
from store.catalog.kind import make_kind
from store.catalog.types import Custom, Items, Number, Profile, Stored, Text, Type, Word
from store.catalog.user import User

_AUTHINFO_TYPES = ("CRLLDAP", "OCSP", "IDPWOS", "IDPWLDAP")
_PASSWORDS = ("IDPWOS", "IDPWLDAP")
_LDAP = ("IDPWLDAP",)
_SERVERS = ("CRLLDAP", "IDPWLDAP")
_CHECK = Word(("NONE", "OPTIONAL", "REQUIRED", "REQDADM"))


def _ldap(keyword: str, type: Type, default: Stored, help: str) -> Attribute:
    return defined(keyword, type, default, help, only_for=_LDAP)


AUTHINFO = make_kind(
    "AUTHINFO",
    (
        defined("AUTHTYPE", Word(_AUTHINFO_TYPES), None, "What the information is for; follows the name.",
                required=True, leading=True, chooser=Word(("ALL", *_AUTHINFO_TYPES))),
        common.DESCR,
        defined("ADOPTCTX", Word(("YES", "NO")), "YES", "Whether a checked user becomes the user of the connection.",
                only_for=_PASSWORDS),
        defined("AUTHENMD", Word(("OS", "PAM")), "OS", "How the operating system checks passwords.", platform="unix",
                only_for=("IDPWOS",)),
        defined("CHCKCLNT", _CHECK, "REQDADM", "Which clients must give a password.", only_for=_PASSWORDS),
        defined("CHCKLOCL", _CHECK, "OPTIONAL", "Which local programs must give a password.", only_for=_PASSWORDS),
        defined("FAILDLAY", Number(0, 60), 1, "Seconds that a refusal takes.", only_for=_PASSWORDS),
        defined("CONNAME", Text(264), "", "Where the LDAP server is.", only_for=_SERVERS, required_for=_SERVERS),
        defined("LDAPUSER", Text(1024), "", "The user that looks things up in LDAP.", only_for=_SERVERS),
        defined("LDAPPWD", Text(32), "", "The password of that user.", only_for=_SERVERS, secret=True),
        defined("OCSPURL", Text(256), "", "Where the OCSP responder is.", only_for=("OCSP",), required_for=("OCSP",)),
        _ldap("AUTHORMD", Word(("OS", "SEARCHGRP", "SEARCHUSR", "SRCHGRPSN")), "OS", "Where groups are found."),
        _ldap("BASEDNG", Text(1024), "", "Where groups are looked for."),
        _ldap("BASEDNU", Text(1024), "", "Where users are looked for."),
        _ldap("CLASSGRP", Text(128), "", "The object class of groups."),
        _ldap("CLASSUSR", Text(128), "", "The object class of users; blank means inetOrgPerson."),
        _ldap("FINDGRP", Text(128), "", "The attribute that tells membership."),
        _ldap("GRPFIELD", Text(128), "", "The attribute that names a group."),
        _ldap("NESTGRP", YES_NO, "NO", "Whether groups of groups count."),
        _ldap("SECCOMM", Word(("NO", "YES", "ANON")), "NO", "Whether LDAP is reached over TLS."),
        _ldap("SHORTUSR", Text(128), "", "The attribute used as the short user name."),
        _ldap("USRFIELD", Text(128), "", "The attribute that a user name without one means."),
        *common.GROUP_OPTIONS,
        *common.ALTERED_AT,
    ),
    "AUTHINFO AUTHTYPE ADOPTCTX DESCR CONNAME CHCKCLNT CHCKLOCL CLASSGRP CLASSUSR FAILDLAY FINDGRP BASEDNG BASEDNU"
    " LDAPUSER LDAPPWD SHORTUSR GRPFIELD USRFIELD AUTHORMD NESTGRP SECCOMM AUTHENMD OCSPURL ALTDATE ALTTIME",
    synonyms=(),
    namespace="authinfo",
    selector="AUTHTYPE",
    default_objects={subtype: f"SYSTEM.DEFAULT.AUTHINFO.{subtype}" for subtype in _AUTHINFO_TYPES},
    heading_id="AMQ8566I",
    heading="Display authentication information details.",
    key=("AUTHINFO", "AUTHTYPE"),
)  # fmt: skip

_MAPS = ("SSLPEERMAP", "ADDRESSMAP", "USERMAP", "QMGRMAP")
_RULE_TYPES = ("BLOCKUSER", "BLOCKADDR", *_MAPS)


def _set(keyword: str, type: Type, default: Stored | None, help: str, **more: Any) -> Attribute:
    return Attribute(keyword, type, default, SET, help, **more)


CHLAUTH = make_kind(
    "CHLAUTH",
    (
        _set("TYPE", Word(_RULE_TYPES), None, "What the rule looks at; follows the profile.",
             required=True, leading=True, chooser=Word(("ALL", *_RULE_TYPES))),
        Attribute("ACTION", Word(("ADD", "REPLACE", "REMOVE", "REMOVEALL")), "ADD", frozenset({"SET"}),
                  "Whether the record is added, replaced or removed.", option=True),
        _set("ADDRESS", Text(48), "", "The addresses it is for; a pattern.", only_for=_MAPS,
             required_for=("ADDRESSMAP",)),
        _set("ADDRLIST", Items(Text(48), 256), [], "The addresses that are refused.", only_for=("BLOCKADDR",)),
        _set("CHCKCLNT", Word(("ASQMGR", "REQUIRED", "REQDADM")), "ASQMGR", "Whether the client must give a password.",
             only_for=_MAPS),
        _set("CLNTUSER", Text(64), "", "The user that the client claims.", only_for=("USERMAP",),
             required_for=("USERMAP",)),
        _set("CUSTOM", Custom(), "", "Features without an attribute of their own, as NAME(VALUE)."),
        _set("DESCR", common.DESCR.type, "", common.DESCR.help),
        _set("MCAUSER", User(12), "", "The user the channel acts as, with USERSRC(MAP).", only_for=_MAPS),
        _set("QMNAME", Text(48), "", "The partner queue manager; a pattern.", only_for=("QMGRMAP",),
             required_for=("QMGRMAP",)),
        _set("SSLCERTI", Text(1024), "", "The issuer of the partner's certificate.", only_for=("SSLPEERMAP",)),
        _set("SSLPEER", Text(1024), "", "The partner's distinguished name; a pattern.", only_for=("SSLPEERMAP",),
             required_for=("SSLPEERMAP",)),
        _set("USERLIST", Items(Text(64), 256), [], "The users that are refused.", only_for=("BLOCKUSER",)),
        _set("USERSRC", Word(("MAP", "NOACCESS", "CHANNEL")), "MAP", "Where the user comes from, or that none may in.",
             only_for=_MAPS),
        _set("WARN", YES_NO, "NO", "Whether a refusal only warns."),
        Attribute("MATCH", Word(("GENERIC", "EXACT", "RUNCHECK", "ALL")), "GENERIC", frozenset({"DISPLAY"}),
                  "Which records DISPLAY looks for.", option=True),
        Attribute("CMDSCOPE", common.CMDSCOPE.type, "", SET, common.CMDSCOPE.help, platform="zos", option=True),
        *common.ALTERED_AT,
    ),
    "CHLAUTH TYPE DESCR CUSTOM ADDRESS ADDRLIST SSLPEER SSLCERTI CLNTUSER QMNAME MCAUSER USERLIST USERSRC CHCKCLNT WARN"
    " ALTDATE ALTTIME",
    Profile(20),
    synonyms=(),
    namespace="chlauth",
    selector="TYPE",
    identity=("TYPE", "ADDRESS", "CLNTUSER", "QMNAME", "SSLCERTI", "SSLPEER"),
    heading_id="AMQ8878I",
    heading="Display channel authentication record details.",
    key=("CHLAUTH", "TYPE"),
)  # fmt: skip

_OBJECT_TYPES = (
    "AUTHINFO", "CHANNEL", "CLNTCONN", "COMMINFO", "LISTENER", "NAMELIST", "PROCESS", "QUEUE", "QMGR", "RQMNAME",
    "SERVICE", "TOPIC",
)  # fmt: skip
AUTHORITIES = (
    "NONE", "ALL", "ALLADM", "ALLMQI", "ALTUSR", "BROWSE", "CHG", "CLR", "CONNECT", "CRT", "CTRL", "CTRLX", "DLT",
    "DSP", "GET", "INQ", "PASSALL", "PASSID", "PUB", "PUT", "RESUME", "SET", "SETALL", "SETID", "SUB", "SYSTEM",
)  # fmt: skip
_GIVEN = frozenset({"SET", "DELETE", "DISPLAY"})
# Who may create objects of a type at all is kept under this profile.
_PROFILE = Profile(48, question_mark=True, special=("@class",))
_RIGHTS = Items(Word(AUTHORITIES), len(AUTHORITIES))


def _given(keyword: str, type: Type, default: Stored | None, help: str, **more: Any) -> Attribute:
    return Attribute(keyword, type, default, _GIVEN, help, **more)


AUTHREC = make_kind(
    "AUTHREC",
    (
        _given("PROFILE", _PROFILE, "", "The name, or pattern of names, it is for.", chooser=_PROFILE),
        _given("OBJTYPE", Word(_OBJECT_TYPES), None, "The type of object it is for.", required=True,
               chooser=Word(("ALL", *_OBJECT_TYPES))),
        _given("PRINCIPAL", Items(Text(64), 256), [], "The users it is for.", option=True),
        _given("GROUP", Items(Text(64), 256), [], "The groups it is for.", option=True),
        Attribute("AUTHADD", _RIGHTS, [], frozenset({"SET"}), "Authorities to give.", option=True),
        Attribute("AUTHRMV", _RIGHTS, [], frozenset({"SET"}), "Authorities to take away.", option=True),
        _given("SERVCOMP", Text(48), "", "The authorization service it is kept by.", option=True),
        Attribute("MATCH", Word(("PROFILE", "MEMBERSHIP", "EXACT")), "PROFILE", frozenset({"DISPLAY"}),
                  "Which records DISPLAY looks for.", option=True),
        shown("AUTHLIST", _RIGHTS, "The authorities given.", []),
        shown("ENTITY", Text(64), "The user or group."),
        shown("ENTTYPE", Word(("PRINCIPAL", "GROUP")), "Whether ENTITY is a user or a group."),
    ),
    "PROFILE ENTITY ENTTYPE OBJTYPE AUTHLIST",
    _PROFILE,
    synonyms=(),
    namespace="authrec",
    identity=("OBJTYPE", "ENTTYPE", "ENTITY"),
    heading_id="AMQ8864I",
    heading="Display authority record details.",
    key=("PROFILE", "ENTITY", "ENTTYPE", "OBJTYPE"),
    platform="multi",
)  # fmt: skip
