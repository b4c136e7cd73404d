"""The attributes of the status commands except those of channels, a line each: keyword, type, help."""

from __future__ import annotations

QUEUE_STATUS = """
    TYPE     text    Whether the row is about the queue or about a handle on it.
    APPLDESC text    The description of the program.
    APPLTAG  text    The name of the program.
    APPLTYPE text    The type of the program.
    BROWSE   yes     Whether the handle is open for browsing.
    CHANNEL  text    The channel of the program; blank, because programs connect without channels here.
    CONNAME  text    The address of the channel's partner.
    ASTATE   text    The state of asynchronous consumption.
    HSTATE   text    Whether an MQI call is in progress.
    CURDEPTH number  Messages on the queue, including uncommitted ones.
    EXPIRED  number  Expired messages that have not been discarded yet.
    CURFSIZE number  Megabytes of the queue's file; queues have no files of their own here.
    CURMAXFS number  The maximum size of the queue's file, in megabytes.
    INPUT    text    Whether the handle is open for input: NO, SHARED or EXCL.
    INQUIRE  yes     Whether the handle is open for inquiry.
    IPPROCS  number  Handles open for input.
    LGETDATE date    The date of the last get, UTC.
    LGETTIME time    The time of the last get, UTC.
    LPUTDATE date    The date of the last put, UTC.
    LPUTTIME time    The time of the last put, UTC.
    MEDIALOG text    The log extent needed for media recovery; there is none here.
    MONQ     level   The monitoring level in effect.
    MSGAGE   number  The age of the oldest message, in seconds.
    OPPROCS  number  Handles open for output.
    OUTPUT   yes     Whether the handle is open for output.
    PID      number  The process ID of the program.
    QMURID   text    The unit of work of the handle's connection.
    QTIME    text    Average microseconds that messages stay on the queue: short-term and long-term.
    SET      yes     Whether the handle is open to set attributes.
    TID      text    The thread ID.
    UNCOM    some    NO, or the number of uncommitted puts and gets.
    URID     text    The external identifier of the unit of work.
    URTYPE   text    The type of unit of work.
    USERID   text    The user ID of the program.
    ASID     text    The address space.
    PSBNAME  text    The program specification block.
    PSTID    text    The region.
    TASKNO   text    The task.
    TRANSID  text    The transaction.
    QSGDISP  text    The queue-sharing group disposition of the queue.
    IPGROUP  number  Handles that all members of the group have open for input on a shared queue.
    OPGROUP  number  Handles that all members of the group have open for output on a shared queue.
"""

CONNECTION = """
    EXTCONN  text    The part of the connection identifier that identifies the queue manager.
    TYPE     text    Whether the row is about the connection or about one of its handles.
    PID      number  The process ID of the program.
    TID      text    The thread ID.
    APPLDESC text    The description of the program.
    APPLTAG  text    The name of the program.
    APPLTYPE text    The type of the program.
    OBJNAME  name    The name of the object that the handle opened.
    OBJTYPE  text    The type of the object that the handle opened.
    ASTATE   text    The state of asynchronous consumption.
    HSTATE   text    Whether an MQI call is in progress.
    OPENOPTS list    The options of the open call.
    READA    text    The state of read ahead.
    CHANNEL  text    The channel whose unit of work is in doubt; blank for a connection.
    CLIENTID text    The client identifier.
    CONNAME  text    The address of the client.
    CONNOPTS list    The options of the connect call.
    USERID   text    The user ID of the program.
    UOWLOG   text    The log extent in which the unit of work started.
    UOWSTDA  date    The date on which the unit of work started.
    UOWSTTI  time    The time at which the unit of work started.
    UOWLOGDA date    The date on which the unit of work first wrote to the log.
    UOWLOGTI time    The time at which the unit of work first wrote to the log.
    URTYPE   text    The type of unit of work.
    EXTURID  text    The external identifier of the unit of work.
    QMURID   text    The identifier of the unit of work.
    UOWSTATE text    The state of the unit of work: NONE, ACTIVE, or PREPARED if it is in doubt.
    CONNTAG  text    The connection tag.
    DEST     name    The destination queue of the subscription.
    DESTQMGR name    The queue manager of the destination queue.
    SUBID    text    The identifier of the subscription.
    SUBNAME  text    The name of the subscription.
    TOPICSTR text    The topic string that the handle opened.
    DEFREADA text    Whether read ahead is the default.
    ASID     text    The address space.
    NID      text    The network identifier.
    PSBNAME  text    The program specification block.
    PSTID    text    The region.
    QSGDISP  text    The queue-sharing group disposition of the object.
    TASKNO   text    The task.
    TRANSID  text    The transaction.
"""

