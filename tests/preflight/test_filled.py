"""A parameter that all callers fill with what they have made is no option that happens to be called so."""

from __future__ import annotations

from pathlib import Path

from tests.preflight.programs import verdicts

TEXT = """\
import argparse

import torch


def build(args, net):
    return torch.optim.SGD(net.parameters(), lr=args.lr), None


def kept(net, optimizer=None, number=0):
    found = {{"net": net.state_dict()}}
    torch.save(found, f"net{{number}}.pt")
    if optimizer is not None:
        store(optimizer, number)


def store(optimizer, number):
    state = optimizer.state_dict()
    torch.save(state, f"optimizer{{number}}.pt")


def save(net, optimizer, number):
    kept(net, optimizer, number)


def main(args):
    net = torch.nn.Linear(4, 2)
    optimizer, schedule = {made}
    for epoch in range(9):
        loss = net(torch.rand(8, 4)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        {save}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--optimizer", default=None)
    parser.add_argument("--lr", type=float, default=0.1)
    main(parser.parse_args())
"""


def test_an_optimizer_that_is_always_handed_over_is_no_option(tmp_path: Path) -> None:
    made = "build(args, net)"
    saved = "save(net, optimizer, epoch)"
    found = verdicts(
        tmp_path,
        {
            "made": TEXT.format(made=made, save=saved),
            "left out": TEXT.format(made=made, save="kept(net, number=epoch)"),
            "the option": TEXT.format(made=made, save="kept(net, args.optimizer, epoch)"),
            "of the option": TEXT.format(made=made, save="kept(net, str(args.optimizer or '') or None, epoch)"),
            "some leave it out": TEXT.format(made=made, save=f"{saved}\n        kept(net, number=0)"),
        },
    )
    assert {name: each["contents"] for name, each in found.items()} == {
        "made": "seen",
        "left out": "unknown",
        "the option": "unknown",
        "of the option": "unknown",
        "some leave it out": "unknown",
    }
