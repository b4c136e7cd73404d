"""`mqsc archive`: the history of a store as Parquet files, and checks of them."""
