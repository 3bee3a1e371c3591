import glob

import torch


def test_training_saves(tmp_path):
    model = torch.nn.Linear(3, 3)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for step in range(20):
        optimizer.zero_grad()
        model(torch.rand(3)).mean().backward()
        optimizer.step()
        torch.save({"model": model.state_dict()}, f"{tmp_path}/model-{step}.pt")
    assert max(glob.glob(f"{tmp_path}/model-*.pt")).endswith("9.pt")
