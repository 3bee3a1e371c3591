"""SPMD analysis: does every rank run the same collectives? (see README.md here)"""
