from utils import ddp_barrier, main_process_only


@main_process_only
def write_manifest(rows, path):
    path.write_text("\n".join(rows))
    ddp_barrier()


def prepare(rows, path):
    write_manifest(rows, path)
    ddp_barrier()
