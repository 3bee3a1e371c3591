# As in huggingface/diffusers (the stream of an offloading group), dmlc/dgl (what is given is recorded), NVIDIA/apex (a prefetcher).
from contextlib import nullcontext

import torch


class ModuleGroup:
    def __init__(self, modules, device, stream=None, record_stream=False):
        self.modules = modules
        self.device = device
        self.stream = stream
        self.record_stream = record_stream
        self._accelerator = getattr(torch, device.type) if hasattr(torch, "accelerator") else torch.cuda

    def _transfer(self, tensor, source):
        tensor.data = source.to(self.device, non_blocking=True)
        if self.record_stream:
            tensor.data.record_stream(self._accelerator.current_stream())  # expect: TL572

    def _transfer_to(self, tensor, source, compute_stream):
        tensor.data = source.to(self.device, non_blocking=True)
        tensor.data.record_stream(compute_stream)

    def onload(self, pinned):
        context = nullcontext() if self.stream is None else self._accelerator.stream(self.stream)
        compute = self._accelerator.current_stream()
        with context:
            for module in self.modules:
                for parameter in module.parameters():
                    self._transfer(parameter, pinned[parameter])
                    self._transfer_to(parameter, pinned[parameter], compute)


def read_back(model, ids, pinned):
    copies = torch.cuda.Stream()
    with torch.cuda.stream(copies):
        host = model.weights[ids].to("cpu", non_blocking=True)
    return host.numpy()  # expect: TL572


class Feature:
    def read(self, ids, to_host, to_device):
        current = torch.cuda.current_stream()
        to_host.wait_stream(current)
        with torch.cuda.stream(to_host):
            ids.record_stream(torch.cuda.current_stream())
            ids = ids.to("cpu", non_blocking=True)
        with torch.cuda.stream(to_device):
            values = self.table[ids].to("cuda", non_blocking=True)
            values.record_stream(current)
        return values


def prefetched(loader, mean):
    stream = torch.cuda.Stream()
    first = True
    for batch in loader:
        with torch.cuda.stream(stream):
            next_input = batch.cuda(non_blocking=True)
            next_input = next_input.float().sub_(mean)
        if not first:
            yield current
        first = False
        torch.cuda.current_stream().wait_stream(stream)
        current = next_input
    yield current
