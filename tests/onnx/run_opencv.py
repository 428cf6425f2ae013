"""Runs rewritten models with OpenCV, "bqhd,bkhd->bhqk" of attention among them, against NumPy on the
models as they were.

Needs python3-opencv, python3-onnx and python3-numpy. Arguments: onnx_deinsum, make_models.py.
"""
import os
import subprocess
import sys
import tempfile

import cv2
import numpy as np
import onnx
from onnx import helper, numpy_helper

random = np.random.default_rng(2)


def convolution(x, weights, bias, kernel_shape, pads):
    """Of windows along the third axis."""
    padded = np.pad(x, [(0, 0), (0, 0), (pads[0], pads[2]), (pads[1], pads[3])])
    assert list(kernel_shape) == list(weights.shape[2:]) and kernel_shape[1] == 1
    y = sum(np.einsum("nctv,dc->ndtv", padded[:, :, i:i + x.shape[2]], weights[:, :, i, 0])
            for i in range(weights.shape[2]))
    return y + bias[:, None, None]


def softmax(x, axis):
    powers = np.exp(x - x.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


operators = {
    "Einsum": lambda *x, equation: np.einsum(equation.decode(), *x, optimize=True),
    "Relu": lambda x: np.maximum(x, 0),
    "Softplus": lambda x: np.logaddexp(x, 0),
    "Exp": np.exp,
    "Add": np.add,
    "Mul": np.multiply,
    "Softmax": softmax,
    "Conv": convolution,
}


def expected(model, feeds):
    """By NumPy, in double precision."""
    values = {name: x.astype(np.float64) for name, x in feeds.items()}
    for tensor in model.graph.initializer:
        values[tensor.name] = numpy_helper.to_array(tensor).astype(np.float64)
    for node in model.graph.node:
        attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
        values[node.output[0]] = operators[node.op_type](*(values[i] for i in node.input),
                                                         **attributes)
    return values[model.graph.output[0].name]


def with_four_axes(model):
    """OpenCV's Python takes an array of three axes for an image with channels; C++ does not."""
    for value in model.graph.input:
        extents = [d.dim_value for d in value.type.tensor_type.shape.dim]
        if len(extents) == 3:
            value.type.tensor_type.shape.dim.add().dim_value = 1
            inner = value.name + "/three_axes"
            for node in model.graph.node:
                node.input[:] = [inner if name == value.name else name for name in node.input]
            shape = numpy_helper.from_array(np.array(extents, np.int64), inner + "/shape")
            model.graph.initializer.append(shape)
            model.graph.node.insert(0, helper.make_node("Reshape", [value.name, shape.name], [inner],
                                                        name=inner + "/reshape"))
    return model


def found(model, feeds):
    net = cv2.dnn.readNetFromONNX(with_four_axes(model).SerializeToString())
    for name, x in feeds.items():
        net.setInput(x[..., None] if x.ndim == 3 else x, name)
    return net.forward()


def one_node(equation, shapes, constants, activation):
    """An Einsum node with some constant operands, and one behind it."""
    names = [f"x{i}" for i in range(len(shapes))]
    tensors = [random.standard_normal(s).astype(np.float32) for s in shapes]
    graph = helper.make_graph(
        [helper.make_node("Einsum", names, ["z"], name="einsum", equation=equation),
         helper.make_node(activation, ["z"], ["y"], name="activation")], "one_node",
        [helper.make_tensor_value_info(n, onnx.TensorProto.FLOAT, s)
         for i, (n, s) in enumerate(zip(names, shapes)) if i not in constants],
        [helper.make_tensor_value_info("y", onnx.TensorProto.FLOAT,
                                       [None] * len(equation.split("->")[1]))],
        [numpy_helper.from_array(tensors[i], names[i]) for i in constants])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7)


def extents(value):
    return [d.dim_value for d in value.type.tensor_type.shape.dim]


def main(deinsum, make_models):
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, make_models, folder], check=True)
        for i, case in enumerate(cases):
            onnx.save(one_node(*case), os.path.join(folder, f"case{i:02}_fixed.onnx"))
        files = sorted(f for f in os.listdir(folder) if f.endswith("_fixed.onnx"))
        for file in files:
            before = os.path.join(folder, file)
            after = before + ".after"
            subprocess.run([deinsum, before, after, "--for", "opencv"], check=True,
                           stdout=subprocess.DEVNULL)
            model = onnx.load(before)
            feeds = {v.name: random.standard_normal(extents(v)).astype(np.float32)
                     for v in model.graph.input}
            right = expected(model, feeds)
            try:
                y = found(onnx.load(after), feeds)
                apart = np.abs(y.reshape(right.shape) - right).max() / np.abs(right).max()
            except (cv2.error, ValueError) as error:
                print(error)
                apart = np.inf
            failed += not apart < 1e-4
            print(f"{file}: largest difference {apart:.1e} of the largest element")
    print(f"OpenCV {cv2.__version__}: {len(files) - failed} of {len(files)} models are right")
    return failed > 0


# Equation, shapes, constant operands, what is behind. The shapes have two axes, which OpenCV's
# arrays cannot go below.
cases = [
    ("bij,bjk->bik", [(2, 3, 4), (2, 4, 5)], (), "Relu"),
    ("bij,bjk->bik", [(2, 3, 4), (2, 4, 5)], (1,), "Relu"),
    ("bij,bjk->bik", [(2, 3, 4), (2, 4, 5)], (0,), "Exp"),
    ("ij,jk->ik", [(3, 4), (4, 5)], (), "Relu"),
    ("ij,jk->ik", [(3, 4), (4, 5)], (0,), "Relu"),
    ("ij,jk->ki", [(3, 4), (4, 5)], (1,), "Exp"),
    ("ij,kl->ijkl", [(2, 3), (4, 5)], (), "Relu"),
    ("ij,kl->ikjl", [(2, 3), (4, 5)], (0,), "Relu"),
    ("bld,dn->bldn", [(2, 3, 4), (4, 5)], (1,), "Exp"),
    ("bld,dn->bldn", [(2, 3, 4), (4, 5)], (), "Exp"),
    ("bld,dn->nlbd", [(2, 3, 4), (4, 5)], (1,), "Relu"),
    ("dl,bld->bld", [(4, 3), (2, 3, 4)], (0,), "Relu"),
    ("dl,bld->ldb", [(4, 3), (2, 3, 4)], (), "Relu"),
    ("abc,abc->ab", [(2, 3, 4), (2, 3, 4)], (), "Relu"),
    ("abc,cab->ab", [(2, 3, 4), (4, 2, 3)], (1,), "Relu"),
    ("nctw,cd->ndtw", [(2, 3, 4, 5), (3, 6)], (1,), "Relu"),
    ("nkctv,kvw->nctw", [(2, 3, 4, 5, 6), (3, 6, 7)], (), "Relu"),
    ("bhqd,bkd->bhqk", [(2, 3, 4, 5), (2, 6, 5)], (), "Relu"),
    ("ij,jk,kl->il", [(2, 3), (3, 4), (4, 5)], (1,), "Relu"),
    ("ij,jk,kl->il", [(2, 3), (3, 4), (4, 5)], (0, 2), "Relu"),
]

sys.exit(main(*sys.argv[1:]))
