"""The MQI in bytes, and the modules with which IBM's Python clients call it.

Structures, handles and calls in bytes belong here, as programs with IBM's packages use them.
"""
