import torch
from layers import build

if __name__ == "__main__":
    torch.manual_seed(0)
    net = build({"narrow": True}).cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(10):
        optimizer.zero_grad()
        net(torch.randn(2, 3, 8, 8, device="cuda")).mean().backward()
        optimizer.step()
