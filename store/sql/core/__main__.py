"""`python -m mqsc.store.sql.core`: write the SQL files beside the modules of `store/sql` anew."""

from __future__ import annotations

from mqsc.store.sql.core.files import written_files

for path, text in written_files().items():
    path.write_text(text, "utf-8")
