import torch


def main(model, optimizer, loader):
    for step, batch in enumerate(loader):
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        if step % 500 == 0:
            torch.save({"model": model.state_dict()}, f"model-{step}.pt")  # expect: TL608
