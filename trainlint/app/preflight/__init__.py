"""The checklist before a job starts: for each training script what is there, what is missing, and what only a run would tell."""
