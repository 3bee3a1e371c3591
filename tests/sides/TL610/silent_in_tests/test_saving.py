import torch


def test_saves_in_each_step(tmp_path, batches):
    model = torch.nn.Linear(3, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for batch in batches:
        optimizer.zero_grad()
        model(batch).mean().backward()
        optimizer.step()
        torch.save({"model": model.state_dict()}, tmp_path / "model.pt")
