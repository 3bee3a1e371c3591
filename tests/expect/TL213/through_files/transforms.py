import numpy as np


def jitter(image, rng):
    return image + rng.uniform(-1, 1)  # expect: TL213


class Compose:
    def __init__(self, steps):
        self.steps = steps

    def __call__(self, image):
        for step in self.steps:
            image = step(image)
        return image


class Mixer:
    def __init__(self, seed=0):
        self.rng = np.random.RandomState(seed)

    def __call__(self, samples):
        chosen = self.rng.choice(len(samples), 2)  # expect: TL213
        return samples[chosen[0]], samples[chosen[1]]
