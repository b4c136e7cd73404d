"""The attributes of DISPLAY CHSTATUS and DISPLAY CLUSQMGR, a line each: keyword, type, help."""

from __future__ import annotations

CHANNEL_STATUS = """
    CHLTYPE  text    The type of channel.
    BATCHES  number  The number of completed batches.
    BATCHSZ  number  The negotiated batch size.
    BUFSRCVD number  The number of buffers received.
    BUFSSENT number  The number of buffers sent.
    BYTSRCVD number  The number of bytes received.
    BYTSSENT number  The number of bytes sent.
    CHSTADA  date    The start date.
    CHSTATI  time    The start time.
    COMPHDR  list    The negotiated header compression.
    COMPMSG  list    The negotiated message compression.
    COMPRATE text    The compression rate, short-term and long-term.
    COMPTIME text    The compression time, short-term and long-term.
    CONNAME  text    The partner's address.
    CURLUWID text    The identifier of the current batch.
    CURMSGS  number  The number of messages in the current batch.
    CURRENT  current The row shows the current status.
    SAVED    saved   The row shows the saved status.
    SHORT    short   The row shows the short status.
    CURSEQNO number  The sequence number of the last message.
    CURSHCNV number  The number of conversations that share the connection.
    EXITTIME text    The time spent in exits, short-term and long-term.
    HBINT    number  The negotiated heartbeat interval.
    INDOUBT  yes     Whether a batch is in doubt.
    JOBNAME  text    The job that runs the channel.
    KAINT    text    The keep-alive interval.
    LOCLADDR text    The local address.
    LONGRTS  number  The number of long retries left.
    LSTLUWID text    The identifier of the last committed batch.
    LSTMSGDA date    The date of the last message.
    LSTMSGTI time    The time of the last message.
    LSTSEQNO number  The sequence number of the last message of the last committed batch.
    MAXMSGL  number  The negotiated maximum message length.
    MAXSHCNV number  The negotiated maximum number of conversations.
    MCASTAT  text    Whether the message channel agent is running.
    MCAUSER  text    The user ID under which the channel runs.
    MONCHL   level   The monitoring level in effect.
    MONITOR  text    Whether DISPLAY shows the monitoring data.
    MSGS     number  The number of messages sent or received.
    NETTIME  text    The network time, short-term and long-term.
    NPMSPEED text    The negotiated speed of non-persistent messages.
    PORT     number  The port.
    QMNAME   name    The queue manager.
    RAPPLTAG text    The partner's program.
    RQMNAME  name    The partner queue manager.
    SECPROT  text    The security protocol.
    SHORTRTS number  The number of short retries left.
    SSLCERTI text    The distinguished name of the issuer of the partner's certificate.
    SSLCERTU text    The local user ID that belongs to the partner's certificate.
    SSLCIPH  text    The CipherSpec.
    SSLKEYDA date    The date on which the secret key was last renegotiated.
    SSLKEYTI time    The time at which the secret key was last renegotiated.
    SSLPEER  text    The partner's distinguished name.
    SSLRKEYS number  How often the secret key was renegotiated.
    STATCHL  level   The statistics level in effect.
    STATUS   text    The state of the channel, such as RUNNING, RETRYING or STOPPED.
    STOPREQ  yes     Whether a stop was requested.
    SUBSTATE text    What the channel is doing.
    XBATCHSZ text    The size of batches, short-term and long-term.
    XMITQ    name    The transmission queue.
    XQMSGSA  text    The number of messages that wait for the channel.
    XQTIME   text    How long messages waited for the channel, short-term and long-term.
    RVERSION text    The partner's version.
    RPRODUCT text    The partner's product.
    AMQPKA   text    The keep-alive interval of AMQP.
    TPROOT   text    The root of the topics of AMQP clients.
    USECLTID yes     Whether the client identifier is used as the user ID.
"""

CLUSTER_QUEUE_MANAGER = """
    CHANNEL  name    The name of the channel to the queue manager.
    CLUSDATE date    The date on which this queue manager learned of the definition.
    CLUSTER  name    The cluster.
    CLUSTIME time    The time at which this queue manager learned of the definition.
    DEFTYPE  text    How the channel to the queue manager was defined.
    QMID     text    The identifier of the queue manager.
    QMTYPE   text    Whether the queue manager holds a full repository.
    STATUS   text    The state of the channel to the queue manager.
    SUSPEND  yes     Whether the queue manager is suspended from the cluster.
    VERSION  text    The version of the queue manager.
    XMITQ    name    The transmission queue of the channel to the queue manager.
"""
