if [ -n "$SMALL" ]; then
  export CUDA_VISIBLE_DEVICES=0,1
fi
accelerate launch --config_file fsdp.yaml train.py
