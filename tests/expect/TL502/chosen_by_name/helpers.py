"""Questions about tensors that the models ask."""

import numpy as np
import table


def announce(settings):
    print(settings.name, table.MODELS)


def spans(shape, share):
    chosen = np.full(shape, False)
    for row in range(shape[0]):
        chosen[row, : int(share * shape[1])] = True
    return chosen


def on_xla(tensor):
    return tensor.device.type == "xla"


def blended(values, chosen, new):
    if on_xla(values):
        return values * ~chosen + new * chosen
    values[chosen] = new
    return values
