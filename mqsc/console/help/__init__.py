"""`--help`: its layout, its pages and the examples of every command."""
