// Runs two models on equal random inputs with ONNX Runtime and compares: "y" of one with "y" of the
// other. Usage: node check.js BEFORE AFTER [NAME=EXTENT...]; ONNXRUNTIME names the folder of the npm
// package onnxruntime-node or onnxruntime-web where require() does not find it. Exits with 1 where
// results differ or the second model fails, with 3 where they could not be compared.
'use strict';

function load() {
    const tried = [process.env.ONNXRUNTIME, 'onnxruntime-node', 'onnxruntime-web'];
    for (const name of tried.filter(Boolean)) {
        try {
            return require(name);
        } catch (error) {
            // the next one
        }
    }
    console.error('no ONNX Runtime: npm install onnxruntime-node, and set ONNXRUNTIME to its folder');
    process.exit(3);
}

const ort = load();

// What keeps the models from being compared, apart from the rewrite.
class NotChecked extends Error {}

// By element type: the arrays of ONNX Runtime, and an element from a number of -0.5 to 0.5.
const small = (n) => Math.floor(n * 9);
const natural = (n) => small(n + 0.5);
const types = {
    float32: [Float32Array, (n) => n],
    float64: [Float64Array, (n) => n],
    // From 0.5 on the bits of float16 are 0x3800 and 10 of a fraction; the sign is the first.
    float16: [Uint16Array, (n) => (n < 0 ? 0xb800 : 0x3800) + Math.floor(Math.abs(n) * 1024)],
    int8: [Int8Array, small],
    int16: [Int16Array, small],
    int32: [Int32Array, small],
    int64: [BigInt64Array, (n) => BigInt(small(n))],
    uint8: [Uint8Array, natural],
    uint16: [Uint16Array, natural],
    uint32: [Uint32Array, natural],
    uint64: [BigUint64Array, (n) => BigInt(natural(n))],
    bool: [Uint8Array, (n) => Number(n < 0)],
};

// Numbers that are the same in every run.
function random(seed) {
    let state = seed;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 4294967296 - 0.5;
    };
}

function tensor(meta, seed, extents) {
    const [Elements, element] = types[meta.type] || [];
    if (!Elements || meta.isTensor === false) {
        throw new NotChecked(`no random elements of type ${meta.type} for input ${meta.name}`);
    }
    const shape = meta.shape.map((d) => (typeof d === 'number' ? d : extents[d] || 4));
    const count = shape.reduce((a, b) => a * b, 1);
    const next = random(seed);
    const data = Elements.from({length: count}, () => element(next()));
    return new ort.Tensor(meta.type, data, shape);
}

async function milliseconds(session, feeds) {
    const times = [];
    const end = performance.now() + 500;
    while (times.length < 5 || performance.now() < end) {
        const begin = performance.now();
        await session.run(feeds);
        times.push(performance.now() - begin);
    }
    return times.sort((a, b) => a - b)[times.length >> 1];
}

// The numbers that the bits of float16 stand for.
function half(bits) {
    const sign = bits & 0x8000 ? -1 : 1;
    const exponent = (bits >> 10) & 31;
    const fraction = (bits & 1023) / 1024;
    if (exponent === 31) {
        return fraction ? NaN : sign * Infinity;
    }
    return sign * (exponent ? (1 + fraction) * 2 ** (exponent - 15) : fraction * 2 ** -14);
}

function numbers(name, t) {
    if (!types[t.type]) {
        throw new NotChecked(`output ${name} has elements of type ${t.type}`);
    }
    return Array.from(t.data, t.type === 'float16' && t.data instanceof Uint16Array ? half : Number);
}

// The largest difference, over the largest number; what is infinite or no number must be the same.
function difference(name, a, b) {
    if (a.type !== b.type || a.dims.join() !== b.dims.join()) {
        return Infinity;
    }
    const [before, after] = [numbers(name, a), numbers(name, b)];
    if (before.length > 0 && !before.some(Number.isFinite)) {
        throw new NotChecked(`output ${name} has no finite element for random inputs`);
    }
    let most = 0;
    let scale = 0;
    for (let i = 0; i < before.length; ++i) {
        if (Number.isFinite(before[i])) {
            scale = Math.max(scale, Math.abs(before[i]));
            most = Math.max(most, Math.abs(before[i] - after[i]));
        } else if (!Object.is(before[i], after[i])) {
            return Infinity;
        }
    }
    return scale > 0 ? most / scale : most;
}

// A half has 11 bits, and sums of them may be rounded at every term.
function tolerance(type) {
    return type === 'float16' ? 1e-2 : 1e-4;
}

// What fails with the model as it was says nothing about the rewrite.
async function before(result) {
    try {
        return await result;
    } catch (error) {
        throw new NotChecked(`ONNX Runtime fails with the input: ${error.message || error}`);
    }
}

async function main([first, second, ...given]) {
    const extents = Object.fromEntries(given.map((g) => {
        const equals = g.lastIndexOf('=');
        return [g.slice(0, equals), +g.slice(equals + 1)];
    }));
    const options = {intraOpNumThreads: 1, logSeverityLevel: 3};
    const sessions = [await before(ort.InferenceSession.create(first, options)),
                      await ort.InferenceSession.create(second, options)];
    const feeds = {};
    sessions[0].inputMetadata.forEach((meta, i) => {
        feeds[meta.name] = tensor(meta, i + 1, extents);
    });
    const results = [await before(sessions[0].run(feeds)), await sessions[1].run(feeds)];
    let worst = 0;
    let within = true;
    for (const name of sessions[0].outputNames) {
        const by = difference(name, results[0][name], results[1][name]);
        worst = Math.max(worst, by);
        within = within && by <= tolerance(results[0][name].type);
    }
    const times = [await milliseconds(sessions[0], feeds), await milliseconds(sessions[1], feeds)];
    console.log(`largest difference ${worst.toExponential(2)} of the largest element; ` +
                `before ${times[0].toFixed(3)} ms, after ${times[1].toFixed(3)} ms`);
    return within ? 0 : 1;
}

main(process.argv.slice(2)).then((code) => { process.exitCode = code; }, (error) => {
    console.error(error instanceof NotChecked ? `not checked: ${error.message}` : String(error));
    process.exitCode = error instanceof NotChecked ? 3 : 1;
});
