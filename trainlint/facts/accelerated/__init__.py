"""How accelerate is told to start a job: its configurations, the lines that start something with one, the scripts."""
