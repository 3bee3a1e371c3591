"""A language model trained with fully sharded data parallelism."""
