"""The state of a project's own trainer has its optimizer in it, directly or in what it is made of."""

import torch


class Learner:
    def __init__(self, net, lr):
        self.net = net
        self.optimizer = torch.optim.Adam(net.parameters(), lr=lr)

    def update(self, batch):
        self.optimizer.zero_grad()
        self.net(batch).mean().backward()
        self.optimizer.step()

    def state_dict(self):
        return {"net": self.net.state_dict(), "opt": self.optimizer.state_dict()}

    def load_state_dict(self, state):
        self.net.load_state_dict(state["net"])
        self.optimizer.load_state_dict(state["opt"])


def of_a_learner(args, net, loader):
    learner = Learner(net, args.lr)
    start = 0
    if args.resume:
        checkpoint = torch.load(args.resume, map_location="cpu")
        learner.load_state_dict(checkpoint["model"])
        start = checkpoint["epoch"] + 1
    for epoch in range(start, args.epochs):
        for batch in loader:
            learner.update(batch)
        torch.save({"model": learner.state_dict(), "epoch": epoch}, args.output)


class Algorithm:
    """Holds a learner; its state is the learner's, and some numbers."""

    def __init__(self, net, lr):
        self.learner = Learner(net, lr)
        self.seen = 0

    def state_dict(self):
        return {"learner": self.learner.state_dict(), "seen": self.seen}

    def load_state_dict(self, state):
        self.learner.load_state_dict(state["learner"])
        self.seen = state["seen"]


def of_an_algorithm(args, net, loader):
    algorithm = Algorithm(net, args.lr)
    start = 0
    if args.resume:
        checkpoint = torch.load(args.resume, map_location="cpu")
        algorithm.load_state_dict(checkpoint["model"])
        start = checkpoint["epoch"] + 1
    for epoch in range(start, args.epochs):
        for batch in loader:
            algorithm.learner.update(batch)
        torch.save({"model": algorithm.state_dict(), "epoch": epoch}, args.output)


class Several:
    """Everything that it has been given has a state: which, nobody sees."""

    def __init__(self, **parts):
        self.parts = parts

    def state_dict(self):
        return {name: part.state_dict() for name, part in self.parts.items()}

    def load_state_dict(self, state):
        for name, part in self.parts.items():
            part.load_state_dict(state[name])


def of_several(args, net, loader):
    optimizer = torch.optim.Adam(net.parameters(), lr=args.lr)
    everything = Several(net=net, optimizer=optimizer)
    start = 0
    if args.resume:
        checkpoint = torch.load(args.resume, map_location="cpu")
        everything.load_state_dict(checkpoint["all"])
        start = checkpoint["epoch"] + 1
    for epoch in range(start, args.epochs):
        for batch in loader:
            optimizer.zero_grad()
            net(batch).mean().backward()
            optimizer.step()
        torch.save({"all": everything.state_dict(), "epoch": epoch}, args.output)
