"""Shards: how many items a rank goes over, and which loops therefore make more rounds on some ranks than on others."""
