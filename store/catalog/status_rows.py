"""The attributes of what DISPLAY shows of queues, connections, topics and the queue manager: keyword, type, help."""

from __future__ import annotations

QUEUE_STATUS = """
    TYPE     text    Whether the row is about the queue or a handle on it.
    APPLDESC text    What the program says of itself.
    APPLTAG  text    The program.
    APPLTYPE text    The type of program.
    BROWSE   yes     Whether the handle browses.
    CHANNEL  text    The channel the program came by; programs come by none here.
    CONNAME  text    Where that channel comes from.
    ASTATE   text    Whether it consumes asynchronously.
    HSTATE   text    Whether a call is under way.
    CURDEPTH number  Messages on the queue, uncommitted ones included.
    EXPIRED  number  Messages past their expiry that nothing has discarded yet.
    CURFSIZE number  Megabytes of its file; queues have no files of their own here.
    CURMAXFS number  Most megabytes of its file.
    INPUT    text    NO, SHARED or EXCL.
    INQUIRE  yes     Whether the handle inquires.
    IPPROCS  number  Handles open for input.
    LGETDATE date    The day of the last get, UTC.
    LGETTIME time    The time of day of the last get, UTC.
    LPUTDATE date    The day of the last put, UTC.
    LPUTTIME time    The time of day of the last put, UTC.
    MEDIALOG text    The log extent that media recovery needs; there is none here.
    MONQ     level   The monitoring in force.
    MSGAGE   number  Seconds that the oldest message has waited.
    OPPROCS  number  Handles open for output.
    OUTPUT   yes     Whether the handle puts.
    PID      number  The program's process.
    QMURID   text    The unit of work of the handle.
    QTIME    text    Microseconds on the queue, averaged over few and over many messages.
    SET      yes     Whether the handle sets attributes.
    TID      text    The thread.
    UNCOM    some    NO, or how many messages open units of work have put or got.
    URID     text    The external unit of work.
    URTYPE   text    The type of unit of work.
    USERID   text    The user of the program.
    ASID     text    The address space.
    PSBNAME  text    The program specification block.
    PSTID    text    The region.
    TASKNO   text    The task.
    TRANSID  text    The transaction.
    QSGDISP  text    Where the queue is kept.
"""

CONNECTION = """
    EXTCONN  text    The part of the identifier that names the queue manager.
    TYPE     text    Whether the row is about the connection or a handle of it.
    PID      number  The program's process.
    TID      text    The thread.
    APPLDESC text    What the program says of itself.
    APPLTAG  text    The program.
    APPLTYPE text    The type of program.
    OBJNAME  name    The object that the handle was opened with.
    OBJTYPE  text    The type of that object.
    ASTATE   text    Whether it consumes asynchronously.
    HSTATE   text    Whether a call is under way.
    OPENOPTS list    The options of the open call.
    READA    text    Whether messages are read ahead.
    CHANNEL  text    The channel it came by; programs come by none here.
    CLIENTID text    The client identifier.
    CONNAME  text    Where it comes from.
    CONNOPTS list    The options of the connect call.
    USERID   text    The user of the program.
    UOWLOG   text    The log extent that the unit of work began in.
    UOWSTDA  date    The day the unit of work began.
    UOWSTTI  time    The time of day it began.
    UOWLOGDA date    The day it began, as logged.
    UOWLOGTI time    The time of day it began, as logged.
    URTYPE   text    The type of unit of work.
    EXTURID  text    The external unit of work.
    QMURID   text    The unit of work.
    UOWSTATE text    NONE or ACTIVE.
    CONNTAG  text    The connection tag.
    DEST     name    The queue that a subscription puts to.
    DESTQMGR name    The queue manager of that queue.
    SUBID    text    The subscription.
    SUBNAME  text    The name of the subscription.
    TOPICSTR text    The topic that the handle was opened with.
    DEFREADA text    Whether reading ahead is the default.
    ASID     text    The address space.
    NID      text    The network identifier.
    PSBNAME  text    The program specification block.
    PSTID    text    The region.
    QSGDISP  text    Where the object is kept.
    TASKNO   text    The task.
    TRANSID  text    The transaction.
"""

