"""Writes whole blocks with Einsum nodes as ONNX models, "bqhd,bkhd->bhqk" of attention among them.

Needs python3-onnx and python3-numpy. Argument: the folder to write to. The batch is left open.
"""
import os
import sys

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper

random = np.random.default_rng(1)


class Block:
    """A graph under construction."""

    def __init__(self, name):
        self.name, self.nodes, self.inputs, self.weights = name, [], [], []

    def input(self, name, *shape):
        self.inputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
        return name

    def weight(self, name, *shape, values=None):
        if values is None:
            values = random.standard_normal(shape) / np.sqrt(shape[-1])
        self.weights.append(numpy_helper.from_array(np.asarray(values, np.float32), name))
        return name

    def op(self, kind, *inputs, **attributes):
        name = f"{self.name}/{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name + "_out"], name=name, **attributes))
        return name + "_out"

    def einsum(self, equation, *inputs):
        return self.op("Einsum", *inputs, equation=equation)

    def save(self, *shape):
        self.nodes[-1].output[0] = "y"
        graph = helper.make_graph(self.nodes, self.name, self.inputs, [
            helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)], self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=7)
        checker.check_model(model)
        with open(os.path.join(folder, self.name + ".onnx"), "wb") as file:
            file.write(model.SerializeToString())


def st_gcn(batch):
    """A block of ST-GCN on NTU RGB+D: 1 x 1 convolution to 3 partitions, graph, time."""
    b = Block("st_gcn" if batch == "n" else "st_gcn_fixed")
    x = b.input("x", batch, 64, 300, 25)
    y = b.einsum("nctv,kdc->nkdtv", x, b.weight("partitions", 3, 64, 64))
    y = b.einsum("nkctv,kvw->nctw", y, b.weight("adjacency", 3, 25, 25))
    y = b.op("Relu", y)
    y = b.op("Conv", y, b.weight("time", 64, 64, 9, 1), b.weight("bias", 64),
             kernel_shape=[9, 1], pads=[4, 0, 4, 0])
    y = b.op("Relu", b.op("Add", y, x))
    b.save(batch, 64, 300, 25)


def mamba(batch):
    """The inputs of Mamba's selective scan and a step of it."""
    b = Block("mamba" if batch == "b" else "mamba_fixed")
    x = b.input("x", batch, 64, 384)
    delta = b.op("Softplus", b.einsum("bli,ij->blj", x, b.weight("delta", 384, 384)))
    to_b = b.einsum("bli,in->bln", x, b.weight("to_b", 384, 16))
    to_c = b.einsum("bli,in->bln", x, b.weight("to_c", 384, 16))
    rates = b.weight("rates", 384, 16, values=-np.exp(random.standard_normal((384, 16))))
    decay = b.op("Exp", b.einsum("bld,dn->bldn", delta, rates))
    gained = b.einsum("bld,bln,bld->bldn", delta, to_b, x)
    state = b.op("Mul", decay, gained)
    y = b.einsum("bldn,bln->bld", state, to_c)
    y = b.op("Add", y, b.einsum("bld,d->bld", x, b.weight("skip", 384)))
    b.save(batch, 64, 384)


def attention(batch):
    """Attention with the heads beside the depth, projections included."""
    b = Block("attention" if batch == "b" else "attention_fixed")
    x = b.input("x", batch, 128, 256)
    q, k, v = (b.einsum("btc,chd->bthd", x, b.weight(name, 256, 8, 32)) for name in "qkv")
    scores = b.einsum("bqhd,bkhd->bhqk", q, k)
    scores = b.op("Softmax", b.op("Mul", scores, b.weight("scale", values=[32 ** -0.5])), axis=-1)
    y = b.einsum("bhqk,bkhd->bqhd", scores, v)
    y = b.einsum("bqhd,hdc->bqc", y, b.weight("out", 8, 32, 256))
    b.op("Add", y, x)
    b.save(batch, 128, 256)


folder = sys.argv[1]
for block, symbol in ((st_gcn, "n"), (mamba, "b"), (attention, "b")):
    block(symbol)
    block(1)
