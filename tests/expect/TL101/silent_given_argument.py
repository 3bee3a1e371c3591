"""What is agreed upon where nothing was given is not agreed upon here: something was."""

import torch.distributed as dist


def agreed_name(width=8):
    names = ["x" * width]
    dist.broadcast_object_list(names, src=0)
    return names[0]


def start_log(project, group=None, mode="offline"):
    if dist.is_initialized():
        if group is None:
            group = agreed_name()
        project = f"{project}/{group}"
    return project, mode


def begin(settings):
    if dist.get_rank() == 0:
        start_log(settings.log.project, group=settings.log.group)


def begin_with(settings):
    if dist.get_rank() == 0:
        start_log("mine", settings["group"])


def begin_later(settings, folder):
    if dist.get_rank() == 0:
        start_log("mine", folder.name_of(settings), mode="online")
