export NCCL_ASYNC_ERROR_HANDLING=1
torchrun --nproc_per_node 8 train.py
