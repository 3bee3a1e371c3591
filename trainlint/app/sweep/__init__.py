"""Many repositories in one go: each checked as its own project, in a process of its own, here or on somebody's executor."""
