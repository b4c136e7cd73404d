"""The MQI in bytes, and the modules with which IBM's Python clients call it."""
