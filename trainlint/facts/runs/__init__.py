"""What one run of a training script is: which files are such scripts, what they draw and seed, and whether results repeat."""
