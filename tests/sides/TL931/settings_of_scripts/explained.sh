# without it the kernels of the plugin crash
export CUDA_LAUNCH_BLOCKING=1
srun python train.py
