"""`mqsc import`: files that real queue managers and their tools wrote, by format; formats.py has
the table of formats.

A reader is the function of a format that imports files of it, which readers.py names;
recognition.py finds the format and opens the file.
"""