LISTENER_STATUS = """
    STATUS   text    RUNNING, STARTING or STOPPING.
    PID      number  Its process.
    STARTDA  date    The day it started.
    STARTTI  time    The time of day it started.
    DESCR    text    What it is for.
    TRPTYPE  text    The transport.
    CONTROL  text    Whether it starts with the queue manager.
    IPADDR   text    The address it listens on.
    PORT     number  The port it listens on.
    BACKLOG  number  Most connection requests waiting.
    ADAPTER  number  The NETBIOS adapter.
    LOCLNAME text    The NETBIOS name.
    NTBNAMES number  How many NETBIOS names it uses.
    SESSIONS number  How many NETBIOS sessions it uses.
    SOCKET   number  The SPX socket.
    TPNAME   text    The LU 6.2 transaction program.
"""

SERVICE_STATUS = """
    STATUS   text    RUNNING, STARTING or STOPPING.
    PID      number  Its process.
    SERVTYPE text    Whether it is watched while it runs.
    STARTDA  date    The day it started.
    STARTTI  time    The time of day it started.
    CONTROL  text    Whether it starts with the queue manager.
    STARTCMD text    The program that starts it.
    STARTARG text    The arguments of that program.
    STOPCMD  text    The program that stops it.
    STOPARG  text    The arguments of that program.
    DESCR    text    What it is for.
    STDOUT   text    Where its output goes.
    STDERR   text    Where its errors go.
"""

APPLICATION_STATUS = """
    CLUSTER  name    The uniform cluster that it is balanced in.
    COUNT    number  Instances of the application.
    MOVCOUNT number  Instances that could be moved.
    BALANCED text    Whether it is spread evenly.
    TYPE     text    APPL, QMGR or LOCAL.
    ACTIVE   text    Whether the queue manager takes part.
    QMNAME   name    The queue manager.
    QMID     text    Its identifier.
    LMSGDATE date    The day of the last word from it.
    LMSGTIME time    The time of day of the last word from it.
    BALSTATE text    What balancing is about to do.
    CONNTAG  text    The connection tag of the instance.
    CONNS    number  Connections of the instance.
    IMMCOUNT number  How often it could not be moved.
    IMMDATE  date    Until which day it is not moved.
    IMMREASN text    Why it is not moved.
    IMMTIME  time    Until what time of day it is not moved.
    MOVABLE  yes     Whether it may be moved.
    BALOPTS  text    The balancing options.
    BALTMOUT text    How long balancing waits.
    BALTYPE  text    The type of balancing.
"""

PUBLISH_SUBSCRIBE_STATUS = """
    TYPE     text    LOCAL, PARENT or CHILD.
    STATUS   text    Whether publications are delivered; they are not here.
    SUBCOUNT number  Subscriptions.
    TPCOUNT  number  Topic strings.
"""

QUEUE_MANAGER_STATUS = """
    TYPE     text    QMGR.
    STATUS   text    RUNNING or QUIESCING.
    ARCHLOG  text    The oldest log extent to archive.
    ARCHSZ   text    Its size.
    AUTOCLUS text    Whether it is in an automatic cluster.
    CHINIT   text    Whether a channel initiator runs.
    CHKPTCNT text    Checkpoints taken.
    CHKPTOPS text    Operations since the last one.
    CHKPTSZ  text    Log written since the last one.
    CMDSERV  text    Whether a command server runs.
    CONNS    number  Connections.
    CURRLOG  text    The log extent being written.
    DATFSSZ  text    The size of the file system of its data.
    DATFSUSE text    How full that is.
    DATPATH  text    Where its data is: the store.
    DISKLSN  text    The log position on disk.
    GRPLSN   text    The log position of the group.
    GRPNAME  text    The group for high availability.
    GRPROLE  text    Its part in that group.
    HOSTNAME text    The machine.
    INSTANCE text    The instance.
    INSTDESC text    The installation's description.
    INSTNAME text    The installation.
    INSTPATH text    Where that is.
    LDAPCONN text    Whether an LDAP server is connected.
    LOGEXTSZ text    The size of a log extent.
    LOGFSSZ  text    The size of the file system of the log.
    LOGFSUSE text    How full that is.
    LOGINUSE text    How much of the log is in use.
    LOGPATH  text    Where the log is.
    LOGPRIM  text    Primary log extents.
    LOGSEC   text    Secondary log extents.
    LOGSTRDA date    The day the log began.
    LOGSTRL  text    The log extent it began in.
    LOGSTRTI time    The time of day it began.
    LOGTYPE  text    CIRCULAR: nothing is archived.
    LOGUTIL  text    How much of the log is needed.
    MEDIALOG text    The log extent that media recovery needs.
    MEDIASZ  text    How much log that is.
    QMFSENC  text    Whether its file system is encrypted.
    QMFSSZ   text    The size of that file system.
    QMFSUSE  text    How full that is.
    QUORUM   text    Whether the group has a majority.
    RECLOG   text    The log extent that a restart needs.
    RECSZ    text    How much log that is.
    REUSESZ  text    How much log can be used again.
    STANDBY  text    Whether a standby may start.
    STARTDA  date    The day it started, UTC.
    STARTTI  time    The time of day it started, UTC.
    UNICLUS  yes     Whether it is in a uniform cluster.
    ACKLSN   text    The log position that the instance has confirmed.
    BACKLOG  text    Kilobytes of log that the instance lags behind.
    CONNACTV text    Whether the instance is connected.
    GRPADDR  text    The address of the group.
    GRSTATUS text    The state of the group.
    HAINITDA date    The day the instance was brought up to date first.
    HAINITL  text    The log position it had then.
    HAINITTI time    The time of day of that.
    HASTATUS text    The state of the instance.
    INITTIME text    How long that took.
    INSYNC   yes     Whether the instance is up to date.
    LIVETIME text    Since when the group is live.
    RCOVLSN  text    The log position to recover to.
    RCOVTIME text    The moment to recover to.
    REPLADDR text    The address of replication.
    ROLE     text    Whether the instance is the active one.
    SYNCTIME text    When the instance was last up to date.
"""

