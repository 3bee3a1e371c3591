"""What DeepSpeed is told: its configurations, in files and in dictionaries of the code."""
