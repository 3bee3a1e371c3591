#!/bin/bash
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
# srun would start it on both nodes
torchrun --standalone --nproc_per_node=4 pretrain.py  # expect: TL930
