"""Where the mode was left, in the loop or in a function of its own, with what behind it: where a repair could set it back."""

import torch


def in_the_loop(net, loader, held_out, optimizer):
    net.train()
    for _ in range(10):
        for x in loader:
            optimizer.zero_grad()
            net(x).mean().backward()
            optimizer.step()
        net.eval()  # expect: TL705
        with torch.no_grad():
            print([net(x) for x in held_out])


def before_the_training(net, loader, held_out, optimizer):
    net.train()
    for _ in range(10):
        net.eval()  # expect: TL705
        with torch.no_grad():
            print([net(x) for x in held_out])
        for x in loader:
            optimizer.zero_grad()
            net(x).mean().backward()
            optimizer.step()


def now_and_then(net, loader, held_out, optimizer):
    net.train()
    for i, x in enumerate(loader):
        optimizer.zero_grad()
        net(x).mean().backward()
        optimizer.step()
        if i % 100 == 0:
            net.eval()  # expect: TL705
            with torch.no_grad():
                print([net(x) for x in held_out])


def of_a_part(trainer, loader, held_out, optimizer):
    trainer.net.train()
    for _ in range(10):
        for x in loader:
            optimizer.zero_grad()
            trainer.net(x).mean().backward()
            optimizer.step()
        trainer.net.eval()  # expect: TL705
        with torch.no_grad():
            print([trainer.net(x) for x in held_out])


def moved_model(net, loader, held_out, optimizer):
    net.train()
    for _ in range(10):
        for x in loader:
            optimizer.zero_grad()
            net(x).mean().backward()
            optimizer.step()
        net.cuda().eval()  # expect: TL705
        with torch.no_grad():
            print([net(x) for x in held_out])


def ends_without_a_result(net, held_out):
    net.eval()  # expect: TL705
    with torch.no_grad():
        for x in held_out:
            print(net(x))


def ends_with_a_number(net, held_out):
    total = 0.0
    net.eval()  # expect: TL705
    with torch.no_grad():
        for x in held_out:
            total += net(x).mean().item()
    return total


def ends_with_a_mean(net, held_out):
    total = []
    net.eval()  # expect: TL705
    with torch.no_grad():
        for x in held_out:
            total.append(net(x).mean())
    return torch.stack(total).mean().item()


def ends_with_a_pass(net, held_out):
    net.eval()  # expect: TL705
    with torch.no_grad():
        for x in held_out:
            print(net(x).mean())
        return net(held_out[0])


def ends_in_two_ways(net, held_out):
    net.eval()  # expect: TL705
    with torch.no_grad():
        for x in held_out:
            if net(x).mean() > 0:
                return True
    return False


def ends_in_a_call(net, held_out, report):
    net.eval()  # expect: TL705
    with torch.no_grad():
        values = [net(x).mean().item() for x in held_out]
    report(values)


def restores(net, held_out):
    net.eval()
    with torch.no_grad():
        for x in held_out:
            print(net(x))
    net.train()


def trained_by_all(net, loader, held_out, optimizer, report):
    for _ in range(10):
        for x in loader:
            optimizer.zero_grad()
            net(x).mean().backward()
            optimizer.step()
        ends_without_a_result(net, held_out)
    for _ in range(10):
        for x in loader:
            optimizer.zero_grad()
            net(x).mean().backward()
            optimizer.step()
        print(ends_with_a_number(net, held_out))
    for _ in range(10):
        for x in loader:
            optimizer.zero_grad()
            net(x).mean().backward()
            optimizer.step()
        print(ends_with_a_mean(net, held_out))
    for _ in range(10):
        for x in loader:
            optimizer.zero_grad()
            net(x).mean().backward()
            optimizer.step()
        print(ends_with_a_pass(net, held_out))
    for _ in range(10):
        for x in loader:
            optimizer.zero_grad()
            net(x).mean().backward()
            optimizer.step()
        print(ends_in_two_ways(net, held_out))
    for _ in range(10):
        for x in loader:
            optimizer.zero_grad()
            net(x).mean().backward()
            optimizer.step()
        ends_in_a_call(net, held_out, report)
    for _ in range(10):
        net.train()
        for x in loader:
            optimizer.zero_grad()
            net(x).mean().backward()
            optimizer.step()
        restores(net, held_out)
