"""What a setting is by default says nothing where the command line may set each of them, by its name."""

import os
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.distributed as dist


@dataclass
class Sharding:
    root: str = "out"
    dist_folder: str = "sharded"
    enabled: bool = False
    adapters: bool = False


@dataclass
class Tracing:
    root: str = "traces"
    enabled: bool = False

    def update(self, **options):
        for key, value in options.items():
            setattr(self, key, value)


class Plain:
    root = "plain"
    enabled = False


def update(config, **options):
    if isinstance(config, (tuple, list)):
        for each in config:
            update(each, **options)
    else:
        for key, value in options.items():
            if hasattr(config, key):
                setattr(config, key, value)


def save_settings(config):
    folder = Path.cwd() / (config.root + "/" + config.dist_folder)
    if not os.path.exists(folder):
        os.makedirs(folder)  # expect: TL112
    with open(os.path.join(folder, "settings.txt"), "w") as file:  # expect: TL112
        file.write(str(config))


def sharded(model, **options):
    config, tracing = Sharding(), Tracing()
    update((config, tracing), **options)
    if config.enabled:
        dist.init_process_group("nccl")
    if config.enabled and not config.adapters:
        save_settings(config)
    if config.adapters:
        torch.save(model.state_dict(), Path.home() / config.root / "adapters.pt")  # expect: TL112


def traced(model, **options):
    tracing = Tracing()
    tracing.update(**options)
    dist.init_process_group("gloo")
    if tracing.enabled:
        torch.save(model.state_dict(), os.path.relpath(tracing.root))  # expect: TL112


def plain(model, options):
    config = Plain()
    config.__dict__.update(options)
    dist.init_process_group("gloo")
    if config.enabled:
        torch.save(model.state_dict(), config.root + "/model.pt")  # expect: TL112
