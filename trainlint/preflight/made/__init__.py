"""What files, dicts and the tags of YAML make: classes and functions that a job finds by the names that stand there."""
