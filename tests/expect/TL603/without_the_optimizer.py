"""Runs that go on with the weights only."""
# Modelled on KaiyangZhou/deep-person-reid, pytorch/examples, karpathy/nanoGPT.

import torch


def main(args, model, criterion, loader):
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    if args.resume:
        checkpoint = torch.load(args.resume, map_location="cpu")
        model.load_state_dict(checkpoint["state_dict"])
        args.start_epoch = checkpoint["epoch"] + 1
    for epoch in range(args.start_epoch, args.max_epoch):
        train(model, criterion, optimizer, loader)
        if (epoch + 1) % args.every == 0:
            save_checkpoint(  # expect: TL603
                {"state_dict": model.state_dict(), "epoch": epoch}, f"checkpoint_ep{epoch + 1}.pth.tar"
            )


def save_checkpoint(state, path):
    torch.save(state, path)


def train(model, criterion, optimizer, loader):
    for images, labels in loader:
        optimizer.zero_grad()
        criterion(model(images), labels).backward()
        optimizer.step()


def until_enough(args, model, loader):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    updates = 0
    if args.resume:
        state = torch.load(args.resume, map_location="cpu", weights_only=True)
        model.load_state_dict(state["model"])
        updates = state["updates"]
    while updates < args.updates:
        for images, labels in loader:
            optimizer.zero_grad()
            torch.nn.functional.cross_entropy(model(images), labels).backward()
            optimizer.step()
            updates += 1
        torch.save({"model": model.state_dict(), "updates": updates}, args.output)  # expect: TL603


def until_it_breaks(args, model, next_batch):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    updates = 0
    if args.resume:
        state = torch.load(args.resume, map_location="cpu", weights_only=True)
        model.load_state_dict(state["model"])
        updates = state["updates"]
    while True:
        if updates % args.save_every == 0:
            torch.save({"model": model.state_dict(), "updates": updates}, args.output)  # expect: TL603
        images, labels = next_batch()
        torch.nn.functional.cross_entropy(model(images), labels).backward()
        optimizer.step()
        optimizer.zero_grad()
        updates += 1
        if updates > args.updates:
            break


class Steps:  # as lucidrains/denoising-diffusion-pytorch counted them
    def __init__(self, model, batches, last):
        self.model, self.batches, self.last = model, batches, last
        self.optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
        self.step = 0

    def save(self, milestone):
        state = {"step": self.step, "model": self.model.state_dict()}
        torch.save(state, f"model-{milestone}.pt")  # expect: TL603

    def load(self, milestone):
        state = torch.load(f"model-{milestone}.pt", map_location="cpu")
        self.model.load_state_dict(state["model"])
        self.step = state["step"]

    def run(self):
        while self.step < self.last:
            self.optimizer.zero_grad()
            self.model(next(self.batches)).sum().backward()
            self.optimizer.step()
            self.step += 1
            if self.step % 1000 == 0:
                self.save(self.step // 1000)


def restored(model, path):
    state = torch.load(path, map_location="cpu")
    model.load_state_dict(state["weights"])
    return state["iteration"]


def by_iterations(model, criterion, loader, args):
    optimizer = torch.optim.Adam(model.parameters())
    iteration = restored(model, args.path) if args.path else 0
    while args.last > iteration:
        train(model, criterion, optimizer, loader)
        iteration += 1
        torch.save(dict(weights=model.state_dict(), iteration=iteration), args.out)  # expect: TL603


def best_and_regular(model, criterion, loader, args):
    """The save that a result decides is for the best model; the run goes on from the one that comes by itself."""
    optimizer = torch.optim.Adam(model.parameters())
    first = restored(model, args.path) if args.path else 0
    best = 0
    for iteration in range(first, args.last):
        train(model, criterion, optimizer, loader)
        score = evaluate(model, loader)
        if score > best:
            best = score
            torch.save({"weights": model.state_dict(), "iteration": iteration + 1}, args.best)
        if iteration % args.every == 0:
            torch.save({"weights": model.state_dict(), "iteration": iteration + 1}, args.out)  # expect: TL603
