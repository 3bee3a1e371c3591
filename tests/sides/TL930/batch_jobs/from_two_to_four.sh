#!/bin/bash
#SBATCH --nodes=2-4
#SBATCH --ntasks-per-node=1
#SBATCH --gpus=8
HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
srun torchrun --nnodes=2 --nproc_per_node=16 --rdzv_backend=c10d --rdzv_endpoint=$HEAD:29500 pretrain.py
