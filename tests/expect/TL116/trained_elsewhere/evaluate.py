"""The same solver, which only evaluates here."""

import torch
from nets import restored
from solver import Solver


def main(args, model, held_out):
    model = torch.nn.DataParallel(model).cuda()
    return Solver(model, [], held_out, args.lr).evaluate()


def from_a_file(args, held_out):
    return Solver(restored(args), [], held_out, args.lr).evaluate()
