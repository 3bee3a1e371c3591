import torch


def train(model, optimizer, loader):
    for step, batch in enumerate(loader):
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        torch.save({"model": model.state_dict(), "step": step}, f"model-{step}.pt")
