"""The attributes of DISPLAY CHSTATUS and DISPLAY CLUSQMGR: keyword, type, help."""

from __future__ import annotations

CHANNEL_STATUS = """
    CHLTYPE  text    The type of channel.
    BATCHES  number  Batches completed.
    BATCHSZ  number  The batch size agreed on.
    BUFSRCVD number  Buffers received.
    BUFSSENT number  Buffers sent.
    BYTSRCVD number  Bytes received.
    BYTSSENT number  Bytes sent.
    CHSTADA  date    The day it started.
    CHSTATI  time    The time of day it started.
    COMPHDR  list    The compression of headers agreed on.
    COMPMSG  list    The compression of data agreed on.
    COMPRATE text    How far data was compressed.
    COMPTIME text    How long compressing took.
    CONNAME  text    The partner's address.
    CURLUWID text    The batch under way.
    CURMSGS  number  Messages in the batch under way.
    CURRENT  text    Whether the status is that of now.
    CURSEQNO number  The number of the last message.
    CURSHCNV number  Conversations that share the connection.
    EXITTIME text    How long exits took.
    HBINT    number  The heartbeat interval agreed on.
    INDOUBT  yes     Whether a batch is in doubt.
    JOBNAME  text    The job that runs it.
    KAINT    text    The keep-alive interval.
    LOCLADDR text    The local address.
    LONGRTS  number  Long retries left.
    LSTLUWID text    The last batch.
    LSTMSGDA date    The day of the last message.
    LSTMSGTI time    The time of day of the last message.
    LSTSEQNO number  The number of the last message of a batch.
    MAXMSGL  number  The most bytes of a message agreed on.
    MAXSHCNV number  The most conversations agreed on.
    MCASTAT  text    Whether its agent runs.
    MCAUSER  text    The user it acts as.
    MONCHL   level   The monitoring in force.
    MONITOR  text    Whether monitoring data is shown.
    MSGS     number  Messages sent or received.
    NETTIME  text    How long the network took.
    NPMSPEED text    The class of non-persistent messages agreed on.
    PORT     number  The port.
    QMNAME   name    The queue manager.
    RAPPLTAG text    The partner's program.
    RPRODUCT text    The partner's product.
    RQMNAME  name    The partner queue manager.
    RVERSION text    The partner's version.
    SAVED    text    Whether the status is the one saved last.
    SECPROT  text    The security protocol.
    SHORTRTS number  Short retries left.
    SSLCERTI text    The issuer of the partner's certificate.
    SSLCERTU text    The user of the partner's certificate.
    SSLCIPH  text    The CipherSpec.
    SSLKEYDA date    The day the key was made.
    SSLKEYTI time    The time of day the key was made.
    SSLPEER  text    The partner's distinguished name.
    SSLRKEYS number  How often the key was made anew.
    STATCHL  level   The statistics in force.
    STATUS   text    Whether it runs, retries or is stopped.
    STOPREQ  yes     Whether it was asked to stop.
    SUBSTATE text    What it is doing.
    XBATCHSZ text    The size of batches.
    XMITQ    name    The transmission queue.
    XQMSGSA  text    Messages waiting for it.
    XQTIME   text    How long messages waited for it.
    AMQPKA   text    The keep-alive interval of AMQP.
    TPROOT   text    The topic that AMQP topics are below.
    USECLTID yes     Whether the client identifier is the user.
"""

CLUSTER_QUEUE_MANAGER = """
    CHANNEL  name    The channel to it.
    CLUSDATE date    The day its definition became known here.
    CLUSTER  name    The cluster.
    CLUSTIME time    The time of day its definition became known here.
    DEFTYPE  text    How the channel to it came to be.
    QMID     text    Its identifier.
    QMTYPE   text    Whether it holds the full repository.
    STATUS   text    The state of the channel to it.
    SUSPEND  yes     Whether it is suspended.
    VERSION  text    Its version.
    XMITQ    name    The transmission queue for it.
"""
