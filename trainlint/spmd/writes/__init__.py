"""Files and ranks: who writes a file, who reads it, and whether anybody waits in between."""
