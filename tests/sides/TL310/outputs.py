"""What an evaluation collects over its loop: outputs as they are on the GPU, or something smaller, or elsewhere."""

import torch
import torch.distributed as dist
import torch.nn.functional as F


@torch.no_grad()
def outputs(model, loader):
    model.cuda().eval()
    found = []
    for images in loader:
        found.append(model(images.cuda()))  # expect: TL310
    return torch.cat(found)


@torch.no_grad()
def outputs_on_the_host(model, loader):
    model.cuda().eval()
    found = []
    for images in loader:
        found.append(model(images.cuda()).cpu())
    return torch.cat(found)


@torch.no_grad()
def first_of_the_outputs(model, loader):
    model.cuda().eval()
    found = []
    for images in loader:
        found.append(model(images.cuda())[0])  # expect: TL310
    return torch.cat(found)


@torch.no_grad()
def some_of_the_outputs(model, loader, wanted):
    model.cuda().eval()
    found = []
    for images in loader:
        found.append(model(images.cuda())[wanted])
    return torch.cat(found)


@torch.no_grad()
def attribute_of_the_output(model, loader):
    model.cuda().eval()
    found = []
    for images in loader:
        found.append(model(images.cuda()).logits)  # expect: TL310
    return torch.cat(found)


@torch.no_grad()
def shape_of_the_output(model, loader):
    model.cuda().eval()
    found = []
    for images in loader:
        found.append(model(images.cuda()).shape)
    return found


@torch.no_grad()
def softmax_by_method(model, loader):
    model.cuda().eval()
    found = []
    for images in loader:
        found.append(model(images.cuda()).softmax(1))  # expect: TL310
    return torch.cat(found)


@torch.no_grad()
def softmax_by_function(model, loader):
    model.cuda().eval()
    found = []
    for images in loader:
        found.append(F.softmax(model(images.cuda()), dim=1))  # expect: TL310
    return torch.cat(found)


@torch.no_grad()
def sigmoid_of_torch(model, loader):
    model.cuda().eval()
    found = []
    for images in loader:
        found.append(torch.sigmoid(model(images.cuda())))  # expect: TL310
    return torch.cat(found)


@torch.no_grad()
def mean_of_torch(model, loader):
    model.cuda().eval()
    found = []
    for images in loader:
        found.append(torch.mean(model(images.cuda())))
    return sum(found)


@torch.no_grad()
def few_batches(model, batches):
    model.cuda().eval()
    found = []
    for _ in range(4):
        found.append(model(next(batches).cuda()))
    return torch.cat(found)


@torch.no_grad()
def until_there_are_no_more(model, queue):
    model.cuda().eval()
    found = []
    while not queue.empty():
        found.append(model(queue.get().cuda()))  # expect: TL310
    return torch.cat(found)


@torch.no_grad()
def list_that_is_handed(model, loader, found):
    model.cuda().eval()
    for images in loader:
        found.append(model(images.cuda()))


@torch.no_grad()
def list_that_is_not_empty(model, loader, first):
    model.cuda().eval()
    found = [first]
    for images in loader:
        found.append(model(images.cuda()))
    return torch.cat(found)


@torch.no_grad()
def stacked(model, loader):
    model.cuda().eval()
    found = []
    for images in loader:
        found.append(model(images.cuda()))
    return torch.stack(found)


@torch.no_grad()
def fetched_behind_the_loop(model, loader):
    model.cuda().eval()
    found = []
    for images in loader:
        found.append(model(images.cuda()))  # expect: TL310
    return torch.cat(found).cpu()


@torch.no_grad()
def fetched_and_used_behind_the_loop(model, loader, metric):
    model.cuda().eval()
    found = []
    for images in loader:
        found.append(model(images.cuda()))  # expect: TL310
    whole = torch.cat(found)
    metric.update(whole)
    return whole.cpu()


@torch.no_grad()
def handed_on_behind_the_loop(model, loader, join):
    model.cuda().eval()
    found = []
    for images in loader:
        found.append(model(images.cuda()))  # expect: TL310
    return join(found)


@torch.no_grad()
def gathered_by_the_ranks(model, loader, world):
    model.cuda().eval()
    found = []
    for images in loader:
        found.append(model(images.cuda()))
    mine = torch.cat(found)
    every = [torch.empty_like(mine) for _ in range(world)]
    dist.all_gather(every, mine)
    return every


@torch.no_grad()
def counted_by_the_ranks(model, loader):
    model.cuda().eval()
    found, right = [], torch.zeros((), device="cuda")
    for images, labels in loader:
        found.append(model(images.cuda()))  # expect: TL310
        right += (found[-1].argmax(1).cpu() == labels).sum().cuda()
    dist.all_reduce(right)
    return torch.cat(found), right


@torch.no_grad()
def list_for_each_video(model, videos):
    model.cuda().eval()
    for video in videos:
        found = []
        for images in video:
            found.append(model(images.cuda()))
        yield torch.cat(found).mean(0)


def with_gradients(model, loader, loss_of):
    model.cuda()
    found = []
    for images in loader:
        found.append(model(images.cuda()))
    loss_of(torch.cat(found)).backward()


@torch.no_grad()
def on_the_cpu(model, loader):
    model.to("cpu").eval()
    found = []
    for images in loader:
        found.append(model(images))
    return torch.cat(found)
