"""The evaluation comes before the training in each round; a while loop; a validation every so many steps."""

import torch


def evaluated_first(model, optimizer, train_data, dev_data, loss_fn):
    model.train()
    best = None
    for epoch in range(100):
        model.eval()  # expect: TL705
        with torch.inference_mode():
            score = sum(loss_fn(model(x), y).item() for x, y in dev_data)
        if best is not None and score > best:
            break
        best = score
        for x, y in train_data:
            optimizer.zero_grad()
            loss_fn(model(x), y).backward()
            optimizer.step()


def by_steps(model, optimizer, batches, dev_data, loss_fn, most):
    model.train()
    step = 0
    while step < most:
        x, y = next(batches)
        loss = loss_fn(model(x), y)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        step += 1
        if step % 1000 == 0:
            model.eval()  # expect: TL705
            with torch.no_grad():
                for x, y in dev_data:
                    print(loss_fn(model(x), y))


def sampled(generator, critic, batches, for_generator, for_critic, show, noise):
    for epoch in range(50):
        for real in batches:
            fake = generator(torch.randn(len(real), 64))
            for_critic.zero_grad()
            (critic(fake.detach()).mean() - critic(real).mean()).backward()
            for_critic.step()
            for_generator.zero_grad()
            (-critic(fake).mean()).backward()
            for_generator.step()
        generator.eval()  # expect: TL705
        with torch.no_grad():
            show(generator(noise))


def main(batches, show, noise):
    generator, critic = torch.nn.Sequential(torch.nn.BatchNorm1d(64)), torch.nn.Linear(64, 1)
    generator.train()
    sampled(
        generator,
        critic,
        batches,
        torch.optim.Adam(generator.parameters()),
        torch.optim.Adam(critic.parameters()),
        show,
        noise,
    )


def both_phases(model, optimizer, data, epochs):
    model.train()
    for epoch in range(epochs):
        for phase in ("train", "val"):
            for batch in data[phase]:
                if phase == "val":
                    model.eval()  # expect: TL705
                    with torch.no_grad():
                        model(batch)
                else:
                    optimizer.zero_grad()
                    model(batch).mean().backward()
                    optimizer.step()
