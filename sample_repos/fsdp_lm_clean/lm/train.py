"""Entry point: ``torchrun --nproc-per-node 8 -m lm.train --tokens /datasets/books``."""

from __future__ import annotations

import os
from pathlib import Path

import torch
import torch.distributed as dist

from .corpus import count_tokens, heldout_stream, training_stream, warn_if_full
from .curriculum import train_on_short_contexts
from .dist_env import ProcessInfo, open_group, take_turns
from .finetune import tune_on_pairs
from .layout import Layout
from .model import LanguageModel
from .settings import TrainSettings, read_settings
from .tracking import peak_memory_line
from .trainer import PreTrainer


def prepare_output(settings: TrainSettings, info: ProcessInfo, device: torch.device) -> None:
    """Make the folder of the run and look at what there is."""
    if info.is_main:
        settings.output_folder.mkdir(parents=True, exist_ok=True)
    dist.barrier()
    warn_if_full(settings.output_folder, 20 << 30, device)
    counted = count_tokens(Path(settings.tokens))
    if info.is_main:
        print(", ".join(f"{name}: {tokens} tokens" for name, tokens in counted.items()))


def run(settings: TrainSettings, info: ProcessInfo, device: torch.device) -> None:
    """All stages of the training."""
    layout = Layout(info, device, settings.replicas)
    model = take_turns(info, lambda: LanguageModel(settings).to(device))
    layout.shard_model(model)
    trainer = PreTrainer(settings, info, layout, model)
    if settings.restore:
        trainer.restore_from(settings.restore)
    elif settings.short_epochs:
        train_on_short_contexts(settings, model, device)
    loader, sampler = training_stream(settings, settings.context)
    trainer.fit(loader, sampler, heldout_stream(settings))
    if settings.pairs:
        tune_on_pairs(settings, model, device)
    busiest = layout.busiest_node(os.getloadavg()[0])
    if info.is_main:
        print(f"highest load average of a node: {busiest:.1f}")


def main() -> None:
    """Run the job in this process."""
    settings = read_settings()
    info = ProcessInfo()
    device = open_group(info)
    torch.manual_seed(settings.shuffle_seed)
    prepare_output(settings, info, device)
    run(settings, info, device)
    chief = int(os.environ.get("RANK", "0")) == 0
    memory = peak_memory_line(device)
    if chief:
        print(memory)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
