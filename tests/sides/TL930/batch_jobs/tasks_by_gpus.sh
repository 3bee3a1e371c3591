#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-gpu=1
#SBATCH --gpus-per-node=4
HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
srun torchrun --nnodes=2 --nproc_per_node=4 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 pretrain.py
