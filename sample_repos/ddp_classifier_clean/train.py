"""Entry point: ``torchrun --nproc-per-node 8 train.py --data /datasets/pets``."""

from __future__ import annotations

import argparse

import torch

from checkpoint import Checkpointer, load_pretrained
from config import read_options
from data import ImageArrays, build_eval_loader, build_train_loader, clear_scratch, load_statistics, stage_on_node
from distributed import get_rank, is_main, launch_group, leave_group, wait_for_all
from evaluation import evaluate, hardest_samples, write_report
from network import Classifier
from probe import train_probe
from trainer import Trainer
from warmup import warm_up_head


def run_evaluation(args: argparse.Namespace, device: torch.device) -> None:
    """Print the scores of the newest checkpoint."""
    folder = stage_on_node(args.data, args.scratch)
    dataset = ImageArrays(folder, "eval", load_statistics(folder, args.output))
    loader = build_eval_loader(args, dataset)
    network = Classifier(args.classes, args.width).to(device)
    stored = Checkpointer(args.output / "checkpoints", args.keep).newest_snapshot()
    if stored is not None:
        network.load_state_dict(stored["network"])
    report = evaluate(network, loader, args.classes, device)
    if is_main():
        print(f"accuracy {report['accuracy']:.4f}, loss {report['loss']:.4f}")


def run_training(args: argparse.Namespace, device: torch.device) -> None:
    """Train from scratch, from published weights or from the newest checkpoint."""
    folder = stage_on_node(args.data, args.scratch)
    statistics = load_statistics(folder, args.output)
    train_set = ImageArrays(folder, "train", statistics)
    eval_set = ImageArrays(folder, "eval", statistics)
    network = Classifier(args.classes, args.width)
    train_loader = build_train_loader(args, train_set)
    eval_loader = build_eval_loader(args, eval_set)
    if args.pretrained:
        load_pretrained(network, args.pretrained, args.output / "cache")
        warm_up_head(args, network, train_loader, device)
    trainer = Trainer(args, network, train_loader=train_loader, eval_loader=eval_loader, device=device)
    if args.resume:
        trainer.restore_newest()
    trainer.fit()
    write_report(args.output / "report.json", trainer.curves, device)
    if args.show_hardest:
        hardest = hardest_samples(trainer.network, eval_loader, device)
        if is_main():
            print("hardest:", ", ".join(str(index) for _, index in hardest))
    if args.probe_epochs > 0:
        probe = train_probe(args, trainer.network, train_set, folder, device)
        if is_main():
            torch.save(probe.state_dict(), args.output / "probe_final.pt")
    clear_scratch(args.scratch)
    wait_for_all()  # rank 0 must not close its connections while another rank still reads from them


def main() -> None:
    """Run the job in this process."""
    args = read_options()
    device = launch_group()
    torch.manual_seed(args.seed + get_rank())
    try:
        if args.evaluate_only:
            run_evaluation(args, device)
        else:
            run_training(args, device)
    finally:
        leave_group()


if __name__ == "__main__":
    main()
