"""The bound of a clip before the gradients are unscaled: a number, none, infinite, huge, or multiplied by the scale."""

import math

import numpy as np
import torch
from torch.nn.utils import clip_grad_norm_, clip_grad_value_


def number(model, optimizer, scaler, loader):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        clip_grad_norm_(model.parameters(), 1.0)  # expect: TL402
        scaler.step(optimizer)
        scaler.update()


def number_by_keyword(model, optimizer, scaler, loader):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        clip_grad_norm_(model.parameters(), max_norm=0.5)  # expect: TL402
        scaler.step(optimizer)
        scaler.update()


def value_by_keyword(model, optimizer, scaler, loader):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        clip_grad_value_(model.parameters(), clip_value=0.5)  # expect: TL402
        scaler.step(optimizer)
        scaler.update()


def setting(model, optimizer, scaler, loader, args):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        clip_grad_norm_(model.parameters(), args.max_grad_norm)  # expect: TL402
        scaler.step(optimizer)
        scaler.update()


def integer(model, optimizer, scaler, loader):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        clip_grad_norm_(model.parameters(), 5)  # expect: TL402
        scaler.step(optimizer)
        scaler.update()


def infinite(model, optimizer, scaler, loader, log):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        log(clip_grad_norm_(model.parameters(), float("inf")))
        scaler.step(optimizer)
        scaler.update()


def infinite_of_math(model, optimizer, scaler, loader, log):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        log(clip_grad_norm_(model.parameters(), math.inf))
        scaler.step(optimizer)
        scaler.update()


def infinite_of_numpy(model, optimizer, scaler, loader, log):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        log(clip_grad_norm_(model.parameters(), max_norm=np.inf))
        scaler.step(optimizer)
        scaler.update()


def infinite_in_a_name(model, optimizer, scaler, loader, log):
    no_bound = float("inf")
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        log(clip_grad_norm_(model.parameters(), no_bound))
        scaler.step(optimizer)
        scaler.update()


def huge(model, optimizer, scaler, loader, log):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        log(clip_grad_norm_(model.parameters(), 1e9))
        scaler.step(optimizer)
        scaler.update()


def huge_in_a_name(model, optimizer, scaler, loader, log):
    large = 10_000_000
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        log(clip_grad_norm_(model.parameters(), large))
        scaler.step(optimizer)
        scaler.update()


def small_in_a_name(model, optimizer, scaler, loader):
    bound = 10
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        clip_grad_norm_(model.parameters(), bound)  # expect: TL402
        scaler.step(optimizer)
        scaler.update()


def multiplied_by_the_scale(model, optimizer, scaler, loader):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        clip_grad_norm_(model.parameters(), 0.5 * scaler.get_scale())
        scaler.step(optimizer)
        scaler.update()


def scaled_by_a_helper(model, optimizer, scaler, loader, bound_for):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        clip_grad_norm_(model.parameters(), bound_for(scaler))
        scaler.step(optimizer)
        scaler.update()


def called_scaled(model, optimizer, scaler, loader, scaled_bound):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        clip_grad_norm_(model.parameters(), scaled_bound)
        scaler.step(optimizer)
        scaler.update()


def no_bound_at_all(model, optimizer, scaler, loader):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        clip_grad_norm_(model.parameters(), None)
        scaler.step(optimizer)
        scaler.update()


def method_of_the_model(model, optimizer, scaler, loader):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        model.clip_grad_norm_(1.0)  # expect: TL402
        scaler.step(optimizer)
        scaler.update()


def unscaled_before(model, optimizer, scaler, loader):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        scaler.unscale_(optimizer)
        clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()


def unscaled_behind(model, optimizer, scaler, loader):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        clip_grad_norm_(model.parameters(), 1.0)  # expect: TL402
        scaler.unscale_(optimizer)
        scaler.step(optimizer)
        scaler.update()


def unscaled_twice(model, optimizer, scaler, loader):
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        scaler.unscale_(optimizer)
        clip_grad_norm_(model.parameters(), 1.0)
        scaler.unscale_(optimizer)  # expect: TL402
        scaler.step(optimizer)
        scaler.update()


def unscaled_for_two_optimizers(model, first, second, scaler, loader):
    for batch in loader:
        first.zero_grad()
        second.zero_grad()
        scaler.scale(model(batch)).backward()
        scaler.unscale_(first)
        scaler.unscale_(second)
        clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(first)
        scaler.step(second)
        scaler.update()


def scaler_that_is_off(model, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda", enabled=False)
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()


def scaler_that_is_on(model, optimizer, loader):
    scaler = torch.amp.GradScaler("cuda", enabled=True)
    for batch in loader:
        optimizer.zero_grad()
        scaler.scale(model(batch)).backward()
        clip_grad_norm_(model.parameters(), 1.0)  # expect: TL402
        scaler.step(optimizer)
        scaler.update()
