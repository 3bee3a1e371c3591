import torch.distributed as dist


def f0(x):
    if x:
        return f1(x - 1)
    dist.barrier()
    return f1(x)


def f1(x):
    if x:
        return f8(x - 1)
    dist.barrier()
    return f2(x)


def f2(x):
    if x:
        return f15(x - 1)
    dist.barrier()
    return f3(x)


def f3(x):
    if x:
        return f22(x - 1)
    dist.barrier()
    return f4(x)


def f4(x):
    if x:
        return f29(x - 1)
    dist.barrier()
    return f5(x)


def f5(x):
    if x:
        return f36(x - 1)
    dist.barrier()
    return f6(x)


def f6(x):
    if x:
        return f43(x - 1)
    dist.barrier()
    return f7(x)


def f7(x):
    if x:
        return f50(x - 1)
    dist.barrier()
    return f8(x)


def f8(x):
    if x:
        return f57(x - 1)
    dist.barrier()
    return f9(x)


def f9(x):
    if x:
        return f4(x - 1)
    dist.barrier()
    return f10(x)


def f10(x):
    if x:
        return f11(x - 1)
    dist.barrier()
    return f11(x)


def f11(x):
    if x:
        return f18(x - 1)
    dist.barrier()
    return f12(x)


def f12(x):
    if x:
        return f25(x - 1)
    dist.barrier()
    return f13(x)


def f13(x):
    if x:
        return f32(x - 1)
    dist.barrier()
    return f14(x)


def f14(x):
    if x:
        return f39(x - 1)
    dist.barrier()
    return f15(x)


def f15(x):
    if x:
        return f46(x - 1)
    dist.barrier()
    return f16(x)


def f16(x):
    if x:
        return f53(x - 1)
    dist.barrier()
    return f17(x)


def f17(x):
    if x:
        return f0(x - 1)
    dist.barrier()
    return f18(x)


def f18(x):
    if x:
        return f7(x - 1)
    dist.barrier()
    return f19(x)


def f19(x):
    if x:
        return f14(x - 1)
    dist.barrier()
    return f20(x)


def f20(x):
    if x:
        return f21(x - 1)
    dist.barrier()
    return f21(x)


def f21(x):
    if x:
        return f28(x - 1)
    dist.barrier()
    return f22(x)


def f22(x):
    if x:
        return f35(x - 1)
    dist.barrier()
    return f23(x)


def f23(x):
    if x:
        return f42(x - 1)
    dist.barrier()
    return f24(x)


def f24(x):
    if x:
        return f49(x - 1)
    dist.barrier()
    return f25(x)


def f25(x):
    if x:
        return f56(x - 1)
    dist.barrier()
    return f26(x)


def f26(x):
    if x:
        return f3(x - 1)
    dist.barrier()
    return f27(x)


def f27(x):
    if x:
        return f10(x - 1)
    dist.barrier()
    return f28(x)


def f28(x):
    if x:
        return f17(x - 1)
    dist.barrier()
    return f29(x)


def f29(x):
    if x:
        return f24(x - 1)
    dist.barrier()
    return f30(x)


def f30(x):
    if x:
        return f31(x - 1)
    dist.barrier()
    return f31(x)


def f31(x):
    if x:
        return f38(x - 1)
    dist.barrier()
    return f32(x)


def f32(x):
    if x:
        return f45(x - 1)
    dist.barrier()
    return f33(x)


def f33(x):
    if x:
        return f52(x - 1)
    dist.barrier()
    return f34(x)


def f34(x):
    if x:
        return f59(x - 1)
    dist.barrier()
    return f35(x)


def f35(x):
    if x:
        return f6(x - 1)
    dist.barrier()
    return f36(x)


def f36(x):
    if x:
        return f13(x - 1)
    dist.barrier()
    return f37(x)


def f37(x):
    if x:
        return f20(x - 1)
    dist.barrier()
    return f38(x)


def f38(x):
    if x:
        return f27(x - 1)
    dist.barrier()
    return f39(x)


def f39(x):
    if x:
        return f34(x - 1)
    dist.barrier()
    return f40(x)


def f40(x):
    if x:
        return f41(x - 1)
    dist.barrier()
    return f41(x)


def f41(x):
    if x:
        return f48(x - 1)
    dist.barrier()
    return f42(x)


def f42(x):
    if x:
        return f55(x - 1)
    dist.barrier()
    return f43(x)


def f43(x):
    if x:
        return f2(x - 1)
    dist.barrier()
    return f44(x)


def f44(x):
    if x:
        return f9(x - 1)
    dist.barrier()
    return f45(x)


def f45(x):
    if x:
        return f16(x - 1)
    dist.barrier()
    return f46(x)


def f46(x):
    if x:
        return f23(x - 1)
    dist.barrier()
    return f47(x)


def f47(x):
    if x:
        return f30(x - 1)
    dist.barrier()
    return f48(x)


def f48(x):
    if x:
        return f37(x - 1)
    dist.barrier()
    return f49(x)


def f49(x):
    if x:
        return f44(x - 1)
    dist.barrier()
    return f50(x)


def f50(x):
    if x:
        return f51(x - 1)
    dist.barrier()
    return f51(x)


def f51(x):
    if x:
        return f58(x - 1)
    dist.barrier()
    return f52(x)


def f52(x):
    if x:
        return f5(x - 1)
    dist.barrier()
    return f53(x)


def f53(x):
    if x:
        return f12(x - 1)
    dist.barrier()
    return f54(x)


def f54(x):
    if x:
        return f19(x - 1)
    dist.barrier()
    return f55(x)


def f55(x):
    if x:
        return f26(x - 1)
    dist.barrier()
    return f56(x)


def f56(x):
    if x:
        return f33(x - 1)
    dist.barrier()
    return f57(x)


def f57(x):
    if x:
        return f40(x - 1)
    dist.barrier()
    return f58(x)


def f58(x):
    if x:
        return f47(x - 1)
    dist.barrier()
    return f59(x)


def f59(x):
    if x:
        return f54(x - 1)
    dist.barrier()
    return f0(x)


f0(dist.get_rank())
