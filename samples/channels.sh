#!/bin/sh -e
# An order from one queue manager to another and its reply back, in the store that MQSC_STORE names: sh samples/channels.sh
mqsc qmgr create LONDON
mqsc qmgr create PARIS
mqsc -m LONDON run --quiet -c "DEFINE QLOCAL(PARIS) USAGE(XMITQ)
DEFINE QREMOTE(ORDERS) RNAME(ORDERS) RQMNAME(PARIS)
DEFINE QLOCAL(REPLIES)
DEFINE CHANNEL(LONDON.PARIS) CHLTYPE(SDR) XMITQ(PARIS) CONNAME('local(PARIS)')
DEFINE CHANNEL(PARIS.LONDON) CHLTYPE(RCVR)"
mqsc -m PARIS run --quiet -c "DEFINE QLOCAL(LONDON) USAGE(XMITQ)
DEFINE QLOCAL(ORDERS)
DEFINE CHANNEL(PARIS.LONDON) CHLTYPE(SDR) XMITQ(LONDON) CONNAME('local(LONDON)')
DEFINE CHANNEL(LONDON.PARIS) CHLTYPE(RCVR)"

mqsc -m LONDON put ORDERS 'two croissants' --reply-to-q REPLIES --report coa
mqsc -m LONDON channel explain LONDON.PARIS
mqsc -m LONDON channel run LONDON.PARIS --until-empty
mqsc -m PARIS get ORDERS
# The report on arrival goes back through the other channel.
mqsc -m PARIS channel run PARIS.LONDON --until-empty
mqsc -m LONDON get REPLIES --format jsonl
