export CUBLAS_WORKSPACE_CONFIG=:4096:8
torchrun train.py
