export CUDA_LAUNCH_BLOCKING=1
torchrun --nnodes=1 --nproc_per_node=8 train.py
