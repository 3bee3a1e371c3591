if [ -n "$SLOWLY" ]; then
  export CUDA_LAUNCH_BLOCKING=1
fi
srun python train.py
