"""Two people in one kitchen, each in a process of their own: the hub that joins them, and its clients."""
