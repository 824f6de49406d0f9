// Runs sonde-bench and the official TypeScript client in turn, so that whatever else the machine does meets both, and
// prints the medians and their ratio. Begin with: npm ci --ignore-scripts (in this folder).
// SPDX-License-Identifier: Apache-2.0
//
// usage: node paired.mjs BUILD_DIRECTORY [--pairs N] [--http] [--count N] [--bytes N] [--tools N] [SCENARIO …]
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = dirname(fileURLToPath(import.meta.url));
const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
        pairs: { type: 'string', default: '5' },
        http: { type: 'boolean', default: false },
        count: { type: 'string' },
        bytes: { type: 'string' },
        tools: { type: 'string' },
    },
});
const [build, ...wanted] = positionals;
if (!build) {
    console.error('usage: node paired.mjs BUILD_DIRECTORY [--pairs N] [--http] [SCENARIO …]');
    process.exit(2);
}
const scenarios = wanted.length > 0 ? wanted : ['latency', 'pipeline', 'flood', 'blob', 'list', 'parallel'];
const pass = ['count', 'bytes', 'tools'].flatMap((name) => (values[name] ? [`--${name}`, values[name]] : []));
if (values.http) pass.push('--http');

// The Node that the tests of real servers use, where it is installed.
const pinned = join(here, '..', 'peers', 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');
const node = existsSync(pinned) ? pinned : process.execPath;
const bin = (name) => join(build, 'bin', name);
const commands = {
    sonde: (scenario) => [bin('sonde-bench'), scenario, ...pass],
    sdk: (scenario) => [node, join(here, 'sdkbench.mjs'), bin('sonde-bench-server'), scenario, ...pass],
};

function run([program, ...args]) {
    const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 24 });
    if (status !== 0) {
        console.error(`${program} ${args.join(' ')} failed: ${error ?? stderr}`);
        process.exit(1);
    }
    return JSON.parse(stdout.trim().split('\n').at(-1));
}

const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
const rounded = (value) => Number(value.toPrecision(3));

for (const scenario of scenarios) {
    const runs = { sonde: [], sdk: [] };
    for (let i = 0; i < Number(values.pairs); ++i) {
        const order = i % 2 === 0 ? ['sonde', 'sdk'] : ['sdk', 'sonde'];
        for (const client of order) runs[client].push(run(commands[client](scenario)));
    }
    const figures = {};
    for (const key of Object.keys(runs.sdk[0])) {
        if (typeof runs.sdk[0][key] !== 'number' || typeof runs.sonde[0][key] !== 'number') continue;
        const sonde = median(runs.sonde.map((line) => line[key]));
        const sdk = median(runs.sdk.map((line) => line[key]));
        const ratio = rounded(median(runs.sonde.map((line, i) => line[key] / runs.sdk[i][key])));
        figures[key] = { sonde, sdk, ratio };
    }
    const longest = runs.sonde.map((line) => line.longest_turn_cpu_ms).filter((value) => value !== undefined);
    if (longest.length > 0) figures.longest_turn_cpu_ms = { sonde: Math.max(...longest) };
    console.log(JSON.stringify({ scenario, transport: runs.sonde[0].transport, pairs: Number(values.pairs), figures }));
}
