"""The attributes of authentication information, channel rules and authority records; authority is not enforced here."""

from __future__ import annotations

from typing import Any

from store.catalog import common
from store.catalog.attribute import SET, Attribute, defined, shown
from store.catalog.common import YES_NO
from store.catalog.kind import make_kind
from store.catalog.types import Custom, Items, Number, Profile, Stored, Text, Type, User, Word

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
        defined("AUTHTYPE", Word(_AUTHINFO_TYPES), None,
                "The type of authentication; it must follow the name directly.",
                required=True, leading=True, display_filter=Word(("ALL", *_AUTHINFO_TYPES))),
        common.DESCR,
        defined("ADOPTCTX", Word(("YES", "NO")), "YES",
                "Whether the authenticated user becomes the user of the connection.",
                only_for=_PASSWORDS),
        defined("AUTHENMD", Word(("OS", "PAM")), "OS", "How the operating system checks passwords.", platform="unix",
                only_for=("IDPWOS",)),
        defined("CHCKCLNT", _CHECK, "REQDADM", "Which clients must provide a password.", only_for=_PASSWORDS),
        defined("CHCKLOCL", _CHECK, "OPTIONAL", "Which local programs must provide a password.", only_for=_PASSWORDS),
        defined("FAILDLAY", Number(0, 60), 1,
                "Seconds by which the answer to a failed authentication is delayed.", only_for=_PASSWORDS),
        defined("CONNAME", Text(264), "", "The address of the LDAP server.", only_for=_SERVERS, required_for=_SERVERS),
        defined("LDAPUSER", Text(1024), "", "The user ID for access to the LDAP server.", only_for=_SERVERS),
        defined("LDAPPWD", Text(32), "", "The password of that user ID.", only_for=_SERVERS, secret=True),
        defined("OCSPURL", Text(256), "", "The URL of the OCSP responder.", only_for=("OCSP",), required_for=("OCSP",)),
        _ldap("AUTHORMD", Word(("OS", "SEARCHGRP", "SEARCHUSR", "SRCHGRPSN")), "OS",
              "Where the groups of a user are found."),
        _ldap("BASEDNG", Text(1024), "", "The base distinguished name for the search for groups."),
        _ldap("BASEDNU", Text(1024), "", "The base distinguished name for the search for users."),
        _ldap("CLASSGRP", Text(128), "", "The LDAP object class of groups."),
        _ldap("CLASSUSR", Text(128), "", "The LDAP object class of users; blank means inetOrgPerson."),
        _ldap("FINDGRP", Text(128), "", "The LDAP attribute that expresses group membership."),
        _ldap("GRPFIELD", Text(128), "", "The LDAP attribute that contains the name of a group."),
        _ldap("NESTGRP", YES_NO, "NO", "Whether nested groups are taken into account."),
        _ldap("SECCOMM", Word(("NO", "YES", "ANON")), "NO", "Whether the connection to the LDAP server uses TLS."),
        _ldap("SHORTUSR", Text(128), "", "The LDAP attribute that contains the short user name."),
        _ldap("USRFIELD", Text(128), "", "The LDAP attribute that a user name without a qualifier refers to."),
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
        _set("TYPE", Word(_RULE_TYPES), None, "The type of rule; it must follow the profile directly.",
             required=True, leading=True, display_filter=Word(("ALL", *_RULE_TYPES))),
        Attribute("ACTION", Word(("ADD", "REPLACE", "REMOVE", "REMOVEALL")), "ADD", frozenset({"SET"}),
                  "Whether the record is added, replaced or removed.", option=True),
        _set("ADDRESS", Text(48), "", "The addresses to which the rule applies; may be a pattern.", only_for=_MAPS,
             required_for=("ADDRESSMAP",)),
        _set("ADDRLIST", Items(Text(48), 256), [], "The addresses that are blocked.", only_for=("BLOCKADDR",)),
        _set("CHCKCLNT", Word(("ASQMGR", "REQUIRED", "REQDADM")), "ASQMGR",
             "Whether the client must provide a password.",
             only_for=_MAPS),
        _set("CLNTUSER", Text(64), "", "The user ID that the client asserts.", only_for=("USERMAP",),
             required_for=("USERMAP",)),
        _set("CUSTOM", Custom(), "", "Settings of features that have no attribute of their own, as NAME(VALUE)."),
        _set("DESCR", common.DESCR.type, "", common.DESCR.help),
        _set("MCAUSER", User(12), "", "The user ID under which the channel runs with USERSRC(MAP).", only_for=_MAPS),
        _set("QMNAME", Text(48), "", "The partner queue manager; may be a pattern.", only_for=("QMGRMAP",),
             required_for=("QMGRMAP",)),
        _set("SSLCERTI", Text(1024), "",
             "The distinguished name of the issuer of the partner's certificate.", only_for=("SSLPEERMAP",)),
        _set("SSLPEER", Text(1024), "",
             "The distinguished name of the partner; may be a pattern.", only_for=("SSLPEERMAP",),
             required_for=("SSLPEERMAP",)),
        _set("USERLIST", Items(Text(64), 256), [], "The users that are blocked.", only_for=("BLOCKUSER",)),
        _set("USERSRC", Word(("MAP", "NOACCESS", "CHANNEL")), "MAP",
             "Where the user ID comes from, or NOACCESS to block the connection.",
             only_for=_MAPS),
        _set("WARN", YES_NO, "NO", "Whether a blocked connection is allowed with a warning."),
        Attribute("MATCH", Word(("GENERIC", "EXACT", "RUNCHECK", "ALL")), "GENERIC", frozenset({"DISPLAY"}),
                  "Which records DISPLAY selects.", option=True),
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
# This profile holds the authority to create objects of a type.
_PROFILE = Profile(48, question_mark=True, special=("@class",))
_RIGHTS = Items(Word(AUTHORITIES), len(AUTHORITIES))


def _given(keyword: str, type: Type, default: Stored | None, help: str, **more: Any) -> Attribute:
    return Attribute(keyword, type, default, _GIVEN, help, **more)


AUTHREC = make_kind(
    "AUTHREC",
    (
        _given("PROFILE", _PROFILE, "",
               "The name or pattern of names to which the record applies.", display_filter=_PROFILE),
        _given("OBJTYPE", Word(_OBJECT_TYPES), None, "The type of object to which the record applies.", required=True,
               display_filter=Word(("ALL", *_OBJECT_TYPES))),
        _given("PRINCIPAL", Items(Text(64), 256), [], "The users to whom the record applies.", option=True),
        _given("GROUP", Items(Text(64), 256), [], "The groups to which the record applies.", option=True),
        Attribute("AUTHADD", _RIGHTS, [], frozenset({"SET"}), "The authorities to grant.", option=True),
        Attribute("AUTHRMV", _RIGHTS, [], frozenset({"SET"}), "The authorities to revoke.", option=True),
        _given("SERVCOMP", Text(48), "", "The authorization service that stores the record.", option=True),
        Attribute("MATCH", Word(("PROFILE", "MEMBERSHIP", "EXACT")), "PROFILE", frozenset({"DISPLAY"}),
                  "Which records DISPLAY selects.", option=True),
        shown("AUTHLIST", _RIGHTS, "The granted authorities.", []),
        shown("ENTITY", Text(64), "The user or group to which the record applies."),
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
