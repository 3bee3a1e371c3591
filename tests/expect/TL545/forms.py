"""Settings of devices that come too late, and some that come in time."""
# Modelled on NVIDIA/DeepLearningExamples (ELECTRA, DLRM, UNet_Medical), danielegrattarola/spektral (general_gnn), google/automl (train).

import sys

import horovod.tensorflow as hvd
import tensorflow as tf


class Runner:
    def __init__(self, params):
        self.params = params
        self.step = tf.Variable(0, trainable=False)
        physical = tf.config.experimental.list_physical_devices("GPU")
        if len(physical) > 0:
            tf.config.experimental.set_memory_growth(physical[0], True)  # expect: TL545


def per_gpu():
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)  # expect: TL545


def describe(arrays):
    data = tf.data.Dataset.from_tensor_slices(arrays)
    print("devices", tf.config.list_logical_devices("GPU"))
    return data


def train(arrays):
    data = describe(arrays)
    per_gpu()
    return data


def in_time(flags):
    hvd.init()
    gpus = tf.config.experimental.list_physical_devices("GPU")
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)
    if gpus:
        tf.config.experimental.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    tf.config.optimizer.set_jit(flags.xla)
    return tf.Variable(0)


def one_way_is_in_time(flags, first):
    if first:
        strategy = tf.distribute.MirroredStrategy()
        return strategy.num_replicas_in_sync
    split(flags)
    return tf.zeros(3)


def split(flags):
    gpu = tf.config.list_physical_devices("GPU")[0]
    sizes = [tf.config.LogicalDeviceConfiguration(memory_limit=flags.limit)] * 2
    tf.config.set_logical_device_configuration(gpu, sizes)


class Model(tf.keras.Model):
    def call(self, x):
        return x + tf.constant(1.0)


def built_but_not_run(flags):
    model = Model()
    per_host(flags)
    return model


def per_host(flags):
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, flags.growth)


if __name__ == "__main__":
    in_time(sys.argv)
