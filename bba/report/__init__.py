"""The report of a folder of results: one self-contained page, and its tables as files."""
