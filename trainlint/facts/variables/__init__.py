"""The variables of the environment: where a program sets them, and what had read them before."""
