"""Scaled losses and plain steps: by whom the optimizer is stepped, under which tests, and what was unscaled before."""

import torch


def plain_step(model, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda")
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        optimizer.step()  # expect: TL403
        scaler.update()


def step_by_the_scaler(model, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda")
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        scaler.step(optimizer)
        scaler.update()


def unscaled_before(model, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda")
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        scaler.unscale_(optimizer)
        optimizer.step()
        scaler.update()


def plain_step_of_a_plain_loss(model, optimizer, loader):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).backward()
        optimizer.step()


def nobody_updates(model, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda")
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        optimizer.step()  # expect: TL403


def switched_off(model, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda", enabled=False)
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        optimizer.step()
        scaler.update()


def switched_by_a_setting(model, optimizer, loader, half):
    scaler = torch.amp.GradScaler("cuda", enabled=half)
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        if half:
            scaler.step(optimizer)
            scaler.update()
        else:
            optimizer.step()


def loss_and_step_by_a_setting(model, optimizer, scaler, loader, half):
    for batch in loader:
        optimizer.zero_grad()
        if half:
            scaler.scale(model(batch)).backward()
            scaler.step(optimizer)
            scaler.update()
        else:
            model(batch).backward()
            optimizer.step()


def wrong_arm(model, optimizer, scaler, loader, half):
    for batch in loader:
        optimizer.zero_grad()
        if half:
            scaler.scale(model(batch)).backward()
            optimizer.step()  # expect: TL403
            scaler.update()
        else:
            model(batch).backward()
            optimizer.step()


def full_windows(model, optimizer, loader, every):
    scaler = torch.amp.GradScaler("cuda")
    for i, batch in enumerate(loader):
        scaler.scale(model(batch) / every).backward()
        if (i + 1) % every == 0:
            optimizer.step()  # expect: TL403
            optimizer.zero_grad()
            scaler.update()


def divided_by_hand(model, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda")
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        for parameter in model.parameters():
            parameter.grad.div_(scaler.get_scale())
        optimizer.step()
        scaler.update()


def handed_to_a_callback(model, optimizer, loader, callback):
    scaler = torch.amp.GradScaler("cuda")
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        callback(scaler, optimizer)
        optimizer.step()
        scaler.update()


def one_of_two(encoder, head, loader):
    for_encoder = torch.optim.AdamW(encoder.parameters())
    for_head = torch.optim.AdamW(head.parameters())
    scaler = torch.amp.GradScaler("cuda")
    for batch in loader:
        for_encoder.zero_grad()
        for_head.zero_grad()
        scaler.scale(head(encoder(batch))).backward()
        for_encoder.step()  # expect: TL403
        scaler.step(for_head)
        scaler.update()


def loss_as_it_is(model, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda")
    for batch in loader:
        optimizer.zero_grad()
        model(batch).backward()
        scaler.step(optimizer)  # expect: TL403
        scaler.update()


def loss_as_it_is_and_switched_off(model, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda", enabled=False)
    for batch in loader:
        optimizer.zero_grad()
        model(batch).backward()
        scaler.step(optimizer)
        scaler.update()


def unscales_another(encoder, head, loader):
    for_encoder = torch.optim.AdamW(encoder.parameters())
    for_head = torch.optim.AdamW(head.parameters())
    scaler = torch.amp.GradScaler("cuda")
    for batch in loader:
        for_encoder.zero_grad()
        for_head.zero_grad()
        scaler.scale(head(encoder(batch))).backward()
        scaler.unscale_(for_encoder)
        scaler.step(for_head)  # expect: TL403
        scaler.update()


def unscales_and_steps_both(encoder, head, loader):
    for_encoder = torch.optim.AdamW(encoder.parameters())
    for_head = torch.optim.AdamW(head.parameters())
    scaler = torch.amp.GradScaler("cuda")
    for batch in loader:
        for_encoder.zero_grad()
        for_head.zero_grad()
        scaler.scale(head(encoder(batch))).backward()
        scaler.unscale_(for_encoder)
        scaler.step(for_encoder)
        scaler.step(for_head)
        scaler.update()


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters())
        self.scaler = torch.amp.GradScaler("cuda")

    def apply(self):
        self.optimizer.step()  # expect: TL403
        self.optimizer.zero_grad()
        self.scaler.update()

    def fit(self, loader):
        for batch in loader:
            self.scaler.scale(self.model(batch)).backward()
            self.apply()
