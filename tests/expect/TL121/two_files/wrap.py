from torch.distributed.fsdp import FullyShardedDataParallel as FSDP, ShardingStrategy


def setup_fsdp(model, args):
    kwargs = {"sharding_strategy": ShardingStrategy.FULL_SHARD, "device_id": args.local_rank, "auto_wrap_policy": args.policy}
    return FSDP(model, **kwargs)