LISTENER_STATUS = """
    STATUS   text    The state: RUNNING, STARTING or STOPPING.
    PID      number  The process ID.
    STARTDA  date    The start date.
    STARTTI  time    The start time.
    DESCR    text    The description.
    TRPTYPE  text    The transport protocol.
    CONTROL  text    Whether it starts and ends with the queue manager.
    IPADDR   text    The address on which it listens.
    PORT     number  The port on which it listens.
    BACKLOG  number  The maximum number of waiting connection requests.
    ADAPTER  number  The number of the NETBIOS adapter.
    LOCLNAME text    The NETBIOS name.
    NTBNAMES number  The number of NETBIOS names in use.
    SESSIONS number  The number of NETBIOS sessions in use.
    SOCKET   number  The SPX socket.
    TPNAME   text    The LU 6.2 transaction program.
"""

SERVICE_STATUS = """
    STATUS   text    The state: RUNNING, STARTING or STOPPING.
    PID      number  The process ID.
    SERVTYPE text    Whether the service is monitored while it runs.
    STARTDA  date    The start date.
    STARTTI  time    The start time.
    CONTROL  text    Whether it starts and ends with the queue manager.
    STARTCMD text    The program that starts the service.
    STARTARG text    The arguments of the program.
    STOPCMD  text    The program that stops the service.
    STOPARG  text    The arguments of the program.
    DESCR    text    The description.
    STDOUT   text    The file for standard output.
    STDERR   text    The file for standard error.
"""

APPLICATION_STATUS = """
    CLUSTER  name    The uniform cluster in which the application is balanced.
    COUNT    number  Instances of the application.
    MOVCOUNT number  Instances that can be moved.
    BALANCED text    Whether the application is spread evenly.
    TYPE     text    The type of the row: APPL, QMGR or LOCAL.
    ACTIVE   text    Whether the queue manager takes part.
    QMNAME   name    The queue manager.
    QMID     text    The identifier of the queue manager.
    LMSGDATE date    The date of the last information from the queue manager.
    LMSGTIME time    The time of the last information from the queue manager.
    BALSTATE text    The state of balancing.
    CONNTAG  text    The connection tag of the instance.
    CONNS    number  Connections of the instance.
    IMMCOUNT number  How often the instance could not be moved.
    IMMDATE  date    The date until which the instance cannot be moved.
    IMMREASN text    The reason why the instance cannot be moved.
    IMMTIME  time    The time until which the instance cannot be moved.
    MOVABLE  yes     Whether the instance can be moved.
    BALOPTS  text    The balancing options.
    BALTMOUT text    The timeout of balancing.
    BALTYPE  text    The type of balancing.
"""

PUBLISH_SUBSCRIBE_STATUS = """
    TYPE     text    The type of connection: LOCAL, PARENT or CHILD.
    STATUS   text    The state of publish/subscribe; publications are not delivered here.
    SUBCOUNT number  Subscriptions.
    TPCOUNT  number  Topic strings.
"""

