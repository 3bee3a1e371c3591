"""SPMD analysis: does every rank run the same collectives? README.md in this folder explains it."""
