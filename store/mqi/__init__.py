"""The MQI calls, one file each: read the facts, decide, write, record, deliver the effects."""
