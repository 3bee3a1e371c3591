"""A teacher, an average of the weights and a frozen part are in evaluation mode on purpose; a script that evaluates at its end."""

import torch


def distilled(student, teacher, loader, held_out, optimizer, distance):
    teacher.eval()
    for epoch in range(10):
        student.train()
        teacher.eval()
        for batch in loader:
            optimizer.zero_grad()
            distance(student(batch), teacher(batch)).backward()
            optimizer.step()
        student.eval()
        with torch.no_grad():
            for batch in held_out:
                distance(student(batch), teacher(batch))


def tuned_with_frozen_norms(model, loader, held_out, optimizer):
    for epoch in range(10):
        model.train()
        model.backbone.eval()
        for batch in loader:
            model(batch).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
        with torch.no_grad():
            model.eval()
            for batch in held_out:
                model(batch)


def averaged(model, ema, loader, held_out, optimizer):
    for epoch in range(10):
        model.train()
        for batch in loader:
            model(batch).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
            ema.update(model)
        shadow = ema.module
        shadow.eval()
        with torch.no_grad():
            for batch in held_out:
                shadow(batch)


def over_folds(make, folds, optimizer_of):
    scores = []
    for train_part, test_part in folds:
        model = make()
        optimizer = optimizer_of(model.parameters())
        model.train()
        for batch in train_part:
            model(batch).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
        model.eval()
        with torch.no_grad():
            scores += [model(batch).mean().item() for batch in test_part]
    return scores


def attacked(model, attack, loader, optimizer, criterion):
    for x, y in loader:
        model.eval()
        hostile = attack(model, x, y)
        model.train()
        optimizer.zero_grad()
        criterion(model(hostile), y).backward()
        optimizer.step()
