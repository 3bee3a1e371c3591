"""What the program says about the device on which the timed work runs, in tests and in words."""

import time

import torch


def on_any_device(model, x, device):
    model.to(device)
    start = time.time()
    model(x)
    print(time.time() - start)  # expect: TL802


def where_the_model_is(model, x):
    x = x.to("cuda")
    start = time.time()
    model(x)
    print(time.time() - start)  # expect: TL802


def only_on_the_host(model, x, device):
    model.to(device)
    if device == "cpu":
        start = time.time()
        model(x)
        print(time.time() - start)


def not_on_the_host(model, x, device):
    model.to(device)
    if device != "cpu":
        start = time.time()
        model(x)
        print(time.time() - start)  # expect: TL802


def only_on_a_gpu(model, x, device):
    model.to(device)
    if device == "cuda":
        start = time.time()
        model(x)
        print(time.time() - start)  # expect: TL802


def not_on_a_gpu(model, x, device):
    model.to(device)
    if not device == "cuda":
        start = time.time()
        model(x)
        print(time.time() - start)


def if_a_gpu_is_there(model, x, device):
    model.to(device)
    if torch.cuda.is_available():
        start = time.time()
        model(x)
        print(time.time() - start)  # expect: TL802


def if_no_gpu_is_there(model, x, device):
    model.to(device)
    if not torch.cuda.is_available():
        start = time.time()
        model(x)
        print(time.time() - start)


def if_no_gpu_is_there_and_it_is_told(model, x, device, verbose):
    model.to(device)
    if not torch.cuda.is_available() and verbose:
        start = time.time()
        model(x)
        print(time.time() - start)


def if_no_gpu_is_there_or_it_is_told(model, x, device, verbose):
    model.to(device)
    if not torch.cuda.is_available() or verbose:
        start = time.time()
        model(x)
        print(time.time() - start)  # expect: TL802


def else_of_both(model, x, device, verbose):
    model.to(device)
    if torch.cuda.is_available() or verbose:
        pass
    else:
        start = time.time()
        model(x)
        print(time.time() - start)


def if_it_is_told_to(model, x, device, verbose):
    model.to(device)
    if not verbose:
        start = time.time()
        model(x)
        print(time.time() - start)  # expect: TL802


def if_another_program_is_there(model, x, device, server):
    model.to(device)
    if not server.is_available():
        start = time.time()
        model(x)
        print(time.time() - start)  # expect: TL802


def waits_if_a_gpu_is_there(model, x, device):
    model.to(device)
    start = time.time()
    model(x)
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    print(time.time() - start)


def on_cpu(model, x, device):
    model.to(device)
    start = time.time()
    model(x)
    print(time.time() - start)  # expect: TL802


def with_no_gpu(model, x, device):
    model.to(device)
    start = time.time()
    model(x)
    print(time.time() - start)


def with_a_gpu(model, x, device):
    model.to(device)
    start = time.time()
    model(x)
    print(time.time() - start)  # expect: TL802


def where_it_is(model, x, device):
    if device == "cpu":
        with_no_gpu(model, x, device)
    else:
        with_a_gpu(model, x, device)


def moved_to_the_host_first(model, x):
    model.to("cpu")
    start = time.time()
    model(x)
    print(time.time() - start)
