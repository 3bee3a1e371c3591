"""A number that says which rank this is, under a name that is meant for the object's own code only."""

import torch.distributed as dist


def of_a_part_of_the_settings(config):
    if config.environment._local_rank == 0:
        dist.barrier()  # expect: TL101


def of_an_object(state):
    if state._is_main_process:
        dist.barrier()  # expect: TL101


def of_how_many_there_are(state):
    if state._world_size > 1:
        dist.barrier()


def of_something_else(config):
    if config.environment._local_files == 0:
        dist.barrier()
