"""What is done within a capture: what waits for the device, and what only looks so."""

import torch


def warm_up(model, x):
    model(x)


def capture(model, x):
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        out = torch.nn.functional.mse_loss(model(x), x)
        out.item()  # expect: TL570
        out.tolist()  # expect: TL570
        out.cpu()  # expect: TL570
        float(out)  # expect: TL570
        print(out)  # expect: TL570
        torch.cuda.synchronize()  # expect: TL570
        torch.nonzero(out)  # expect: TL570
        print(out.shape)
        print("done")
        int(out.shape[0])
        float(3)
        out.to(torch.float16)
        out.to("cuda")
        out.detach()
        helper(out)
        several(out, out)
    out.cpu()
    return graph


def helper(values):
    return values.sum().item()  # expect: TL570


def several(first, second):
    print(first.shape)
    return torch.masked_select(first, second > 0)  # expect: TL570


def not_called_there(values):
    return values.sum().item()


def after(values):
    return not_called_there(values)
