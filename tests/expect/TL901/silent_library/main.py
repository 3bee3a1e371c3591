import torch
from common import prepare
from engine import train_one_epoch

if __name__ == "__main__":
    prepare({"number": 0})
    net = torch.nn.Linear(8, 2)
    train_one_epoch(net, torch.optim.SGD(net.parameters(), lr=0.1), torch.randn(10, 4, 8))
