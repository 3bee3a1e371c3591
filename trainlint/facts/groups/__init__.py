"""The group of processes: who starts it, with what, and what was done before."""
