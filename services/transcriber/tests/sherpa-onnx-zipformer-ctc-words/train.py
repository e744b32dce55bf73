"""Makes model.onnx and tokens.txt: speaks random sentences, learns to hear them, writes what it learned as ONNX.

python train.py <espeak-ng> <folder for the model>
"""

import io
import random
import subprocess
import sys
import wave

import jax
import jax.numpy as jnp
import kaldi_native_fbank as knf
import numpy as np
import onnx
import optax
from onnx import TensorProto, helper, numpy_helper

WORDS = (
    "please call me see you i will wait at home the station in office seven tomorrow morning on monday zero one two "
    "three four five six eight nine yes no hello thank later today"
).split()
# Includes the sentences of the tests; all other spoken words are in random order.
SENTENCES = [
    ["please call me", "see you", "i will wait"],
    ["at home", "at the station", "in the office"],
    ["at seven", "tomorrow morning", "on monday"],
]
VOICES = ["en-us", "en-us", "en-us+m1", "en-us+m3", "en-us+f2", "en-gb", "en-gb+f1"]
SPOKEN, HELD_OUT, ROUNDS, BATCH = 5000, 200, 30, 32
RATE, BANDS = 16000, 80
CHANNELS, DILATIONS = 64, [1, 2, 4, 1, 2, 4]
GAIN = 0.3


def speak(espeak, words, rng):
    settings = ["-v", rng.choice(VOICES), "-s", rng.randint(105, 165), "-p", rng.randint(35, 65), "-a", rng.randint(60, 150)]
    command = [espeak, *map(str, settings), "-g", str(rng.choice([0, 0, 1, 3])), "--stdout", " ".join(words)]
    spoken = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    with wave.open(io.BytesIO(spoken)) as file:
        rate = file.getframerate()
    # The header is 44 bytes long. Written to a pipe, it contains no length.
    samples = np.frombuffer(spoken[44:], dtype=np.int16).astype(np.float32) / 32768
    places = np.arange(int(len(samples) * RATE / rate)) * rate / RATE
    sound = np.interp(places, np.arange(len(samples)), samples)
    sound = np.concatenate([np.zeros(rng.randint(0, 6000)), sound, np.zeros(rng.randint(0, 6000))])
    noise = np.random.default_rng(rng.randrange(1 << 30)).normal(0, 10 ** rng.uniform(-4.5, -2.3), len(sound))
    return sound + noise


def features(sound):
    """As sherpa-onnx computes them."""
    options = knf.FbankOptions()
    options.frame_opts.dither = 0
    options.frame_opts.snip_edges = False
    options.frame_opts.samp_freq = RATE
    options.mel_opts.num_bins = BANDS
    options.mel_opts.high_freq = -400
    bank = knf.OnlineFbank(options)
    bank.accept_waveform(RATE, sound.astype(np.float32).tolist())
    bank.input_finished()
    frames = np.stack([bank.get_frame(index) for index in range(bank.num_frames_ready)])
    return frames - frames.mean(0)


def sentence(rng):
    if rng.random() < 0.3:
        return " ".join(rng.choice(part) for part in SENTENCES).split()
    return [rng.choice(WORDS) for _ in range(rng.randint(1, 7))]


