// The scenarios of sonde-bench in which a server takes part, with the official TypeScript client.
// SPDX-License-Identifier: Apache-2.0
//
// usage: node sdkbench.mjs SERVER SCENARIO [--http] [--count N] [--bytes N] [--tools N]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
        http: { type: 'boolean', default: false },
        count: { type: 'string', default: '0' },
        bytes: { type: 'string', default: '10000000' },
        tools: { type: 'string', default: '10000' },
    },
});
const [program, scenario] = positionals;
if (scenario === 'parallel') values.http = true; // over stdio it is the server who decides
const settings = { count: Number(values.count), bytes: Number(values.bytes), tools: Number(values.tools) };

const percentile = (list, part) => list.sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(part * list.length))];
const cpuMs = () => {
    const usage = process.cpuUsage();
    return (usage.user + usage.system) / 1000;
};
const rounded = (value) => Number(value.toPrecision(4));

let server;
async function transport() {
    const args = ['--tools', String(settings.tools)];
    if (!values.http) {
        // With its default of 10 MB the client gives up on a larger result.
        return new StdioClientTransport({ command: program, args, maxBufferSize: 1 << 28 });
    }
    server = spawn(program, [...args, '--http'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [line] = await once(server.stdout, 'data');
    return new StreamableHTTPClientTransport(new URL(String(line).trim()));
}

const client = new Client({ name: 'sdk-bench', version: '1' });
await client.connect(await transport());
const echo = (number) => client.callTool({ name: 'echo', arguments: { text: `message number ${number}` } });

const scenarios = {
    async latency() {
        const count = settings.count || 2000;
        const warmUp = 200;
        const times = [];
        let cpu = 0;
        for (let i = 0; i < count + warmUp; ++i) {
            if (i === warmUp) cpu = cpuMs();
            const start = process.hrtime.bigint();
            await echo(i);
            if (i >= warmUp) times.push(Number(process.hrtime.bigint() - start) / 1000);
        }
        return {
            calls: count,
            p50_us: rounded(percentile(times, 0.5)),
            p99_us: rounded(percentile(times, 0.99)),
            cpu_us_per_call: rounded(((cpuMs() - cpu) * 1000) / count),
        };
    },
    async pipeline() {
        const count = settings.count || 20000;
        let sent = 0;
        const lane = async () => {
            while (sent < count) await echo(++sent);
        };
        const start = performance.now();
        const cpu = cpuMs();
        await Promise.all(Array.from({ length: 64 }, lane));
        const wall = performance.now() - start;
        return {
            calls: count,
            calls_per_s: rounded((count / wall) * 1000),
            cpu_us_per_call: rounded(((cpuMs() - cpu) * 1000) / count),
        };
    },
    async parallel() {
        const count = settings.count || 24;
        const start = performance.now();
        const cpu = cpuMs();
        await Promise.all(
            Array.from({ length: count }, () => client.callTool({ name: 'sleep', arguments: { ms: 500 } })),
        );
        return {
            calls: count,
            ms: rounded(performance.now() - start),
            cpu_us_per_call: rounded(((cpuMs() - cpu) * 1000) / count),
        };
    },
    async flood() {
        const count = settings.count || 100000;
        let inOrder = 0;
        let received = 0;
        let all;
        const done = new Promise((resolve) => (all = resolve));
        client.setNotificationHandler('notifications/message', ({ params }) => {
            if (params.data.seq === inOrder) ++inOrder;
            if (++received === count) all();
        });
        const start = performance.now();
        const cpu = cpuMs();
        await Promise.all([
            client.callTool({ name: 'flood', arguments: { count } }, { timeout: 600_000 }),
            done,
        ]);
        const wall = performance.now() - start;
        return {
            notifications: count,
            stored_in_order: inOrder,
            per_s: rounded((count / wall) * 1000),
            cpu_us_each: rounded(((cpuMs() - cpu) * 1000) / count),
            peak_rss_mb: rounded(process.resourceUsage().maxRSS / 976.6),
        };
    },
    async blob() {
        const base = process.memoryUsage.rss();
        const start = performance.now();
        const cpu = cpuMs();
        const result = await client.callTool(
            { name: 'blob', arguments: { bytes: settings.bytes } },
            { timeout: 600_000 },
        );
        return {
            bytes: result.content[0].text.length,
            ms: rounded(performance.now() - start),
            cpu_ms: rounded(cpuMs() - cpu),
            peak_rss_over_base_mb: rounded((process.resourceUsage().maxRSS * 1024 - base) / 1e6),
        };
    },
    async list() {
        const start = performance.now();
        const cpu = cpuMs();
        const { tools } = await client.listTools(undefined, { timeout: 600_000 });
        return { tools: tools.length, ms: rounded(performance.now() - start), cpu_ms: rounded(cpuMs() - cpu) };
    },
};

const figures = await scenarios[scenario]();
const name = { scenario, transport: values.http ? 'http' : 'stdio', client: 'typescript-sdk' };
console.log(JSON.stringify({ ...name, ...figures }));
await client.close();
server?.stdin.end();
