export NCCL_ASYNC_ERROR_HANDLING=1  # expect: TL931
export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True
export NCCL_LL_THRESHOLD=0  # expect: TL931
torchrun --nproc_per_node 8 train.py
