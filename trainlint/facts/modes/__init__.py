"""Train and evaluation mode: in which of both is a model when it runs?"""
