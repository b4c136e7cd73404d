"""Why a command is refused, by message id, so that an id can be explained. To add an error, add its row."""

from __future__ import annotations

from collections.abc import Mapping

from mqsc.diagnostic import Description

ERRORS: Mapping[str, Description] = {
    rule_id: Description(rule_id, "error", title, reason, bad)
    for rule_id, title, reason, bad in (
        (
            "AMQ8214E",
            "CONNAME missing",
            "A channel that calls its partner must say where that is.",
            "DEFINE CHANNEL(A) CHLTYPE(SDR) XMITQ(X)\n",
        ),
        (
            "AMQ8405I",
            "Syntax error",
            "A bracket, a quote, a keyword or a word in parentheses is not what MQSC has at this place.",
            "DEFINE QLOCAL(A) MAXDEPHT(10)\n",
        ),
        (
            "AMQ8406I",
            "Unexpected end of input",
            "The last line ends in + or -, which says that the command goes on.",
            "DEFINE QLOCAL(A) +\n",
        ),
        (
            "AMQ8411E",
            "Keyword given twice",
            "A keyword stands at most once in a command; its NO-form counts as the same keyword.",
            "DEFINE QLOCAL(A) SHARE NOSHARE\n",
        ),
        (
            "AMQ8412E",
            "Number out of range",
            "Every number has a lowest and a highest value.",
            "DEFINE QLOCAL(A) DEFPRTY(10)\n",
        ),
        (
            "AMQ8413E",
            "Value too long",
            "Every text has a most number of bytes; letters beyond ASCII have several.",
            "DEFINE QLOCAL(A) TRIGDATA('" + 65 * "x" + "')\n",
        ),
        (
            "AMQ8421E",
            "Required keyword missing",
            "Some objects cannot be without an attribute: a listener without its transport.",
            "REFRESH QMGR\n",
        ),
        (
            "AMQ8424E",
            "Not a name",
            "A name is made of letters, digits and . / _ % and is at most 48 characters long, a channel's 20.",
            "DEFINE QLOCAL('A B')\n",
        ),
        (
            "AMQ8426I",
            "Not a command",
            "A command begins with one of the verbs of MQSC, followed by the kind of object.",
            "MAKE QLOCAL(A)\n",
        ),
        (
            "AMQ8428E",
            "TYPE said already",
            "DISPLAY QLOCAL covers local queues only; TYPE goes with DISPLAY QUEUE.",
            "DISPLAY QLOCAL(*) TYPE(QLOCAL)\n",
        ),
        (
            "AMQ8432E",
            "REPOS and REPOSNL",
            "A full repository is for one cluster, or for those of a namelist.",
            "ALTER QMGR REPOS(C) REPOSNL(N)\n",
        ),
        (
            "AMQ8433E",
            "CLUSTER and CLUSNL",
            "An object is in one cluster, or in those of a namelist.",
            "DEFINE QLOCAL(A) CLUSTER(C) CLUSNL(N)\n",
        ),
        (
            "AMQ8442E",
            "Transmission queue in a cluster",
            "A queue with USAGE(XMITQ) is not made known in a cluster.",
            "DEFINE QLOCAL(A) USAGE(XMITQ) CLUSTER(C)\n",
        ),
        (
            "AMQ8569E",
            "Filter that makes no sense",
            "WHERE takes a keyword, an operator that goes with its kind of value, and a value.",
            "DISPLAY QLOCAL(*) WHERE(MAXDEPTH LK 5*)\n",
        ),
    )
}
