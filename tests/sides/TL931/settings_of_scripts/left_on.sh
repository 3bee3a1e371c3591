export CUDA_LAUNCH_BLOCKING=1  # expect: TL931
export NCCL_DEBUG=INFO
srun python train.py
