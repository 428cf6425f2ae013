// Stands for ONNX Runtime where a test asks what onnx_deinsum --check makes of it: models of one
// input (batch, 3) that is the output, too. FAKE_RUNTIME: the type of its elements, and "before" or
// "after" for a model that fails, "differs" for a second one that gives something else.
'use strict';
const [type, what] = process.env.FAKE_RUNTIME.split(' ');

// Nobody waits for measurements.
let milliseconds = 0;
Object.defineProperty(globalThis, 'performance', {value: {now: () => milliseconds += 200}});

class Tensor {
    constructor(elements, data, dims) {
        Object.assign(this, {type: elements, data, dims});
    }
}

let created = 0;
async function create() {
    const which = created++ === 0 ? 'before' : 'after';
    return {
        inputMetadata: [{name: 'x', isTensor: true, type, shape: ['batch', 3]}],
        outputNames: ['y'],
        async run({x}) {
            if (what === which) {
                throw new Error(`the model ${which} fails`);
            }
            if (x.dims.join() !== '7,3' || x.data.length !== 21) {
                throw new Error(`not the extent asked for: ${x.dims}`);
            }
            const data = x.data.slice();
            if (what === 'differs' && which === 'after') {
                data[20] = data.find((e) => e !== data[20]);
            }
            return {y: new Tensor(type, data, x.dims)};
        },
    };
}

module.exports = {Tensor, InferenceSession: {create}};
