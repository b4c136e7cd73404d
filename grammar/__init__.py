"""MQSC and rules tables as text: lines, commands, entries, and where each word stands. Knows shapes, no vocabulary.

`grammar.lines` makes logical lines of source lines, `grammar.parse` makes trees of logical lines, `grammar.printing`
makes text of trees, `grammar.fault` is the one way in which any of it fails. Lark is loaded when the first line is
parsed.
"""
