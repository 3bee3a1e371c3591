"""Schedulers that step ahead: from a flag of warming up, through the list of a trainer, beside a scaler, in a closure for LBFGS."""

import torch
from torch.cuda.amp import GradScaler, autocast
from torch.optim.lr_scheduler import CosineAnnealingLR, LambdaLR
from tqdm import tqdm


def text_finder(model, criterion, train_loader, epochs):
    """The step of the schedule stands between the loss and the backward pass."""
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    decay = torch.optim.lr_scheduler.StepLR(optimizer, step_size=10_000, gamma=0.94)
    for epoch in range(epochs):
        for number, (image, score, geometry, mask) in enumerate(train_loader):
            found_score, found_geometry = model(image.cuda())
            loss = criterion(score, found_score, geometry, found_geometry, mask)
            decay.step()  # expect: TL703
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if number % 10 == 0:
                print(epoch, number, loss.item())


class FewShot:
    """An epoch is a loop under a progress bar; the schedule is the trainer's."""

    def __init__(self, args, model, loader):
        self.args, self.model, self.loader = args, model, loader
        self.optimizer = torch.optim.Adam(
            [{"params": model.encoder.parameters()}, {"params": model.head.parameters(), "lr": args.lr2}], lr=args.lr
        )
        self.lr_scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, step_size=args.step_size, gamma=args.gamma)

    def train(self):
        best = 0.0
        for epoch in range(1, self.args.max_epoch + 1):
            self.lr_scheduler.step()  # expect: TL703
            self.model.train()
            bar = tqdm(self.loader)
            for images, labels in bar:
                loss = torch.nn.functional.cross_entropy(self.model(images), labels)
                bar.set_description(f"{epoch} {loss.item():.3f}")
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            best = max(best, self.validate())

    def validate(self):
        return 0.0


def warming_up(net, loader, warm, epochs, loss_function):
    """Two schedules of one optimizer; the one of the first epoch steps with each batch, ahead of the optimizer."""
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9, nesterov=True)
    warmup = LambdaLR(optimizer, lambda step: min(1.0, step / (warm * len(loader))))
    later = CosineAnnealingLR(optimizer, epochs - warm)
    for epoch in range(epochs):
        for images, labels in loader:
            if epoch < warm:
                warmup.step()  # expect: TL703
            optimizer.zero_grad()
            loss_function(net(images.cuda()), labels.cuda()).backward()
            optimizer.step()
        if epoch >= warm:
            later.step()


def beside_a_scaler(model, loader, optimizer, total):
    """The scaler steps the optimizer behind a clip."""
    scaler = GradScaler()
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-4, total_steps=total + 100, pct_start=0.05)
    for left, right, flow in loader:
        optimizer.zero_grad()
        with autocast():
            loss = (model(left, right) - flow).abs().mean()
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        schedule.step()  # expect: TL703
        scaler.step(optimizer)
        scaler.update()


def several_schedules(synthesizer, critic, loader, loss_of):
    """Of two networks that take turns one is scheduled ahead of its optimizer, and one behind."""
    for_synthesizer = torch.optim.AdamW(synthesizer.parameters(), 2e-4)
    for_critic = torch.optim.AdamW(critic.parameters(), 2e-4)
    schedule_synthesizer = torch.optim.lr_scheduler.ExponentialLR(for_synthesizer, gamma=0.999)
    schedule_critic = torch.optim.lr_scheduler.ExponentialLR(for_critic, gamma=0.999)
    for mel, wave in loader:
        made = synthesizer(mel)
        for_critic.zero_grad()
        loss_of(critic(wave), critic(made.detach())).backward()
        for_critic.step()
        schedule_critic.step()
        schedule_synthesizer.step()  # expect: TL703
        for_synthesizer.zero_grad()
        loss_of(critic(made), None).backward()
        for_synthesizer.step()


class Rate:
    """Nothing here says what its one attribute is: who makes it does."""

    def __init__(self, inner):
        self.inner = inner

    def tick(self):
        self.inner.step()  # expect: TL703

    def tock(self):
        self.inner.step()


def ticked(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    rate = Rate(CosineAnnealingLR(optimizer, 100))
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        rate.tick()
        optimizer.step()


def tocked(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    rate = Rate(CosineAnnealingLR(optimizer, 100))
    for x, y in loader:
        optimizer.zero_grad()
        torch.nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
        rate.tock()
