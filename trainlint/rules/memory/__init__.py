"""Rules about memory: what is kept longer than anything needs it."""
