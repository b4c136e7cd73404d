mqsc 0.1.0, an MQ-style queue manager in SQLite.
Starting MQSC for queue manager QM1.


       : * Written by mqsc export. Run it to recreate these definitions.
       :
     1 : DEFINE STGCLASS('S') DESCR('x') PSID(1) REPLACE
MQSC0009I: Storage class created.
Nothing acts on STGCLASS here: there are no page sets.
       :
     2 : DEFINE STGCLASS('S9') PSID(1) REPLACE
MQSC0009I: Storage class created.
       :
     3 : DEFINE CFSTRUCT('CF1') CFLEVEL(5) RECOVER(YES) REPLACE
MQSC0012I: CF structure created.
       :
     4 : DEFINE AUTHINFO('AU1') AUTHTYPE(CRLLDAP) CONNAME('h(389)') REPLACE
AMQ8563I: IBM MQ authentication information object created.
Nothing acts on AUTHINFO of type CRLLDAP here: no certificate is used.
       :
     5 : DEFINE AUTHINFO('AU2') AUTHTYPE(OCSP) OCSPURL('http://h') REPLACE
AMQ8563I: IBM MQ authentication information object created.
       :
     6 : DEFINE AUTHINFO('AU3') AUTHTYPE(IDPWOS) REPLACE
AMQ8563I: IBM MQ authentication information object created.
       :
       : * LDAPPWD of AUTHINFO(AU4) is not shown. Set it by hand.
     7 : DEFINE AUTHINFO('AU4') AUTHTYPE(IDPWLDAP) CONNAME('h') LDAPUSER('cn') +
       :    SHORTUSR('UID') REPLACE
AMQ8563I: IBM MQ authentication information object created.
Nothing acts on AUTHINFO of type IDPWLDAP here: users are not looked up in LDAP.
       :
     8 : DEFINE AUTHINFO('AU5') AUTHTYPE(IDPWLDAP) AUTHORMD(SEARCHGRP) +
       :    BASEDNG('o=ibm, c=us') CLASSGRP('groupOfNames') CONNAME('10.0.0.8') +
       :    NESTGRP(YES) SHORTUSR('sn') REPLACE
AMQ8563I: IBM MQ authentication information object created.
       :
     9 : DEFINE AUTHINFO('AU6') AUTHTYPE(IDPWOS) AUTHENMD(PAM) REPLACE
AMQ8563I: IBM MQ authentication information object created.
AUTHENMD has no effect: users and their passwords are those of the store here (`mqsc user`).
       :
    10 : DEFINE NAMELIST('N1') NAMES('A','B','C') REPLACE
AMQ8552I: IBM MQ namelist created.
       :
    11 : DEFINE NAMELIST('N2') NAMES('A','B') REPLACE
AMQ8552I: IBM MQ namelist created.
       :
    12 : DEFINE NAMELIST('N3') REPLACE
AMQ8552I: IBM MQ namelist created.
       :
    13 : DEFINE NAMELIST('N4') REPLACE
AMQ8552I: IBM MQ namelist created.
       :
    14 : DEFINE NAMELIST('N5') NAMES('A') NLTYPE(QUEUE) REPLACE
AMQ8552I: IBM MQ namelist created.
NLTYPE has no effect: names in a namelist are not checked here.
       :
    15 : DEFINE PROCESS('P') APPLICID('/x') ENVRDATA('&') USERDATA('u') REPLACE
AMQ8010I: IBM MQ process created.
       :
    16 : DEFINE PROCESS('P2') APPLTYPE(WINDOWSNT) REPLACE
AMQ8010I: IBM MQ process created.
       :
    17 : DEFINE PROCESS('P3') APPLTYPE(65536) REPLACE
AMQ8010I: IBM MQ process created.
       :
    18 : DEFINE PROCESS('P4') REPLACE
AMQ8010I: IBM MQ process created.
       :
    19 : DEFINE PROCESS('P5') APPLTYPE(NOTESAGENT) REPLACE
AMQ8010I: IBM MQ process created.
       :
    20 : DEFINE QLOCAL('A') INITQ('INIT') PROCESS('P') TRIGDATA('x') +
       :    TRIGDPTH(5) TRIGGER TRIGMPRI(3) TRIGTYPE(DEPTH) REPLACE
AMQ8006I: IBM MQ queue created.
       :
    21 : DEFINE QLOCAL('B') DESCR('a') REPLACE
AMQ8006I: IBM MQ queue created.
       :
    22 : DEFINE QLOCAL('C') DESCR('x') INITQ('INIT') PROCESS('P') TRIGDATA('x') +
       :    TRIGDPTH(5) TRIGGER TRIGMPRI(3) TRIGTYPE(DEPTH) REPLACE
