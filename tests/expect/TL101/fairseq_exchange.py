"""fairseq's `all_to_all` waits for the whole group, as its other collectives do."""

from fairseq.distributed import utils as distributed_utils


def exchange(x, group):
    if distributed_utils.get_global_rank() == 0:
        x = distributed_utils.all_to_all(x, group=distributed_utils.get_global_group())  # expect: TL101
    return x
