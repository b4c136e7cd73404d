*** Comments ***
The seven keywords of robotframework-ibmmq, on a queue manager with the objects for developers.

*** Settings ***
Library           IBMMQLibrary
Suite Teardown    Disconnect All MQ Connections

*** Test Cases ***
Messages Are Put, Browsed And Got
    Connect MQ    QM1    mq.example    1414    DEV.APP.SVRCONN
    Put MQ Message    DEV.QUEUE.1    one cup
    Put MQ Message    DEV.QUEUE.1    zwei Stück
    ${seen}=    Browse MQ Messages    DEV.QUEUE.1    max_messages=2    timeout=0s
    Should Be Equal    ${seen}    ${{['one cup', 'zwei Stück']}}
    ${got}=    Get MQ Messages    DEV.QUEUE.1    message_amount=2
    Should Be Equal    ${got}    ${seen}

A Queue Is Cleared
    Put MQ Message    DEV.QUEUE.1    one cup
    Clear MQ Queue    DEV.QUEUE.1
    Run Keyword And Expect Error    Expected 1 message(s), but received 0.
    ...    Get MQ Messages    DEV.QUEUE.1

Two Connections By Their Aliases
    Connect MQ    QM2    other.example    1414    DEV.APP.SVRCONN    alias=second
    Put MQ Message    DEV.QUEUE.1    for the second    alias=second
    Disconnect MQ
    Run Keyword And Expect Error    *No valid MQ alias*    Put MQ Message    DEV.QUEUE.1    x
    ${got}=    Get MQ Messages    DEV.QUEUE.1    alias=second
    Should Be Equal    ${got}[0]    for the second

A Wrong Channel Is Refused
    Run Keyword And Expect Error    *2540*
    ...    Connect MQ    QM2    other.example    1414    NONE    alias=third
