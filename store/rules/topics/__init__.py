"""Publish/subscribe: topic strings and wildcards, inherited attributes, which subscriptions receive a
publication and as what, and which subscriptions can be made.
"""
