"""Devices that are divided after they were used."""

import tensorflow as tf


def train(steps):
    cpu = tf.config.list_physical_devices("CPU")[0]
    halves = [tf.config.LogicalDeviceConfiguration(), tf.config.LogicalDeviceConfiguration()]
    try:
        count = tf.constant(steps)
        tf.config.set_logical_device_configuration(cpu, halves)  # expect: TL545
    except RuntimeError as error:
        return str(error)
    return [int(count), len(tf.config.list_logical_devices("CPU"))]
