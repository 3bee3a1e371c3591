"""Models whose parameters are sharded: FSDP, DeepSpeed, tensor parallelism."""
