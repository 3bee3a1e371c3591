deepspeed --num_gpus 8 train.py --deepspeed_config fits.json
deepspeed --num_gpus 8 train.py --deepspeed_config does_not_fit.json
deepspeed --include localhost:0,1,2,3 train.py --deepspeed_config included.json
deepspeed --include first:0,1,2,3@second:0,1,2,3 train.py --deepspeed_config included_on_two.json
deepspeed --include first@second train.py --deepspeed_config all_of_a_host.json
deepspeed --include first:a,b train.py --deepspeed_config by_names.json
deepspeed --hostfile hosts --num_gpus 8 train.py --deepspeed_config by_hosts.json
deepspeed --num_nodes 2 --num_gpus 8 train.py --deepspeed_config on_two_nodes.json
deepspeed --num_nodes $NODES --num_gpus 8 train.py --deepspeed_config on_some_nodes.json
deepspeed  train.py --deepspeed_config on_all_gpus.json
deepspeed --num_gpus $GPUS train.py --deepspeed_config on_some_gpus.json
deepspeed --num_gpus 8 train.py --deepspeed_config with_auto.json
deepspeed --num_gpus 8 train.py --deepspeed_config with_none.json
deepspeed --num_gpus 8 train.py --deepspeed_config below_one.json
deepspeed --num_gpus 8 train.py --deepspeed_config micro_left_out.json
deepspeed --num_gpus 8 train.py --deepspeed_config both_left_out.json
accelerate launch --num_processes 8 train.py --deepspeed by_accelerate.json
accelerate launch train.py --deepspeed by_accelerate_unsaid.json
torchrun --nproc_per_node=8 train.py --deepspeed by_torchrun.json
torchrun --nnodes=2 --nproc_per_node=4 train.py --deepspeed=by_torchrun_of_two.json
torchrun --nnodes=$NODES --nproc_per_node=4 train.py --deepspeed by_torchrun_unsaid.json
torchrun $LAUNCH --nproc_per_node=4 train.py --deepspeed by_torchrun_unsure.json
