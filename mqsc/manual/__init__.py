"""Manual pages and the documentation as a site, generated from the commands, the catalog and docs/.

`python -m mqsc.manual man DIR` and `python -m mqsc.manual site DIR`. Neither is kept in the
repository: generated, they cannot fall behind the program.
"""
