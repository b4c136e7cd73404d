"""The errors of a command by message id, with an explanation of each. To add an error, add its row."""

from __future__ import annotations

from collections.abc import Mapping

from mqsc.diagnostic import Description

ERRORS: Mapping[str, Description] = {
    rule_id: Description(rule_id, "error", title, reason, bad)
    for rule_id, title, reason, bad in (
        (
            "AMQ8214E",
            "CONNAME missing",
            "A channel that starts the connection needs the address of its partner.",
            "DEFINE CHANNEL(A) CHLTYPE(SDR) XMITQ(X)\n",
        ),
        (
            "AMQ8405I",
            "Syntax error",
            "A bracket, a quote, a keyword or a word in parentheses is not valid at this place.",
            "DEFINE QLOCAL(A) MAXDEPHT(10)\n",
        ),
        (
            "AMQ8406I",
            "Unexpected end of input",
            "The last line ends in + or -, which means that the command continues on the next line.",
            "DEFINE QLOCAL(A) +\n",
        ),
        (
            "AMQ8411E",
            "Duplicate keyword",
            "A keyword may be given only once in a command. A keyword and its NO form count as the same keyword.",
            "DEFINE QLOCAL(A) SHARE NOSHARE\n",
        ),
        (
            "AMQ8412E",
            "Number out of range",
            "Every numeric attribute has a minimum and a maximum.",
            "DEFINE QLOCAL(A) DEFPRTY(10)\n",
        ),
        (
            "AMQ8413E",
            "Value too long",
            "Every text attribute has a maximum length in bytes. Characters outside ASCII take several bytes.",
            "DEFINE QLOCAL(A) TRIGDATA('" + 65 * "x" + "')\n",
        ),
        (
            "AMQ8421E",
            "Required keyword missing",
            "Some commands require an attribute. A listener, for example, needs a transport (TRPTYPE).",
            "REFRESH QMGR\n",
        ),
        (
            "AMQ8424E",
            "Invalid name",
            "A name consists of letters, digits and . / _ % and has at most 48 characters, or 20 for a channel.",
            "DEFINE QLOCAL('A B')\n",
        ),
        (
            "AMQ8425E",
            "Invalid value",
            "A value is not valid, or conflicts with another attribute or another object.",
            "SET CHLAUTH('A') TYPE(ADDRESSMAP) ADDRESS('10.1.1.1') USERSRC(MAP)\n",
        ),
        (
            "AMQ8426I",
            "Not a command",
            "A command begins with an MQSC verb, followed by the kind of object.",
            "MAKE QLOCAL(A)\n",
        ),
        (
            "AMQ8428E",
            "TYPE not allowed",
            "DISPLAY QLOCAL already selects local queues. TYPE is valid with DISPLAY QUEUE.",
            "DISPLAY QLOCAL(*) TYPE(QLOCAL)\n",
        ),
        (
            "AMQ8432E",
            "REPOS and REPOSNL",
            "A full repository serves either one cluster (REPOS) or the clusters in a namelist (REPOSNL).",
            "ALTER QMGR REPOS(C) REPOSNL(N)\n",
        ),
        (
            "AMQ8433E",
            "CLUSTER and CLUSNL",
            "An object is shared either in one cluster (CLUSTER) or in the clusters of a namelist (CLUSNL).",
            "DEFINE QLOCAL(A) CLUSTER(C) CLUSNL(N)\n",
        ),
        (
            "AMQ8442E",
            "Transmission queue in a cluster",
            "A queue with USAGE(XMITQ) cannot be shared in a cluster.",
            "DEFINE QLOCAL(A) USAGE(XMITQ) CLUSTER(C)\n",
        ),
        (
            "AMQ8569E",
            "Invalid filter",
            "WHERE takes a keyword, an operator that suits the type of its value, and a value.",
            "DISPLAY QLOCAL(*) WHERE(MAXDEPTH LK 5*)\n",
        ),
        (
            "AMQ8101S",
            "Not possible here",
            "The queue manager refuses the command for the reason that follows.",
            "SET AUTHREC PROFILE(A) OBJTYPE(QUEUE) PRINCIPAL('a') AUTHADD(GET) SERVCOMP('x')\n",
        ),
        (
            "AMQ8150E",
            "Object exists already",
            "DEFINE without REPLACE fails if the name is taken. All four types of queue share one set of names, and "
            "two topic objects cannot have the same topic string.",
            "DEFINE QLOCAL(A)\nDEFINE QALIAS(A) TARGET(B)\n",
        ),
        (
            "AMQ8151E",
            "Object of another type",
            "The object that the command names exists with another type.",
            "DEFINE QLOCAL(A)\nALTER QALIAS(A) TARGET(B)\n",
        ),
        (
            "AMQ8152E",
            "LIKE with another type",
            "LIKE must name an object of the same type.",
            "DEFINE QLOCAL(A)\nDEFINE QALIAS(B) LIKE(A)\n",
        ),
        (
            "AMQ8226E",
            "Channel exists already",
            "DEFINE without REPLACE fails if the name is taken. All channels but client connections share one set of "
            "names.",
            "DEFINE CHANNEL(A) CHLTYPE(RCVR)\nDEFINE CHANNEL(A) CHLTYPE(SVRCONN)\n",
        ),
        (
            "AMQ8242E",
            "Unknown cipher",
            "SSLCIPH must name a CipherSpec that the queue manager knows.",
            "DEFINE CHANNEL(A) CHLTYPE(RCVR) SSLCIPH(NOSUCH)\n",
        ),
        (
            "AMQ8243E",
            "Invalid distinguished name",
            "SSLPEER and SSLCERTI take a distinguished name such as CN=name,OU=unit,O=organization.",
            "DEFINE CHANNEL(A) CHLTYPE(RCVR) SSLPEER('nobody')\n",
        ),
        (
            "AMQ8518E",
            "Logger events without linear logging",
            "Logger events report log extents to archive. The log of this queue manager is circular and has none.",
            "ALTER QMGR LOGGEREV(ENABLED)\n",
        ),
        (
            "AMQ8883E",
            "Channel authentication record exists already",
            "ACTION(ADD), which is the default, fails if there is a record with the same profile, type and criteria.",
            2 * "SET CHLAUTH('A') TYPE(ADDRESSMAP) ADDRESS('10.1.1.1') USERSRC(CHANNEL)\n",
        ),
        (
            "AMQ8885E",
            "Parameter not allowed for the action",
            "ACTION(REMOVE) and ACTION(REMOVEALL) take only the parameters that identify the record.",
            "SET CHLAUTH('A') TYPE(BLOCKUSER) USERLIST('a') DESCR('x') ACTION(REMOVE)\n",
        ),
        (
            "AMQ9502E",
            "Channel of another type",
            "Only channels of some types can be started, pinged, reset or resolved.",
            "DEFINE CHANNEL(A) CHLTYPE(CLNTCONN) CONNAME('a')\nSTART CHANNEL(A)\n",
        ),
        (
            "AMQ9531E",
            "Transmission queue of another usage",
            "A channel reads only a local queue with USAGE(XMITQ).",
            "DEFINE QLOCAL(X)\nDEFINE CHANNEL(A) CHLTYPE(SDR) XMITQ(X) CONNAME('a')\nSTART CHANNEL(A)\n",
        ),
        (
            "MQSC0003E",
            "Not supported here",
            "MQ has the command, but this product does not have what the command is about.",
            "DEFINE BUFFPOOL(1)\n",
        ),
    )
}