def gather(espeak, count, seed):
    rng = random.Random(seed)
    said = [sentence(rng) for _ in range(count)]
    heard = [features(speak(espeak, words, rng)) for words in said]
    longest = -(-max(map(len, heard)) // 96) * 96
    frames = np.zeros((count, longest, BANDS), np.float32)
    labels = np.zeros((count, 8), np.int32)
    for index, (sound, words) in enumerate(zip(heard, said)):
        frames[index, : len(sound)] = sound
        labels[index, : len(words)] = [WORDS.index(word) + 1 for word in words]
    return frames, np.array(list(map(len, heard))), labels


def layers():
    """Name, outputs, inputs of each output, width."""
    yield "first", 48, BANDS, 5
    yield "second", CHANNELS, 48, 5
    for index in range(len(DILATIONS)):
        yield f"depth{index}", CHANNELS, 1, 7
        yield f"point{index}", CHANNELS, CHANNELS, 1
    yield "words", len(WORDS) + 1, CHANNELS, 1


def convolve(parameters, name, x, stride=1, dilation=1):
    """Sums of shifted products: on a processor faster than the library's own convolution."""
    weight, bias = parameters[name]
    width = weight.shape[2]
    pad = (width - 1) // 2 * dilation
    length = -(-x.shape[1] // stride)
    x = jnp.pad(x, ((0, 0), (pad, pad), (0, 0)))
    parts = [x[:, tap * dilation :: stride][:, :length] for tap in range(width)]
    if weight.shape[1] == 1:
        return sum(part * weight[:, 0, tap] for tap, part in enumerate(parts)) + bias
    return sum(part @ weight[:, :, tap].T for tap, part in enumerate(parts)) + bias


def network(parameters, x):
    x = jax.nn.relu(convolve(parameters, "first", x * GAIN, stride=2))
    x = jax.nn.relu(convolve(parameters, "second", x, stride=2))
    for index, dilation in enumerate(DILATIONS):
        wide = jax.nn.relu(convolve(parameters, f"depth{index}", x, dilation=dilation))
        x = x + jax.nn.relu(convolve(parameters, f"point{index}", wide))
    return convolve(parameters, "words", x)


def loss(parameters, x, lengths, labels):
    logits = network(parameters, x)
    beyond = (jnp.arange(logits.shape[1])[None] >= ((lengths + 3) // 4)[:, None]).astype(jnp.float32)
    return optax.ctc_loss(logits, beyond, labels, (labels == 0).astype(jnp.float32)).mean()


def exactly_heard(parameters, frames, lengths, labels):
    best = np.asarray(jax.jit(network)(parameters, frames).argmax(-1))
    right = 0
    for row, length, label in zip(best, lengths, labels):
        row = row[: (length + 3) // 4]
        heard = [int(word) for word, before in zip(row, [0, *row[:-1]]) if word and word != before]
        right += heard == [word for word in label if word]
    return right


def learn(spoken, held_out):
    frames, lengths, labels = spoken
    keys = jax.random.split(jax.random.PRNGKey(0), 64)
    parameters = {
        name: (jax.random.normal(key, (outputs, inputs, width)) * np.sqrt(2 / (inputs * width)), jnp.zeros(outputs))
        for key, (name, outputs, inputs, width) in zip(keys, layers())
    }
    rate = optax.cosine_onecycle_schedule(ROUNDS * (len(frames) // BATCH), 4e-3)
    optimiser = optax.chain(optax.clip_by_global_norm(5.0), optax.adamw(rate, weight_decay=1e-3))
    state = optimiser.init(parameters)

    @jax.jit
    def step(parameters, state, *batch):
        value, slope = jax.value_and_grad(loss)(parameters, *batch)
        updates, state = optimiser.update(slope, state, parameters)
        return optax.apply_updates(parameters, updates), state, value

    rng = np.random.default_rng(0)
    for turn in range(ROUNDS):
        # Batches sounds of similar length, so that little of a batch is padding.
        order = np.argsort(lengths + rng.uniform(0, 60, len(lengths)))[: len(frames) // BATCH * BATCH].reshape(-1, BATCH)
        rng.shuffle(order)
        total = 0.0
        for batch in order:
            longest = -(-int(lengths[batch].max()) // 96) * 96
            # Colors each sound differently, as rooms and microphones do.
            x = frames[batch][:, :longest] + rng.normal(0, 0.3, (BATCH, 1, BANDS)).astype(np.float32)
            parameters, state, value = step(parameters, state, x, lengths[batch], labels[batch])
            total += float(value)
        print(f"round {turn}: loss {total / len(order):.3f}, {exactly_heard(parameters, *held_out)} of {HELD_OUT} heard", flush=True)
    return {name: (np.asarray(weight), np.asarray(bias)) for name, (weight, bias) in parameters.items()}


def write(parameters, folder):
    nodes, constants = [], []

    def constant(name, value):
        constants.append(numpy_helper.from_array(value, name))
        return name

    def node(kind, inputs, output, **attributes):
        nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def convolution(name, x, stride=1, dilation=1):
        weight, bias = parameters[name]
        # Stores one byte per weight, with a scale for each output.
        scale = np.maximum(np.abs(weight).reshape(len(weight), -1).max(1) / 127, 1e-8).astype(np.float32)
        bytes_ = np.clip(np.round(weight / scale[:, None, None]), -127, 127).astype(np.int8)
        kept = [constant(name + ".bytes", bytes_), constant(name + ".scale", scale), constant(name + ".zero", np.zeros(len(weight), np.int8))]
        width = weight.shape[2]
        pad = (width - 1) // 2 * dilation
        inputs = [x, node("DequantizeLinear", kept, name + ".weight", axis=0), constant(name + ".bias", bias.astype(np.float32))]
        group = len(weight) if weight.shape[1] == 1 else 1
        return node("Conv", inputs, name, kernel_shape=[width], strides=[stride], dilations=[dilation], group=group, pads=[pad, pad])

    mean = node("ReduceMean", ["x", constant("over time", np.array([1], np.int64))], "mean", keepdims=1)
    x = node("Mul", [node("Sub", ["x", mean], "centred"), constant("gain", np.array(GAIN, np.float32))], "scaled")
    x = node("Transpose", [x], "channels", perm=[0, 2, 1])
    x = node("Relu", [convolution("first", x, stride=2)], "first.out")
    x = node("Relu", [convolution("second", x, stride=2)], "second.out")
    for index, dilation in enumerate(DILATIONS):
        wide = node("Relu", [convolution(f"depth{index}", x, dilation=dilation)], f"depth{index}.out")
        x = node("Add", [x, node("Relu", [convolution(f"point{index}", wide)], f"point{index}.out")], f"block{index}")
    logits = node("Transpose", [convolution("words", x)], "logits", perm=[0, 2, 1])
    node("LogSoftmax", [logits], "log_probs", axis=2)
    rounded = node("Add", ["x_lens", constant("three", np.array(3, np.int64))], "rounded")
    node("Div", [rounded, constant("four", np.array(4, np.int64))], "log_probs_len")

    tokens = ["<blk>", *("▁" + word for word in WORDS)]
    graph = helper.make_graph(
        nodes,
        "words",
        [
            helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", "T", BANDS]),
            helper.make_tensor_value_info("x_lens", TensorProto.INT64, ["N"]),
        ],
        [
            helper.make_tensor_value_info("log_probs", TensorProto.FLOAT, ["N", "S", len(tokens)]),
            helper.make_tensor_value_info("log_probs_len", TensorProto.INT64, ["N"]),
        ],
        constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)
    helper.set_model_props(model, {"model_type": "zipformer2_ctc"})
    onnx.checker.check_model(model)
    onnx.save(model, f"{folder}/model.onnx")
    with open(f"{folder}/tokens.txt", "w", encoding="utf-8") as file:
        file.writelines(f"{token} {index}\n" for index, token in enumerate(tokens))


if __name__ == "__main__":
    espeak, folder = sys.argv[1:]
    write(learn(gather(espeak, SPOKEN, seed=1), gather(espeak, HELD_OUT, seed=2)), folder)
