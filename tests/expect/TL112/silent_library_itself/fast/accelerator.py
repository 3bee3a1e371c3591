"""A class of the same name in another package: nothing is known of it."""

import shutil


class Accelerator:
    def save_state(self, output_dir=None):
        shutil.rmtree(output_dir)
