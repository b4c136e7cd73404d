"""The MQI in bytes, and the modules with which IBM's Python clients call it.

What programs with IBM's packages need belongs here: structures, handles and calls in bytes.
"""
