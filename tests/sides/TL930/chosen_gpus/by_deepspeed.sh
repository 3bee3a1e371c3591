CUDA_VISIBLE_DEVICES=2,3 deepspeed --num_gpus 2 train.py  # expect: TL930
CUDA_VISIBLE_DEVICES=0,1 deepspeed --num_gpus 2 train.py
CUDA_VISIBLE_DEVICES=1,0 deepspeed --num_gpus=2 train.py
CUDA_VISIBLE_DEVICES=2,3 deepspeed train.py
CUDA_VISIBLE_DEVICES=2,3 deepspeed --num_gpus $GPUS train.py
CUDA_VISIBLE_DEVICES=0,1 deepspeed --include localhost:2,3 train.py  # expect: TL930
CUDA_VISIBLE_DEVICES=2,3 deepspeed --include localhost:2,3 train.py
CUDA_VISIBLE_DEVICES=2,3 deepspeed --include localhost:3,2 train.py
CUDA_VISIBLE_DEVICES=0,1 deepspeed --include worker-1:2,3 train.py
CUDA_VISIBLE_DEVICES=0,1 deepspeed -i $GPUS train.py
CUDA_VISIBLE_DEVICES=2,3 deepspeed --hostfile hosts --num_gpus 2 train.py
CUDA_VISIBLE_DEVICES=2,3 deepspeed $EXTRA --num_gpus 2 train.py
CUDA_VISIBLE_DEVICES=$MINE deepspeed --num_gpus 2 train.py
