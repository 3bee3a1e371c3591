"""What a job is told: the options of its command line, and the configurations that it reads, as far as the files say."""
