"""The same setting asked for twice, with a default, in lower case, or through a helper that puts it right."""

import torch.distributed as dist


def default_by_or(settings, tensor):
    mode = settings.mode or "plain"
    if mode == "shared" or dist.get_rank() == 0:
        if settings.mode == "shared":
            dist.all_reduce(tensor)


def lower(settings, tensor):
    if settings.mode == "shared" or dist.get_rank() == 0:
        if settings.mode.strip().lower() == "shared":
            dist.all_reduce(tensor)


def as_number(settings, tensor):
    if settings.size > 3 or dist.get_rank() == 0:
        if int(settings.size) > 3:
            dist.all_reduce(tensor)


class Check:
    def __init__(self, args):
        self.settings = args

    def mode(self):
        """What is not known is the plain mode."""
        asked = getattr(self.settings, "check_mode", "shared")
        mode = str(asked).strip().lower() if asked is not None else "shared"
        if mode not in {"plain", "shared"}:
            mode = "plain"
        return mode

    def shared(self):
        return self.mode() == "shared"

    def run(self, rows):
        if self.shared():
            found = [None] * dist.get_world_size()
            dist.all_gather_object(found, rows)


class Work:
    def __init__(self, settings):
        self.settings = settings
        self.check = Check(args=self.settings)

    def benchmark(self, rows):
        if self.settings.check_mode != "shared" and dist.get_rank() != 0:
            return
        self.check.run(rows)


def given_or_default(settings, tensor):
    mode = settings.mode if settings.mode is not None else "plain"
    if mode != "shared" and dist.get_rank() != 0:
        return
    if settings.mode == "shared":
        dist.all_reduce(tensor)
