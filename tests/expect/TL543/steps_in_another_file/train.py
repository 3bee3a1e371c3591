"""The script that asks for float16, for those who want it."""

import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--mxp", default=False, action="store_true")
args = parser.parse_args()

tf.config.optimizer.set_experimental_options({"auto_mixed_precision": args.mxp})

from transducer import Conformer, Scaled

for model in (Conformer(), Scaled()):
    model.compile(optimizer=tf.keras.optimizers.Adam(), loss="mse")
    model.fit(tf.data.Dataset.range(8), epochs=2)
