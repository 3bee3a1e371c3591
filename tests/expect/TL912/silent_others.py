"""As in huggingface/pytorch-image-models, facebookresearch/detr: other models, weights, names of modules."""

import torchvision
import torchvision.models as tvm
import torchvision.models.detection as detection
from torchvision.models import ResNet18_Weights, get_model, resnet18
from torchvision.models._utils import IntermediateLayerGetter


def resnet50(pretrained=False):
    return get_model("resnet50", weights="DEFAULT" if pretrained else None)


def build(name, weights, options):
    yield resnet50(pretrained=True)
    yield resnet18(ResNet18_Weights.DEFAULT)
    yield resnet18(weights=weights), resnet18(weights)
    yield resnet18(**options)
    yield tvm.__dict__[name](pretrained=True)
    yield getattr(torchvision.models, name)(pretrained=True, replace_stride_with_dilation=[False, False, True])
    yield tvm.googlenet(weights=None, aux_logits=False)
    yield detection.fasterrcnn_resnet50_fpn(weights=None, weights_backbone=None)
    yield IntermediateLayerGetter(resnet18(), return_layers={"layer1": "0"})
