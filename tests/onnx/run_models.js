// Runs the models that write_models writes, "ij,jk->ik" before and after the rewrite, with ONNX
// Runtime; the rewritten ones must give exactly the numbers of einsum.tsv. Arguments: einsum.tsv,
// write_models. ONNXRUNTIME names the folder of the npm package.
'use strict';
const {execFileSync} = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const ort = require(process.env.ONNXRUNTIME);

const arrays = {f32: Float32Array, f64: Float64Array, i32: Int32Array, i64: BigInt64Array};
const types = {f32: 'float32', f64: 'float64', i32: 'int32', i64: 'int64'};

function numbers(text) {
    return text === '' ? [] : text.split(',').map(Number);
}

function operand(shape, k, dtype) {
    const count = shape.reduce((a, b) => a * b, 1);
    const wrap = dtype === 'i64' ? BigInt : Number;
    const data = arrays[dtype].from({length: count},
                                    (_, n) => wrap((n * 7 + k * 13 + 3) % 11 - 5));
    return new ort.Tensor(types[dtype], data, shape);
}

function matches(row, result) {
    const data = Array.from(result.data, Number);
    const sum = data.reduce((a, b) => a + b, 0);
    const wsum = data.reduce((a, b, n) => a + b * (n % 97 + 1), 0);
    return result.dims.join() === numbers(row.expected_shape).join() && sum === +row.sum_re &&
           wsum === +row.wsum_re &&
           (row.values_re === '-' || data.join() === numbers(row.values_re).join());
}

// The result, or the runtime's complaint.
async function run(file, row) {
    try {
        const session = await ort.InferenceSession.create(file, {intraOpNumThreads: 1, logSeverityLevel: 4});
        const feeds = {};
        const shapes = row.shapes === 'none' ? [] : row.shapes.split(';');
        shapes.forEach((s, k) => { feeds[`x${k}`] = operand(numbers(s), k, row.dtype); });
        const {y} = await session.run(feeds);
        await session.release();
        return {y};
    } catch (error) {
        return {error: String(error)};
    }
}

async function main(table, writer) {
    const [head, ...lines] = fs.readFileSync(table, 'utf8').trimEnd().split('\n');
    const names = head.split('\t');
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'deinsum'));
    execFileSync(writer, [folder, '13']);
    const counts = {right: 0, wrong: 0, 'refused before': 0, 'refused after': 0, 'wrong before': 0};
    for (const line of lines) {
        const row = Object.fromEntries(line.split('\t').map((f, i) => [names[i], f]));
        for (const open of ['', '.open']) {
            const base = path.join(folder, row.id + open);
            if (!fs.existsSync(base + '.after.onnx')) {
                continue;
            }
            // Some equations crash the runtime's own Einsum.
            const known = row.accepted_by.split(',').includes('ort');
            const before = known ? await run(base + '.before.onnx', row) : {error: 'not tried'};
            const after = await run(base + '.after.onnx', row);
            counts['refused before'] += before.error ? 1 : 0;
            counts['wrong before'] += before.y && !matches(row, before.y) ? 1 : 0;
            if (after.error && /NOT_IMPLEMENTED/.test(after.error)) {
                counts['refused after'] += 1;
                continue;
            }
            const right = after.y && matches(row, after.y);
            counts[right ? 'right' : 'wrong'] += 1;
            if (!right) {
                console.log(row.id + open, row.equation, row.shapes, row.dtype, after.error);
            }
        }
    }
    fs.rmSync(folder, {recursive: true});
    console.log(counts);
    process.exitCode = counts.wrong === 0 && counts.right >= 1500 ? 0 : 1;
}

main(...process.argv.slice(2));
