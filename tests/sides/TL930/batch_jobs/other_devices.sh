#!/bin/bash
#SBATCH --nodes=1
#SBATCH --gres=shard:4
HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
torchrun --standalone --nproc_per_node=8 finetune.py
