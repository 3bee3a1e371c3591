"""Copies that the ranks sent each other, in a loss: put back, beside one's own, sent without a graph, or chosen by the world's size."""

import torch
import torch.distributed as dist
import torch.nn.functional as F


def gather(x):
    parts = [torch.zeros_like(x) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, x)  # expect: TL122
    return torch.cat(parts)


def plain(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        gather(model(x)).std(0).mean().backward()
        optimizer.step()


def gather_if_there_are_others(x):
    if dist.get_world_size() == 1:
        return x
    parts = [torch.zeros_like(x) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, x)  # expect: TL122
    return torch.cat(parts)


def unless_alone(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        gather_if_there_are_others(model(x)).std(0).mean().backward()
        optimizer.step()


def gather_and_put_back(x):
    parts = [torch.zeros_like(x) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, x)
    parts[dist.get_rank()] = x
    return torch.cat(parts)


def put_back(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        gather_and_put_back(model(x)).std(0).mean().backward()
        optimizer.step()


def gather_with_another_item(x, first):
    parts = [torch.zeros_like(x) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, x)  # expect: TL122
    parts[0] = first
    return torch.cat(parts)


def another_is_put_in(model, loader, optimizer, first):
    for x in loader:
        optimizer.zero_grad()
        gather_with_another_item(model(x), first).std(0).mean().backward()
        optimizer.step()


def gather_without_own(x):
    parts = [torch.zeros_like(x) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, x)
    parts.pop(dist.get_rank())
    return torch.cat([x, *parts])


def own_in_front(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        gather_without_own(model(x)).std(0).mean().backward()
        optimizer.step()


def gather_by_keyword(x):
    parts = [torch.zeros_like(x) for _ in range(dist.get_world_size())]
    dist.all_gather(tensor_list=parts, tensor=x)  # expect: TL122
    return torch.cat(parts)


def by_keyword(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        gather_by_keyword(model(x)).std(0).mean().backward()
        optimizer.step()


def gather_in_a_group(x, group):
    parts = [torch.zeros_like(x) for _ in range(dist.get_world_size(group))]
    dist.all_gather(parts, x, group=group)  # expect: TL122
    return torch.cat(parts)


def in_a_group(model, loader, optimizer, group):
    for x in loader:
        optimizer.zero_grad()
        gather_in_a_group(model(x), group).std(0).mean().backward()
        optimizer.step()


def gather_into_one(x):
    whole = torch.empty(dist.get_world_size() * len(x), x.size(1), device=x.device)
    dist.all_gather_into_tensor(whole, x)  # expect: TL122
    return whole


def into_one(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        gather_into_one(model(x)).std(0).mean().backward()
        optimizer.step()


def gather_a_view(x):
    parts = [torch.zeros_like(x) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, x.contiguous())  # expect: TL122
    return torch.stack(parts)


def of_a_view(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        gather_a_view(model(x)).std(0).mean().backward()
        optimizer.step()


def gather_detached(x):
    parts = [torch.zeros_like(x) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, x)
    return torch.cat(parts)


def sent_without_a_graph(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        out = model(x)
        (out - gather_detached(out.detach()).mean(0)).pow(2).mean().backward()
        optimizer.step()


def gather_labels(y):
    parts = [torch.zeros_like(y) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, y)
    return torch.cat(parts)


def of_labels(model, loader, optimizer, criterion):
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), gather_labels(y)).backward()
        optimizer.step()


def gather_keys(x):
    parts = [torch.zeros_like(x) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, x)
    return torch.cat(parts)


def beside_its_own(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        out = model(x)
        F.cross_entropy(out @ gather_keys(out).t(), torch.arange(len(out))).backward()
        optimizer.step()


def gather_summed(x):
    parts = [torch.zeros_like(x) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, x)  # expect: TL122
    total = 0
    for part in parts:
        total = total + part
    return total


def summed(model, loader, optimizer):
    for x in loader:
        optimizer.zero_grad()
        gather_summed(model(x)).std(0).mean().backward()
        optimizer.step()


def gather_or_not(x, wide):
    if wide:
        parts = [torch.zeros_like(x) for _ in range(dist.get_world_size())]
        dist.all_gather(parts, x)  # expect: TL122
        x = torch.cat(parts)
    return x


def if_it_is_told(model, loader, optimizer, wide):
    for x in loader:
        optimizer.zero_grad()
        gather_or_not(model(x), wide).std(0).mean().backward()
        optimizer.step()


def gather_for_a_log(x):
    parts = [torch.zeros_like(x) for _ in range(dist.get_world_size())]
    dist.all_gather(parts, x)
    return torch.cat(parts)


def for_a_log(model, loader, optimizer, log):
    for x in loader:
        optimizer.zero_grad()
        out = model(x)
        log(gather_for_a_log(out).std().item())
        out.mean().backward()
        optimizer.step()
