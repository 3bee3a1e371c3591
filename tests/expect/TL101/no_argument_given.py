"""What is agreed upon where nothing was given: nothing was, or it was handed on as it came."""

import torch.distributed as dist


def agreed_name(width=8):
    names = ["x" * width]
    dist.broadcast_object_list(names, src=0)
    return names[0]


def start_log(project, group=None):
    if dist.is_initialized():
        if group is None:
            group = agreed_name()
        project = f"{project}/{group}"
    return project


def begin(settings):
    if dist.get_rank() == 0:
        start_log(settings.log.project)  # expect: TL101


def begin_without(settings):
    if dist.get_rank() == 0:
        start_log(settings.log.project, group=None)  # expect: TL101


def begin_with(settings, group=None):
    if dist.get_rank() == 0:
        start_log(settings.log.project, group)  # expect: TL101
