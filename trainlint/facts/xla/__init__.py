"""Which training loops run on XLA, and what gives them shapes that change."""
