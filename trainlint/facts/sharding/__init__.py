"""Models that are sharded: by which call, when, with what options; and what was done to them too early or too late."""