QUEUE_MANAGER_STATUS = """
    TYPE     text    The type of the row: QMGR.
    STATUS   text    The state of the queue manager: RUNNING or QUIESCING.
    ARCHLOG  text    The oldest log extent to archive.
    ARCHSZ   text    The size of the log extents to archive.
    AUTOCLUS text    Whether the queue manager belongs to an automatic cluster.
    CHINIT   text    Whether a channel initiator runs.
    CHKPTCNT text    The number of checkpoints taken.
    CHKPTOPS text    The number of operations since the last checkpoint.
    CHKPTSZ  text    The amount of log written since the last checkpoint.
    CMDSERV  text    Whether a command server runs.
    CONNS    number  Connections.
    CURRLOG  text    The log extent that is being written.
    DATFSSZ  text    The size of the file system that contains the data.
    DATFSUSE text    How full the file system is.
    DATPATH  text    The location of the data, which is the store.
    DISKLSN  text    The log position up to which data is on disk.
    GRPLSN   text    The log position that the group has confirmed.
    GRPNAME  text    The high availability group.
    GRPROLE  text    The role of the queue manager in the group.
    HOSTNAME text    The name of the host.
    INSTANCE text    The name of the instance.
    INSTDESC text    The description of the installation.
    INSTNAME text    The name of the installation.
    INSTPATH text    The path of the installation.
    LDAPCONN text    The state of the connection to the LDAP server.
    LOGEXTSZ text    The size of a log extent.
    LOGFSSZ  text    The size of the file system that contains the log.
    LOGFSUSE text    How full the file system is.
    LOGINUSE text    The amount of log in use.
    LOGPATH  text    The location of the log.
    LOGPRIM  text    The number of primary log extents.
    LOGSEC   text    The number of secondary log extents.
    LOGSTRDA date    The date on which the log started.
    LOGSTRL  text    The log extent in which the log started.
    LOGSTRTI time    The time at which the log started.
    LOGTYPE  text    The type of log: CIRCULAR, because nothing is archived.
    LOGUTIL  text    The percentage of the log that is needed.
    MEDIALOG text    The log extent needed for media recovery.
    MEDIASZ  text    The amount of log needed for media recovery.
    QMFSENC  text    Whether the file system is encrypted.
    QMFSSZ   text    The size of the file system.
    QMFSUSE  text    How full the file system is.
    QUORUM   text    Whether the group has a majority.
    RECLOG   text    The log extent needed for a restart.
    RECSZ    text    The amount of log needed for a restart.
    REUSESZ  text    The amount of log that can be reused.
    STANDBY  text    Whether a standby instance is permitted.
    STARTDA  date    The date on which the queue manager started, UTC.
    STARTTI  time    The time at which the queue manager started, UTC.
    UNICLUS  yes     Whether the queue manager belongs to a uniform cluster.
    ACKLSN   text    The log position that the instance has confirmed.
    BACKLOG  text    Kilobytes of log by which the instance lags behind.
    CONNACTV text    Whether the instance is connected to the group.
    GRPADDR  text    The address of the group.
    GRSTATUS text    The state of the group.
    HAINITDA date    The date of the initial synchronization of the instance.
    HAINITL  text    The log position of the initial synchronization.
    HAINITTI time    The time of the initial synchronization.
    HASTATUS text    The state of the instance.
    INITTIME text    How long the initial synchronization took.
    INSYNC   yes     Whether the instance is up to date.
    LIVETIME text    The time since which the group is live.
    RCOVLSN  text    The log position to recover to.
    RCOVTIME text    The time to recover to.
    REPLADDR text    The address of replication.
    ROLE     text    The role of the instance.
    SYNCTIME text    The time at which the instance was last synchronized.
"""

TOPIC_STATUS = """
    ADMIN    name    The topic object at this topic string.
    CLUSTER  name    The cluster in which the topic is advertised.
    COMMINFO name    The communication information object in effect.
    MDURMDL  name    The model queue in effect for managed durable subscriptions.
    MNDURMDL name    The model queue in effect for managed non-durable subscriptions.
    DEFPSIST text    The default persistence in effect.
    DEFPRTY  number  The default priority in effect.
    DEFPRESP text    The default response type of puts in effect.
    DURSUB   text    Whether durable subscriptions are allowed.
    PUB      text    Whether publishing is allowed.
    SUB      text    Whether subscribing is allowed.
    PMSGDLV  text    Which subscribers a persistent publication must reach.
    NPMSGDLV text    Which subscribers a non-persistent publication must reach.
    RETAINED yes     Whether a publication is retained.
    MCAST    text    Whether multicast is used.
    PUBCOUNT number  The number of publishers.
    SUBCOUNT number  The number of subscriptions to exactly this topic string.
    PUBSCOPE text    Whether publications are sent to other queue managers.
    SUBSCOPE text    Whether subscriptions apply to publications of other queue managers.
    CLROUTE  text    How publications are routed in the cluster.
    USEDLQ   text    Whether undeliverable publications go to the dead-letter queue.
    CAPEXPRY cap     The maximum lifetime of a publication, in tenths of a second.
    SUBID    subid   The identifier of the subscription.
    SUBUSER  text    The user ID of the subscription.
    SUBTYPE  text    How the subscription was created.
    DURABLE  yes     Whether the subscription outlives the program.
    NUMMSGS  number  The number of publications delivered.
    RESMDATE date    The date on which the subscription was resumed.
    RESMTIME time    The time at which the subscription was resumed.
    LMSGDATE date    The date of the last delivered publication.
    LMSGTIME time    The time of the last delivered publication.
    ACTCONN  text    The connection that uses the subscription.
    MCASTREL text    The reliability of multicast.
    LPUBDATE date    The date of the last publication.
    LPUBTIME time    The time of the last publication.
    NUMPUBS  number  The number of publications.
"""

