deepspeed --num_gpus 8 constant.py
deepspeed --num_gpus 8 other_function.py
deepspeed --num_gpus 8 chosen.py
deepspeed --num_gpus 8 loaded.py
deepspeed --num_gpus 8 loaded_from_a_download.py
deepspeed --num_gpus 8 loaded_by_a_name.py
deepspeed --num_gpus 8 loaded_and_changed.py
deepspeed --num_gpus 8 loaded_as_yaml.py
deepspeed --num_gpus 8 by_default.py
deepspeed --num_gpus 8 by_default_of_two.py
deepspeed --num_gpus 8 by_no_default.py
deepspeed --num_gpus 8 by_option.py --settings zero3.json
deepspeed --num_gpus 8 micro_left_out.py
deepspeed --num_gpus 8 both_left_out.py
