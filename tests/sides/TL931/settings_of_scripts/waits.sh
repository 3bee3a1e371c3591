export TORCH_NCCL_BLOCKING_WAIT=1
export TORCH_NCCL_ASYNC_ERROR_HANDLING=0
export TORCH_NCCL_DESYNC_DEBUG=1  # expect: TL931, TL931
torchrun --nproc_per_node 8 train.py
