"""The shape of MQSC and of rules tables: lines, commands, entries, and the position of every word.

ACTION, which every rule has, is the only keyword known here. `grammar.lines` joins source lines
into logical lines, `grammar.parse` turns a logical line into a tree, and `grammar.tree` turns a
tree back into text. Every failure is a `grammar.tree.SyntaxFault`. Lark is imported when the first
line is parsed.
"""
