"""Parts of one step on a graph, timed one by one and handed back."""

import time

import torch as th
import torch.nn.functional as F

dev = th.device("cuda:0" if th.cuda.is_available() else "cpu")


def step(model, optimizer, graph, line_graph, degrees, labels):
    graph, line_graph = graph.to(dev), line_graph.to(dev)
    degrees = degrees.to(dev).unsqueeze(1)
    t0 = time.time()
    z = model(graph, line_graph, degrees)
    t_forward = time.time() - t0  # expect: TL802
    loss = F.cross_entropy(z, labels)
    optimizer.zero_grad()
    t0 = time.time()
    loss.backward()
    t_backward = time.time() - t0  # expect: TL802
    optimizer.step()
    return loss, t_forward, t_backward


def warmed_up(model, criterion, optimizer, features, labels, mask, epochs):
    model.to(dev)
    durations = []
    for epoch in range(epochs):
        model.train()
        if epoch >= 3:
            t0 = time.time()
        loss = criterion(model(features)[mask], labels[mask])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if epoch >= 3:
            durations.append(time.time() - t0)  # expect: TL802
        print(f"epoch {epoch} loss {loss.item():.4f}")
    return durations
