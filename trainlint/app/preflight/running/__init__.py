"""Which functions a job runs, from its script on; which it may run; and what their calls are handed."""
