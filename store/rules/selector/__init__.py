"""Selection strings: `Color = 'red' AND n > 5`, read once per open and evaluated for every
message (properties §6).
"""
