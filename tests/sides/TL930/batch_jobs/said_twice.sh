#!/bin/bash
#SBATCH --gres=gpu:4
#SBATCH --gres=gpu:8
HEAD=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
torchrun --standalone --nproc_per_node=8 finetune.py
