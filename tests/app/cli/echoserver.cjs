// A server that says back whatever it was told, in every spelling, and something else each time it is started.
// usage: node echoserver.cjs [--http] [ANYTHING…]
// SPDX-License-Identifier: Apache-2.0
'use strict';
const http = require('node:http');

const overHttp = process.argv[2] === '--http';
const turn = `${process.pid}-${Date.now()}`;

const hexadecimal = (unit) => unit.charCodeAt(0).toString(16).padStart(4, '0');

// JSON as the libraries of Go, .NET and PHP write it, and as one may that escapes all there is within strings.
const libraries = [
    (json) => json.replace(/[&<>]/g, (unit) => `\\u${hexadecimal(unit)}`),
    (json) => json.replace(/\\"/g, '\\u0022').replace(/[&<>+'`\u0080-\uffff]/g,
        (unit) => `\\u${hexadecimal(unit).toUpperCase()}`),
    (json) => json.replace(/\//g, '\\/').replace(/[\u0080-\uffff]/g, (unit) => `\\u${hexadecimal(unit)}`),
    (json) => json.replace(/"(?:[^"\\]|\\.)*"/g,
        (word) => `"${JSON.parse(word).split('').map((unit) => `\\u${hexadecimal(unit)}`).join('')}"`),
];

function inEverySpelling(text) {
    const base64 = ['', 'x', 'xx'].map((before) => Buffer.from(`${before}${text} tail`).toString('base64'));
    const escaped = libraries.map((library) => library(JSON.stringify({ text })));
    const percent = encodeURIComponent(text);
    return [
        text, percent, percent.replace(/%(..)/g, (code, digits, at) => (at % 2 ? code.toLowerCase() : code)),
        encodeURIComponent(percent), JSON.stringify(text), JSON.stringify({ text }), ...escaped,
        ...base64, ...base64.map(encodeURIComponent), encodeURIComponent(escaped[0]),
    ];
}

function answer(message, heard) {
    const said = [...heard, ...Object.values(message.params?.arguments ?? {})].flatMap(inEverySpelling).map((text) => `${text} ${turn}`);
    const all = said.join(' ');
    const schema = { type: 'object', properties: { text: { type: 'string' }, pin: { type: 'string', format: 'password' } } };
    const annotations = { readOnlyHint: true };
    switch (message.method) {
        case 'initialize':
            return {
                result: {
                    protocolVersion: '2025-11-25',
                    capabilities: { tools: {}, logging: {} },
                    serverInfo: { name: 'echo', version: turn },
                    instructions: all,
                },
            };
        case 'tools/list':
            return {
                result: {
                    tools: ['echo', 'break'].map((name) => ({
                        name, description: all, inputSchema: schema, annotations,
                    })),
                },
            };
        case 'tools/call':
            if (message.params.name === 'break')
                return { error: { code: -32000, message: all, data: { turn, said } } };
            return {
                result: {
                    content: [{ type: 'text', text: all }, { type: 'text', text: JSON.stringify({ turn, heard }) }],
                    structuredContent: { turn, said },
                },
            };
        default:
            return { error: { code: -32601, message: all } };
    }
}

function handle(message, heard, send) {
    if (message.method === undefined || message.id === undefined)
        return;
    if (message.method === 'tools/call')
        for (const library of [String, ...libraries])
            send({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: heard } }, library);
    send({ jsonrpc: '2.0', id: message.id, ...answer(message, heard) });
}

if (overHttp) {
    const server = http.createServer((request, response) => {
        let body = '';
        request.on('data', (piece) => { body += piece; });
        request.on('end', () => {
            const message = request.method === 'POST' ? JSON.parse(body) : {};
            if (request.method !== 'POST' || message.id === undefined) {
                response.writeHead(request.method === 'GET' ? 405 : 202).end();
                return;
            }
            const authorization = request.headers.authorization ?? '';
            const credentials = authorization.startsWith('Basic ') ?
                Buffer.from(authorization.slice(6), 'base64').toString() : '';
            const heard = [...request.rawHeaders, decodeURIComponent(request.url), credentials];
            response.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Heard': encodeURIComponent(heard.join()) });
            handle(message, heard, (sent, library = String) => response.write(`data: ${library(JSON.stringify(sent))}\n\n`));
            response.end();
        });
    });
    server.listen(0, '127.0.0.1', () => console.error(`loopback port ${server.address().port}`));
} else {
    const heard = [...process.argv.slice(2), ...Object.values(process.env)];
    console.error(heard.flatMap(inEverySpelling).join(' '));
    let rest = '';
    process.stdin.on('data', (piece) => {
        const lines = (rest + piece).split('\n');
        rest = lines.pop();
        for (const line of lines.filter((each) => each !== ''))
            handle(JSON.parse(line), heard, (sent, library = String) => process.stdout.write(`${library(JSON.stringify(sent))}\n`));
    });
}
