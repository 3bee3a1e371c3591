"""What a job logs: who is told what, and which values are in what is told."""
