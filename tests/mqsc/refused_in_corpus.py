"""The commands in scripts found on the web that are refused, with the reasons; MQ refuses each of them too.

Each script is run on a new queue manager of its own. A row is the file, the reason, the message, and the lines on which
the refused commands begin.
"""

from __future__ import annotations

from enum import Enum


class Reason(Enum):
    PLACEHOLDER = "a template's placeholder, which no name or number can be"
    MISSING = "the object is not defined on a new queue manager"
    SHELL = "a line of the shell around the commands"
    PROSE = "a remark that is no comment of MQSC"
    DIAGRAM = "a syntax diagram, pasted"
    PARAMETER = "a parameter or name that the command needs is left out"
    KEYWORD = "a keyword that the command does not have"
    NO_STATUS = "a channel that was never started has no status"
    TWICE = "the object is defined twice without REPLACE"


ROWS: tuple[tuple[str, Reason, str, tuple[int, ...]], ...] = (
    ("Bagatin__CreateQMGR__criatrig.txt", Reason.DIAGRAM, "AMQ8426I", (2, 3, 4, 5, 6, 7, 9)),
    ("Bagatin__CreateQMGR__criatrig.txt", Reason.MISSING, "AMQ8147E", (21, 23, 25, 27, 29)),
    ("Bagatin__CreateQMGR__crtqmgr.sh#L189.mqsc", Reason.PLACEHOLDER, "AMQ8424E", (2, 9, 11)),
    ("Bagatin__CreateQMGR__crtqmgr.sh#L210.mqsc", Reason.PLACEHOLDER, "AMQ8424E", (2,)),
    ("Bagatin__CreateQMGR__crtqmgr.sh#L210.mqsc", Reason.MISSING, "AMQ8147E", (14,)),
    ("Bagatin__CreateQMGR__crtqmgr.sh#L266.mqsc", Reason.PLACEHOLDER, "AMQ8424E", (4, 6, 10, 16)),
    (
        "aztekmq__IBMMQ-HA-Solutions__architecture_tips__cases_for_and_against_uniform_clustering.md#L138.mqsc",
        Reason.SHELL,
        "AMQ8426I",
        (1,),
    ),
    (
        "aztekmq__IBMMQ-HA-Solutions__architecture_tips__cases_for_and_against_uniform_clustering.md#L138.mqsc",
        Reason.KEYWORD,
        "AMQ8405I",
        (4,),
    ),
    ("aztekmq__IBMMQ-HA-Solutions__nativeOS__README.md#L150.mqsc", Reason.SHELL, "AMQ8405I", (1,)),
    ("aztekmq__IBMMQ-HA-Solutions__nativeOS__README.md#L150.mqsc", Reason.PROSE, "AMQ8405I", (6,)),
    ("aztekmq__IBMMQ-HA-Solutions__nativeOS__README.md#L150.mqsc", Reason.PROSE, "AMQ8426I", (6,)),
    ("aztekmq__IBMMQ-HA-Solutions__nativeOS__README.md#L150.mqsc", Reason.SHELL, "AMQ8426I", (8,)),
    ("ibm-cloud-docs__mqcloud__mqoc_admin_dmpmqcfg.md#L95", Reason.PROSE, "AMQ8426I", (1,)),
    ("ibm-cloud-docs__mqcloud__mqoc_configure_chl_ssl.md#L177.mqsc", Reason.MISSING, "AMQ8227E", (1, 2)),
    ("ibm-cloud-docs__mqcloud__mqoc_connect_onprem_direct.md#L301.mqsc", Reason.SHELL, "AMQ8426I", (1,)),
    ("ibm-cloud-docs__mqcloud__mqoc_connect_onprem_direct.md#L301.mqsc", Reason.MISSING, "AMQ8227E", (3, 4)),
    ("ibm-cloud-docs__mqcloud__mqoc_connect_onprem_direct.md#L314.mqsc", Reason.SHELL, "AMQ8426I", (1,)),
    ("ibm-cloud-docs__mqcloud__mqoc_connect_onprem_direct.md#L314.mqsc", Reason.MISSING, "AMQ8227E", (3,)),
    ("ibm-cloud-docs__mqcloud__mqoc_private_vpe.md#L189.mqsc", Reason.KEYWORD, "AMQ8405I", (2,)),
    ("ibm-cloud-docs__mqcloud__mqoc_private_vpe.md#L206.mqsc", Reason.MISSING, "AMQ8227E", (1,)),
    ("ibm-cloud-docs__mqcloud__mqoc_private_vpe.md#L206.mqsc", Reason.NO_STATUS, "AMQ8420I", (2,)),
    ("ibm-cloud-docs__mqcloud__mqoc_private_vpe.md#L264.mqsc", Reason.KEYWORD, "AMQ8405I", (2,)),
    (
        "ibm-cloud-docs__mqcloud__tutorials__tut_mqoc_connect_onprem_satellite_connector.md#L288.mqsc",
        Reason.MISSING,
        "AMQ8227E",
        (1, 2),
    ),
    (
        "ibm-cloud-docs__mqcloud__tutorials__tut_mqoc_connect_onprem_satellite_connector.md#L296.mqsc",
        Reason.NO_STATUS,
        "AMQ8420I",
        (1, 2),
    ),
    ("ibm-messaging__mq-container__etc__mqm__15-tls.mqsc.tpl", Reason.PLACEHOLDER, "AMQ8405I", (19,)),
    (
        "ibm-messaging__mq-container__incubating__mqadvanced-server-dev__10-dev.mqsc.tpl",
        Reason.PLACEHOLDER,
        "AMQ8405I",
        (41,),
    ),
    (
        "ibm-messaging__mq-container__incubating__mqadvanced-server-dev__20-dev-tls.mqsc.tpl",
        Reason.MISSING,
        "AMQ8227E",
        (17, 18),
    ),
    (
        "ibm-messaging__mq-container__incubating__mqadvanced-server-dev__dev.mqsc.tpl",
        Reason.PLACEHOLDER,
        "AMQ8405I",
        (41,),
    ),
    ("ibm-messaging__mq-mqi-nodejs__tests__mqset.pipe.mqsc", Reason.PLACEHOLDER, "AMQ8424E", (1, 2, 3, 4)),
    (
        "ibm-messaging__mq-mqsc-editor-plugin__com.ibm.mq.explorer.ms0s.mqscscripts__test.mqsc",
        Reason.MISSING,
        "AMQ8147E",
        (1,),
    ),
    (
        "ibm-messaging__mq-uniform-clusters__demo__Docker__QMConfig__dockerVolume__UniCluster.mqsc",
        Reason.PLACEHOLDER,
        "AMQ8424E",
        (22,),
    ),
    (
        "ibm-messaging__mq-uniform-clusters__demo__Linux__QMConfig__UniCluster.mqsc",
        Reason.PLACEHOLDER,
        "AMQ8424E",
        (25,),
    ),
    (
        "ibm-messaging__mq-uniform-clusters__pubsub__simple-admin__QMConfig__UniCluster.mqsc",
        Reason.PLACEHOLDER,
        "AMQ8424E",
        (25,),
    ),
    ("ibm-messaging__mq-uniform-clusters__pubsub__simple-admin__README.md#L69.mqsc", Reason.MISSING, "AMQ8147E", (2,)),
    (
        "ibm-messaging__mq-uniform-clusters__request-reply__QMConfig__UniCluster.mqsc",
        Reason.PLACEHOLDER,
        "AMQ8424E",
        (25,),
    ),
    ("jastiranjeeth-tech__ibm-mq-ha-dual-site-eks__README.md#L225.mqsc", Reason.PARAMETER, "AMQ8421E", (1,)),
    ("jastiranjeeth-tech__ibm-mq-ha-dual-site-eks__README.md#L231.mqsc", Reason.PARAMETER, "AMQ8421E", (1,)),
    (
        "jastiranjeeth-tech__ibm-mq-ha-dual-site-eks__k8s__site-a__mq-configmap.yaml#L17.mqsc",
        Reason.PARAMETER,
        "AMQ8421E",
        (10,),
    ),
    (
        "jastiranjeeth-tech__ibm-mq-ha-dual-site-eks__k8s__site-b__mq-configmap.yaml#L17.mqsc",
        Reason.PARAMETER,
        "AMQ8421E",
        (10,),
    ),
    ("k-kwstas__fileprocessingplatform__config.mqsc", Reason.MISSING, "AMQ8227E", (6,)),
    ("srinudoddi__mqdockerfile__20-config.mqsc", Reason.MISSING, "AMQ8147E", (1, 2, 3)),
    ("tsoyroma__321__mq__mq__linux__scripts__create_objects_dmz.mqsc", Reason.PARAMETER, "AMQ8405I", (32,)),
    ("tsoyroma__321__mq__mq__linux__scripts__create_objects_lan.mqsc", Reason.PARAMETER, "AMQ8405I", (29,)),
    ("tsoyroma__321__mq__mq__linux__scripts__start_chanels_dmz.mqsc", Reason.MISSING, "AMQ8227E", (2, 4, 6)),
    ("tsoyroma__321__mq__mq__linux__scripts__start_listener_dmz.mqsc", Reason.MISSING, "AMQ8147E", (1,)),
    ("tsoyroma__321__mq__mq__linux__scripts__start_listener_lan.mqsc", Reason.MISSING, "AMQ8147E", (1,)),
    ("tsoyroma__321__mq__mq__mq__linux__scripts__mqdmz__create_objects_dmz.mqsc", Reason.PARAMETER, "AMQ8405I", (32,)),
    ("tsoyroma__321__mq__mq__mq__linux__scripts__mqlan__create_objects_lan.mqsc", Reason.PARAMETER, "AMQ8405I", (29,)),
    (
        "tsoyroma__321__mq__mq__mq__linux__scripts__sbolrs__create_objects_sbolrs1.mqsc",
        Reason.MISSING,
        "AMQ8227E",
        (2,),
    ),
    ("tsoyroma__321__mq__mq__mq__linux__scripts__sbolrs__create_queues_sbolrs.mqsc", Reason.TWICE, "AMQ8150E", (18,)),
    ("unknown_18047320563__T.Rob_build_initialize.ksh.heredoc.mqsc", Reason.PLACEHOLDER, "AMQ8424E", (26, 31, 50, 53)),
    (
        "unknown_18221897354__T.Rob_build_channels.ksh.heredoc.mqsc",
        Reason.PLACEHOLDER,
        "AMQ8424E",
        (15, 24, 32, 39, 41),
    ),
    ("unknown_18317501136__dmpmqcfg-qlocal.ftl.mqsc", Reason.PLACEHOLDER, "AMQ8405I", (1,)),
    ("unknown_18476730477__dmpmqcfg-qremote-fixed.ftl.mqsc", Reason.PLACEHOLDER, "AMQ8405I", (1,)),
    ("unknown_18843847346__dmpmqcfg-qalias.ftl.mqsc", Reason.PLACEHOLDER, "AMQ8424E", (1,)),
    ("unknown_18904143807__dmpmqcfg-qremote.ftl.mqsc", Reason.PLACEHOLDER, "AMQ8405I", (1,)),
    ("unknown_61215875734__treasure-hunt.md.clue10.mqsc", Reason.PROSE, "AMQ8426I", (1, 5, 8)),
    ("unknown_61215875734__treasure-hunt.md.clue10.mqsc", Reason.MISSING, "AMQ8147E", (2, 3, 10)),
    ("unknown_61215875734__treasure-hunt.md.clue10.mqsc", Reason.PLACEHOLDER, "AMQ8424E", (6,)),
    ("unknown_61215875734__treasure-hunt.md.clue10.mqsc", Reason.KEYWORD, "AMQ8405I", (9,)),
    ("unknown_61215875734__treasure-hunt.md.clue3.mqsc", Reason.PROSE, "AMQ8426I", (1,)),
    ("unknown_61215875734__treasure-hunt.md.clue3.mqsc", Reason.PLACEHOLDER, "AMQ8424E", (2,)),
    ("unknown_61215875734__treasure-hunt.md.clue6.mqsc", Reason.PROSE, "AMQ8426I", (1, 7, 10)),
    (
        "yu-kun__yu-kun.github.io__blog__2013-01-08-websphere-mq-trigger__index.md#L86.mqsc",
        Reason.SHELL,
        "AMQ8426I",
        (1, 10),
    ),
    (
        "yu-kun__yu-kun.github.io__blog__2013-01-13-websphere-mq-sender-receiver__index.md#L33.mqsc",
        Reason.SHELL,
        "AMQ8426I",
        (1, 14),
    ),
    ("zollty__IBM-MQ-Monitoring-Script__chs-dis-ex0.sh#L10.mqsc", Reason.PLACEHOLDER, "AMQ8424E", (1,)),
    ("zollty__IBM-MQ-Monitoring-Script__lsnr-dis-ex0.sh#L10.mqsc", Reason.PLACEHOLDER, "AMQ8424E", (1,)),
    ("zollty__IBM-MQ-Monitoring-Script__qdepth-dis-ex0.sh#L14.mqsc", Reason.PLACEHOLDER, "AMQ8424E", (1,)),
)
