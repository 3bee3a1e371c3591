import torch
from master import MasterOptimizer


def main(loader):
    model = torch.nn.Linear(1024, 16).cuda().half()
    optimizer = MasterOptimizer(torch.optim.SGD(model.parameters(), lr=0.001, momentum=0.9))
    for x, y in loader:
        optimizer.zero_grad()
        loss = torch.nn.functional.mse_loss(model(x.half()).float(), y)
        optimizer.backward(loss)
        optimizer.step()
