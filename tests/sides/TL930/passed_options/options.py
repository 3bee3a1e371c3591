import configargparse

parser = configargparse.ArgumentParser()
