"""The command line: one small module per command, loaded only when that command runs."""