SUBSCRIPTION_STATUS = """
    SUBID    subid   The internal identifier of the subscription.
    SUBUSER  text    The user ID of the subscription.
    RESMDATE date    The date on which the subscription was resumed.
    RESMTIME time    The time at which the subscription was resumed.
    LMSGDATE date    The date of the last delivered publication.
    LMSGTIME time    The time of the last delivered publication.
    ACTCONN  text    The connection that uses the subscription.
    DURABLE  yes     Whether the subscription outlives the program.
    MCASTREL text    The reliability of multicast.
    NUMMSGS  number  The number of publications delivered.
    SUBTYPE  text    How the subscription was created.
    TOPICSTR text    The topic string of the subscription.
"""

ENTITY_AUTHORITY = """
    OBJTYPE  text    The type of object.
    ENTITY   text    The user or group.
    ENTTYPE  text    Whether ENTITY is a user or a group.
    AUTHLIST list    The authorities of the user or group.
"""

CHANNEL_INITIATOR = """
    STATUS   text    The state: RUNNING, or STOPPED if there is no channel initiator.
    INITQ    name    The initiation queue that it reads.
    PID      number  The number of its process.
"""

COMMAND_SERVER = """
    STATUS   text    The state: STOPPED, because the program that reads a command runs it.
"""

GROUP = """
    NUMBER   number  The number of the member in the group.
    STATUS   text    The state of the member: CREATED until it has been started, ACTIVE or INACTIVE.
    CMDLEVEL number  The level of the commands that the member supports.
    EXPSCAN  yes     Whether the member scans shared queues for expired messages.
"""

STRUCTURE_STATUS = """
    TYPE     text    What the row describes: SUMMARY or CONNECT.
    CFTYPE   text    The type of structure: APPL, for application queues.
    QMNAME   name    The member that uses the structure.
    SYSNAME  text    The system on which the member runs.
    STATUS   text    The state of the structure: NOTFOUND before a queue of it is first opened, then ACTIVE.
    SIZEMAX  number  The size of the structure in kilobytes; 0, because only the disk limits it here.
    SIZEUSED number  The message data in the structure, in kilobytes.
    ENTSMAX  number  The most entries of the structure; 0, because there is no limit here.
    ENTSUSED number  The messages in the structure.
    OFFLDUSE text    Where large messages are offloaded: NONE.
    FAILDATE date    The date on which the structure failed; blank, because that does not happen here.
    FAILTIME time    The time at which the structure failed; blank, because that does not happen here.
    ACCESS   text    Whether shared message data sets can be used (there are none here: blank).
    BKUPDATE date    The date of the last backup; blank, because structures are not backed up here.
    BKUPTIME time    The time of the last backup; blank.
    BKUPSIZE text    The size of the last backup in megabytes; blank.
    BKUPSRBA text    Where the last backup starts in the log; blank.
    BKUPERBA text    Where the last backup ends in the log; blank.
    LOGS     text    The members whose logs a recovery needs; blank.
    RCVDATE  date    The date on which the last recovery of a shared message data set started; blank.
    RCVTIME  time    The time at which it started; blank.
    SMDS     name    The member that owns the shared message data set; blank.
"""
