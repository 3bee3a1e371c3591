export TORCH_NCCL_BLOCKING_WAIT=1
export TORCH_NCCL_ASYNC_ERROR_HANDLING=1  # expect: TL931
torchrun --nproc_per_node 8 train.py
