"""`mqsc import`: files that real queue managers and their tools wrote, by format; formats.csv is
the table of formats.

A reader is the function of a format that imports files of it; recognition.py chooses the format and
opens the file.
"""
