"""The interface for Python programs, over the classes of the MQI: sessions, queues, errors by
name, and asyncio.
"""
