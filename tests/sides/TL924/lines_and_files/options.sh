accelerate launch --config_file fsdp.yaml --zero_stage 3 train.py  # expect: TL924
accelerate launch --config_file fsdp.yaml --fsdp_offload_params true train.py
accelerate launch --config_file unnamed.yaml --zero_stage 3 train.py
accelerate launch --config_file nowhere.yaml --zero_stage 3 train.py
accelerate launch --zero_stage 3 train.py
accelerate launch --multi_gpu --zero_stage $STAGE train.py  # expect: TL924
accelerate launch --multi_gpu --gradient_clipping=$CLIP train.py  # expect: TL924
accelerate launch --use_deepspeed --zero_stage 3 train.py
accelerate launch --multi_gpu --fsdp_offload_params true --zero_stage 3 train.py  # expect: TL924, TL924
