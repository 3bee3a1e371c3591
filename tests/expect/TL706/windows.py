"""Windows of batches whose loss is not divided."""

import torch
import torch.nn as nn
from torch.cuda.amp import GradScaler


class Focal(nn.Module):
    def forward(self, predicted, wanted):
        return nn.functional.binary_cross_entropy_with_logits(predicted, wanted)


def with_a_criterion_of_its_own(model, loader, optimizer, every):
    criterion = Focal()
    for index, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        loss.backward()  # expect: TL706
        if (index + 1) % every == 0 or index + 1 == len(loader):
            optimizer.step()
            optimizer.zero_grad()


def emptied_first(model, loader, args):
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    scaler = GradScaler()
    for step, batch in enumerate(loader):
        if step % args.accum_iter == 0:
            optimizer.zero_grad()
        with torch.autocast("cuda"):
            output = model(**batch)
        scaler.scale(output.loss).backward()
        if (step + 1) % args.accum_iter == 0:
            scaler.step(optimizer)
            scaler.update()


def emptied_with_the_step(model, loader, optimizer, args):
    scaler = GradScaler()
    for step, batch in enumerate(loader):
        with torch.autocast("cuda"):
            output = model(**batch)
        scaler.scale(output.loss).backward()  # expect: TL706
        if (step + 1) % args.accum_iter == 0:
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()


def compute(model, batch):
    return model(batch["input_ids"], labels=batch["labels"])[0]


def in_a_helper(model, loaders, optimizer, scheduler, gradient_accumulation_steps=8):
    for loader in loaders:
        for number, batch in enumerate(loader):
            loss = compute(model, batch)
            loss.backward()  # expect: TL706
            if (number + 1) % gradient_accumulation_steps == 0:
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                scheduler.step()
                model.zero_grad()


def micro_batches(model, batches, optimizer, micro_batches):
    for _ in range(1000):
        optimizer.zero_grad()
        for micro in range(micro_batches):
            loss = nn.functional.mse_loss(model(next(batches)), torch.zeros(1))
            loss.backward()  # expect: TL706
        optimizer.step()


def counted_and_set_back(model, criterion, loader, optimizer, every):
    done = 0
    for x, y in loader:
        criterion(model(x), y).backward()  # expect: TL706
        done += 1
        if done == every:
            optimizer.step()
            optimizer.zero_grad()
            done = 0


class Counting:
    def __init__(self, model, every):
        self.model, self.every, self.done = model, every, 0
        self.optimizer = torch.optim.AdamW(model.parameters())

    def train(self, criterion, loader):
        for x, y in loader:
            criterion(self.model(x), y).backward()  # expect: TL706
            self.done += 1
            if self.done < self.every:
                continue
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.done = 0
