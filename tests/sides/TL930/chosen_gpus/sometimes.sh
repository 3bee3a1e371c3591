if [ "$1" = small ]; then
  export CUDA_VISIBLE_DEVICES=0,1
fi
torchrun --nproc_per_node=4 train.py
