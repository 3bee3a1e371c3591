"""A setting with a default, or in lower case, is asked for: what is not the default is possible, too."""

import torch.distributed as dist


def default_by_or(settings, tensor):
    if dist.get_rank() == 0:
        if (settings.mode or "plain") == "shared":
            dist.all_reduce(tensor)  # expect: TL101


def default_in_a_name(settings, tensor):
    mode = settings.mode or "plain"
    if dist.get_rank() == 0 and mode == "shared":
        dist.all_reduce(tensor)  # expect: TL101


def default_of_a_helper(settings, tensor):
    if dist.get_rank() == 0 and mode_of(settings) in ("shared", "mixed"):
        dist.all_reduce(tensor)  # expect: TL101


def mode_of(settings):
    return (settings.mode or "plain").strip().lower()


def other_setting(settings, tensor):
    """That all may come in one mode is no help in another."""
    if settings.mode == "shared" or dist.get_rank() == 0:
        if mode_of(settings) == "mixed":
            dist.all_reduce(tensor)  # expect: TL101


class Check:
    """The mode is asked for under the name of a setting that the caller does not ask for."""

    def __init__(self, settings):
        self.settings = settings

    def shared(self):
        mode = getattr(self.settings, "check_mode", None)
        mode = str(mode).strip().lower() if mode is not None else "shared"
        return mode == "shared"

    def run(self, rows):
        if self.shared():
            found = [None] * dist.get_world_size()
            dist.all_gather_object(found, rows)


def first_only(settings, rows):
    if settings.benchmark_mode != "shared" and dist.get_rank() != 0:
        return
    Check(settings).run(rows)  # expect: TL102
