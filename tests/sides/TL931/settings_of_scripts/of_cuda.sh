CUDA_LAUNCH_BLOCKING=1
torchrun --nproc_per_node 8 train.py