AMQ8006I: IBM MQ queue created.
       :
    23 : DEFINE QLOCAL('Q.Z') NOHARDENBO INDXTYPE(MSGID) REPLACE
AMQ8006I: IBM MQ queue created.
       :
    24 : DEFINE QMODEL('M1') DEFTYPE(PERMDYN) REPLACE
AMQ8006I: IBM MQ queue created.
       :
    25 : DEFINE QALIAS('AL') TARGET('A') REPLACE
AMQ8006I: IBM MQ queue created.
       :
    26 : DEFINE QALIAS('AL2') TARGET('A') REPLACE
AMQ8006I: IBM MQ queue created.
       :
    27 : DEFINE QREMOTE('R') RQMNAME('QM2') REPLACE
AMQ8006I: IBM MQ queue created.
       :
    28 : DEFINE CHANNEL('S1') CHLTYPE(SDR) CONNAME('h(1414)') XMITQ('X') +
       :    REPLACE
AMQ8014I: IBM MQ channel created.
       :
    29 : DEFINE CHANNEL('S2') CHLTYPE(SDR) BATCHSZ(10) +
       :    CONNAME('h(1414),g(1415)') DISCINT(0) HBINT(5) LONGRTY(1) +
       :    LONGTMR(1) MCATYPE(THREAD) NPMSPEED(NORMAL) SEQWRAP(1000) +
       :    SHORTRTY(1) SHORTTMR(1) XMITQ('X') REPLACE
AMQ8014I: IBM MQ channel created.
MCATYPE has no effect: channels run in the program that starts them here.
       :
    30 : DEFINE CHANNEL('S3') CHLTYPE(SVR) XMITQ('X') REPLACE
AMQ8014I: IBM MQ channel created.
       :
    31 : DEFINE CHANNEL('S4') CHLTYPE(RCVR) MRRTY(1) MRTMR(2) PUTAUT(CTX) +
       :    REPLACE
AMQ8014I: IBM MQ channel created.
PUTAUT has no effect: no user is checked here.
       :
    32 : DEFINE CHANNEL('S5') CHLTYPE(RQSTR) CONNAME('h') REPLACE
AMQ8014I: IBM MQ channel created.
       :
    33 : DEFINE CHANNEL('S8') CHLTYPE(SVRCONN) MAXINST(10) MAXINSTC(5) +
       :    SHARECNV(0) REPLACE
AMQ8014I: IBM MQ channel created.
Nothing acts on a channel of type SVRCONN here: clients do not connect through channels.
       :
    34 : DEFINE CHANNEL('S9') CHLTYPE(SDR) COMPHDR(SYSTEM,NONE) +
       :    COMPMSG(RLE,ZLIBFAST) CONNAME('h(1)') XMITQ('X') REPLACE
AMQ8014I: IBM MQ channel created.
COMPHDR has no effect: channels do not compress messages here.
       :
    35 : DEFINE CHANNEL('SA') CHLTYPE(SDR) CONNAME('h(1)') MSGDATA('x','y') +
       :    MSGEXIT('a(b)','c(d)') XMITQ('X') REPLACE
AMQ8014I: IBM MQ channel created.
MSGDATA has no effect: no exits are called here.
       :
    36 : DEFINE CHANNEL('SB') CHLTYPE(SDR) CONNAME('h(1)') SCYDATA('d') +
       :    SCYEXIT('path/lib(fn)') XMITQ('X') REPLACE
AMQ8014I: IBM MQ channel created.
       :
    37 : DEFINE CHANNEL('SC') CHLTYPE(SVRCONN) SSLCAUTH(OPTIONAL) +
       :    SSLCIPH('TLS_RSA_WITH_AES_256_CBC_SHA256') SSLPEER('CN=x') REPLACE
AMQ8014I: IBM MQ channel created.
       :
    38 : DEFINE CHANNEL('SD') CHLTYPE(SVRCONN) SSLCIPH('ANY_TLS12_OR_HIGHER') +
       :    REPLACE
AMQ8014I: IBM MQ channel created.
       :
    39 : DEFINE CHANNEL('SE') CHLTYPE(SVRCONN) SSLCIPH('RC4_MD5_US') REPLACE
AMQ8014I: IBM MQ channel created.
       :
    40 : DEFINE CHANNEL('SF') CHLTYPE(SVRCONN) SSLCIPH('NULL_MD5') REPLACE
AMQ8014I: IBM MQ channel created.
       :
    41 : DEFINE CHANNEL('SG') CHLTYPE(SVRCONN) SSLCIPH('TRIPLE_DES_SHA_US') +
       :    REPLACE
