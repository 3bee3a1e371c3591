"""What only ends in the name of a model makes one, or looks for one (NVIDIA/NeMo, PixArt); work on the CPU (microsoft/Cream)."""

import time

import torch


def serialized(builder, network, config):
    torch.cuda.set_device(0)
    begin = time.time()
    engine = builder.build_serialized_network(network, config)
    return engine, time.time() - begin


def until_the_batch_is_there(loader, accelerator, model, ema, save):
    model.cuda()
    begin = time.time()
    waited = 0.0
    for batch in loader:
        waited += time.time() - begin
        loss = model(batch.cuda()).mean()
        accelerator.backward(loss)
        print(loss.item())
        begin = time.time()
        save(accelerator.unwrap_model(ema))
    return waited


def throughput_cpu(model, device, size):
    inputs = torch.randn(size, 3, 224, 224, device=device)
    begin = time.time()
    model(inputs)
    return time.time() - begin


def throughput(model, size):
    for device in ("cuda:0", "cpu"):
        model.to(device)
        if device == "cpu":
            print(throughput_cpu(model, device, size))
