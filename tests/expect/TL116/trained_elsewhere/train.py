"""The script wraps the model, another file trains it, as in kaituoxu/Conv-TasNet."""

import torch
from nets import build
from solver import Solver, fit


def main(args, model, loader, held_out):
    if args.use_cuda:
        model = torch.nn.DataParallel(model)  # expect: TL116
        model.cuda()
    solver = Solver(model, loader, held_out, args.lr)
    solver.train(args.epochs)


def short(model, loader):
    model = torch.nn.DataParallel(model).cuda()  # expect: TL116
    fit(model, loader, torch.optim.SGD(model.parameters(), lr=0.1))


def built(args, loader):
    model = build(args)
    fit(model, loader, torch.optim.SGD(model.parameters(), lr=args.lr))