AMQ8014I: IBM MQ channel created.
       :
    42 : DEFINE CHANNEL('SH') CHLTYPE(SVRCONN) +
       :    SSLCIPH('TLS_AES_128_GCM_SHA256') REPLACE
AMQ8014I: IBM MQ channel created.
       :
    43 : DEFINE CHANNEL('SI') CHLTYPE(SVRCONN) +
       :    SSLCIPH('ECDHE_ECDSA_AES_128_CBC_SHA256') REPLACE
AMQ8014I: IBM MQ channel created.
       :
    44 : DEFINE CHANNEL('SJ') CHLTYPE(SVRCONN) SSLCIPH('ANY') REPLACE
AMQ8014I: IBM MQ channel created.
       :
    45 : DEFINE CHANNEL('SK') CHLTYPE(SVRCONN) SSLCIPH('ANY_TLS13') REPLACE
AMQ8014I: IBM MQ channel created.
       :
    46 : DEFINE CHANNEL('SL') CHLTYPE(SDR) CONNAME('LU') MODENAME('M') +
       :    TPNAME('T') TRPTYPE(LU62) XMITQ('X') REPLACE
AMQ8014I: IBM MQ channel created.
MODENAME has no effect: channels use no network here.
       :
    47 : DEFINE CHANNEL('SM') CHLTYPE(SVRCONN) DISCINT(600) HBINT(60) +
       :    MONCHL(HIGH) REPLACE
AMQ8014I: IBM MQ channel created.
       :
    48 : DEFINE CHANNEL('SN') CHLTYPE(CLUSRCVR) CLUSTER('C') REPLACE
AMQ8014I: IBM MQ channel created.
Nothing acts on a channel of type CLUSRCVR here: there are no clusters.
       :
    49 : DEFINE CHANNEL('SO') CHLTYPE(CLUSRCVR) CLUSTER('C') REPLACE
AMQ8014I: IBM MQ channel created.
       :
    50 : DEFINE CHANNEL('SP') CHLTYPE(CLUSSDR) CLUSNL('N1') CONNAME('h') +
       :    REPLACE
AMQ8014I: IBM MQ channel created.
       :
    51 : DEFINE CHANNEL('S6') CHLTYPE(CLNTCONN) CONNAME('h(1)') QMNAME('QM1') +
       :    REPLACE
AMQ8014I: IBM MQ channel created.
       :
    52 : DEFINE CHANNEL('S7') CHLTYPE(CLNTCONN) CONNAME('h(1)') QMNAME('*QM1') +
       :    REPLACE
AMQ8014I: IBM MQ channel created.
       :
    53 : DEFINE CHANNEL('S7B') CHLTYPE(CLNTCONN) CONNAME('h(1)') QMNAME('*') +
       :    REPLACE
AMQ8014I: IBM MQ channel created.
       :
    54 : DEFINE LISTENER('L1') TRPTYPE(TCP) CONTROL(STARTONLY) +
       :    IPADDR('127.0.0.1') PORT(1414) REPLACE
AMQ8626I: IBM MQ listener created.
Nothing acts on LISTENER here: no listener runs.
       :
    55 : DEFINE LISTENER('L2') TRPTYPE(LU62) TPNAME('X') REPLACE
AMQ8626I: IBM MQ listener created.
       :
    56 : DEFINE SERVICE('V1') STARTARG('+QMNAME+') STARTCMD('x') +
       :    STOPARG('+MQ_SERVER_PID+') STOPCMD('+MQ_INSTALL_PATH+BIN/AMQSSTOP') +
       :    REPLACE
AMQ8625I: IBM MQ service created.
Nothing acts on SERVICE here: no program is started.
       :
    57 : DEFINE TOPIC('T1') DURSUB(YES) PUB(ENABLED) PUBSCOPE(ALL) +
       :    TOPICSTR('a/b') REPLACE
AMQ8690I: IBM MQ topic created.
Nothing acts on TOPIC here: publications are not delivered.
       :
    58 : DEFINE TOPIC('T2') TOPICSTR('/X/Y') REPLACE
AMQ8690I: IBM MQ topic created.
       :
    59 : DEFINE SUB('U1') DEST('A') TOPICSTR('a/b') REPLACE
AMQ8094I: IBM MQ subscription created.
       :
    60 : DEFINE SUB('U3') DEST('A') SELECTOR('x = 1') TOPICSTR('c/#') +
       :    USERDATA('z') REPLACE
AMQ8094I: IBM MQ subscription created.
       :
    61 : DEFINE SUB('u 2') DESTCLAS(MANAGED) TOPICOBJ('T1') REPLACE
AMQ8094I: IBM MQ subscription created.
61 MQSC commands read.
No commands have a syntax error.
All valid MQSC commands were processed.
