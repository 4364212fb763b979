"""The life of a row as a table, and the replay of real timelines along it."""