TOPIC_STATUS = """
    ADMIN    name    The topic object at this topic string.
    CLUSTER  name    The cluster it is made known in.
    COMMINFO name    The multicast object in force.
    MDURMDL  name    The model of managed durable queues in force.
    MNDURMDL name    The model of managed non-durable queues in force.
    DEFPSIST text    The persistence in force for those who leave it open.
    DEFPRTY  number  The priority in force for those who leave it open.
    DEFPRESP text    How a put that leaves it open is answered.
    DURSUB   text    Whether durable subscriptions are allowed.
    PUB      text    Whether publishing is allowed.
    SUB      text    Whether subscribing is allowed.
    PMSGDLV  text    Which subscribers a persistent publication must reach.
    NPMSGDLV text    Which subscribers a non-persistent publication must reach.
    RETAINED yes     Whether a publication is kept.
    MCAST    text    Whether multicast is used.
    PUBCOUNT number  Publishers.
    SUBCOUNT number  Subscriptions to exactly this string.
    PUBSCOPE text    How far publications travel.
    SUBSCOPE text    How far subscriptions travel.
    CLROUTE  text    How publications travel in the cluster.
    USEDLQ   text    Whether undeliverable publications go to the dead-letter queue.
    CAPEXPRY cap     Most tenths of a second that a publication may live.
    SUBID    subid   The subscription.
    SUBUSER  text    Its user.
    SUBTYPE  text    How it came to be.
    DURABLE  yes     Whether it outlives the program.
    NUMMSGS  number  Publications it got.
    RESMDATE date    The day it was resumed.
    RESMTIME time    The time of day it was resumed.
    LMSGDATE date    The day of its last publication.
    LMSGTIME time    The time of day of its last publication.
    ACTCONN  text    The connection that uses it.
    MCASTREL text    How reliable multicast is.
    LPUBDATE date    The day of the last publication.
    LPUBTIME time    The time of day of the last publication.
    NUMPUBS  number  Publications put.
"""

SUBSCRIPTION_STATUS = """
    SUBID    subid   Its internal identifier.
    SUBUSER  text    Its user.
    RESMDATE date    The day it was resumed.
    RESMTIME time    The time of day it was resumed.
    LMSGDATE date    The day of its last publication.
    LMSGTIME time    The time of day of its last publication.
    ACTCONN  text    The connection that uses it.
    DURABLE  yes     Whether it outlives the program.
    MCASTREL text    How reliable multicast is.
    NUMMSGS  number  Publications it got.
    SUBTYPE  text    How it came to be.
    TOPICSTR text    The topic string subscribed to.
"""

ENTITY_AUTHORITY = """
    OBJTYPE  text    The type of object.
    ENTITY   text    The user or group.
    ENTTYPE  text    Whether that is a user or a group.
    AUTHLIST list    What it may do.
"""

CHANNEL_INITIATOR = """
    STATUS   text    STOPPED: no channel initiator runs here.
"""

COMMAND_SERVER = """
    STATUS   text    STOPPED: commands are carried out by the program that reads them.
"""
