// Runs two models on equal random inputs with ONNX Runtime and compares: "y" of one with "y" of the
// other. Usage: node check.js BEFORE AFTER [NAME=EXTENT...]; ONNXRUNTIME names the folder of the npm
// package onnxruntime-node or onnxruntime-web where require() does not find it.
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
const arrays = {float32: Float32Array, float64: Float64Array, int32: Int32Array,
                int64: BigInt64Array};

// Numbers that are the same in every run.
function random(seed) {
    let state = seed;
    return () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 4294967296 - 0.5;
    };
}

function tensor(meta, seed, extents) {
    const shape = meta.shape.map((d) => (typeof d === 'number' ? d : extents[d] || 4));
    const count = shape.reduce((a, b) => a * b, 1);
    const next = random(seed);
    const Elements = arrays[meta.type];
    if (!Elements) {
        throw new Error(`no random elements of type ${meta.type} for input ${meta.name}`);
    }
    const integral = meta.type.startsWith('int');
    const wrap = meta.type === 'int64' ? BigInt : Number;
    const data = Elements.from({length: count},
                               () => wrap(integral ? Math.floor(next() * 9) : next()));
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

// The largest difference, over the largest number.
function difference(a, b) {
    if (a.dims.join() !== b.dims.join()) {
        return Infinity;
    }
    let most = 0;
    let scale = 0;
    for (let i = 0; i < a.data.length; ++i) {
        most = Math.max(most, Math.abs(Number(a.data[i]) - Number(b.data[i])));
        scale = Math.max(scale, Math.abs(Number(a.data[i])));
    }
    return scale > 0 ? most / scale : most;
}

async function main([before, after, ...given]) {
    const extents = Object.fromEntries(given.map((g) => g.split('=')).map(([k, v]) => [k, +v]));
    const options = {intraOpNumThreads: 1, logSeverityLevel: 3};
    const sessions = [await ort.InferenceSession.create(before, options),
                      await ort.InferenceSession.create(after, options)];
    const feeds = {};
    sessions[0].inputMetadata.forEach((meta, i) => {
        feeds[meta.name] = tensor(meta, i + 1, extents);
    });
    const results = [await sessions[0].run(feeds), await sessions[1].run(feeds)];
    let worst = 0;
    for (const name of sessions[0].outputNames) {
        worst = Math.max(worst, difference(results[0][name], results[1][name]));
    }
    const times = [await milliseconds(sessions[0], feeds), await milliseconds(sessions[1], feeds)];
    console.log(`largest difference ${worst.toExponential(2)} of the largest element; ` +
                `before ${times[0].toFixed(3)} ms, after ${times[1].toFixed(3)} ms`);
    return worst < 1e-4 ? 0 : 1;
}

main(process.argv.slice(2)).then((code) => { process.exitCode = code; }, (error) => {
    console.error(String(error));
    process.exitCode = 1;
});
