from setuptools import setup

setup(name="tool", install_requires=["numpy", "torch>=2.6"])
