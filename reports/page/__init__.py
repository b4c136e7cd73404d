"""The page of a run: one HTML file with totals, charts and tables, which loads nothing."""
