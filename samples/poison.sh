#!/bin/sh -e
# From put to trigger to consume to backout queue, in the store that MQSC_STORE names: sh samples/poison.sh
mqsc run --quiet -c "DEFINE QLOCAL(ORDERS.INITQ)
DEFINE QLOCAL(ORDERS.BACKOUT)
DEFINE PROCESS(TAKE.ORDERS) APPLICID('mqsc consume ORDERS -- sh -c \"grep -v broken\"')
DEFINE QLOCAL(ORDERS) BOTHRESH(3) BOQNAME(ORDERS.BACKOUT) +
       TRIGGER TRIGTYPE(FIRST) PROCESS(TAKE.ORDERS) INITQ(ORDERS.INITQ)"
mqsc put ORDERS 'two coffees' 'broken order' 'one tea'
mqsc trigger run --queue ORDERS.INITQ --once
mqsc get ORDERS.BACKOUT
