// Checks every message that Sonde sent in the tests against the official schema of its connection's revision.
//   node checkmessages.mjs SCHEMAS FOLDER
// SCHEMAS holds REVISION.schema.json, FOLDER what tests/support/messagelog.cpp has written. The revision is read from
// the messages themselves, never from what Sonde believes. A message must match the definition of its own method, and
// a response that of the request it responds to.
// SPDX-License-Identifier: Apache-2.0
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const versionKey = 'io.modelcontextprotocol/protocolVersion';
const resultTypes = {
    'ping': 'EmptyResult',
    'roots/list': 'ListRootsResult',
    'sampling/createMessage': 'CreateMessageResult',
    'elicitation/create': 'ElicitResult',
};
// Methods of extensions, which the schema of a revision does not have. Only their envelope can be checked.
const extensions = {
    '2025-11-25': /^skills\/list$/,
    '2026-07-28': /^(skills\/list|tasks\/(get|update|cancel))$/,
};

class Revision {
    constructor(folder, name) {
        this.name = name;
        // Where the source says number, the published schemas say integer.
        const schema = JSON.parse(readFileSync(join(folder, `${name}.schema.json`), 'utf8'), (key, value) =>
            key === 'type' && String(value) === 'string,integer,boolean' ? ['string', 'number', 'boolean'] : value);
        this.keyword = schema.$defs ? '$defs' : 'definitions';
        this.definitions = schema[this.keyword];
        this.ajv = new (schema.$defs ? Ajv2020 : Ajv)({ strict: false });
        addFormats(this.ajv);
        this.ajv.addSchema(schema, 'mcp');
        this.methods = new Map();
        for (const union of ['ClientRequest', 'ClientNotification']) {
            const types = this.definitions[union].anyOf?.map(({ $ref }) => $ref.split('/').at(-1)) ?? [union];
            for (const type of types)
                this.methods.set(this.definitions[type].properties.method.const, type);
        }
    }

    // What is wrong with the value as one of this type; the type may have another name in other revisions.
    problem(value, ...types) {
        const type = types.find((each) => each in this.definitions);
        if (!type)
            return `revision ${this.name} has no ${types[0]}`;
        const validate = this.ajv.getSchema(`mcp#/${this.keyword}/${type}`);
        return validate(value) ? '' : `${type}: ${this.ajv.errorsText(validate.errors, { dataVar: 'message' })}`;
    }
}

class Conversation {
    revision = '2025-11-25';   // until one is agreed
    isAgreed = false;
    initializing = new Map();  // the ID of our initialize
    requests = new Map();      // of the server: ID -> method
    inputs = new Map();        // asked for in results: key -> methods

    agree(revision) {
        this.revision = revision;
        this.isAgreed = true;
    }

    receive(message) {
        if (Array.isArray(message))
            return message.forEach((each) => this.receive(each));
        const id = JSON.stringify(message?.id);
        if (message?.method)
            this.requests.set(id, message.method);
        if (this.initializing.has(id) && revisions.has(message.result?.protocolVersion))
            this.agree(message.result.protocolVersion);
        for (const [key, request] of Object.entries(message?.result?.inputRequests ?? {}))
            this.inputs.set(key, [...this.inputs.get(key) ?? [], request?.method]);
    }

    // The problem with a message that Sonde sent, or an empty text.
    send(message) {
        if (Array.isArray(message)) {
            if (!this.isAgreed)
                this.revision = '2025-03-26';  // no other has batches
            if (this.revision !== '2025-03-26')
                return 'a batch';
            return message.map((each) => this.send(each)).find((problem) => problem) ?? '';
        }
        if (message?.method === 'initialize') {
            this.initializing.set(JSON.stringify(message.id), true);
            this.agree(message.params?.protocolVersion);
        } else if (message?.params?._meta?.[versionKey]) {
            this.agree(message.params._meta[versionKey]);
        }
        const revision = revisions.get(this.revision);
        if (!revision)
            return `unknown revision ${this.revision}`;
        return message.method === undefined ? this.response(revision, message) : this.request(revision, message);
    }

    request(revision, message) {
        const envelope = revision.problem(message, 'id' in message ? 'JSONRPCRequest' : 'JSONRPCNotification');
        if (envelope)
            return envelope;
        const type = revision.methods.get(message.method);
        if (!type) {
            if (!extensions[revision.name]?.test(message.method))
                return `revision ${revision.name} has no such method`;
            return revision.problem(message.params ?? {}, 'RequestParams');
        }
        return revision.problem(message, type) || this.inputResponses(revision, message.params?.inputResponses ?? {});
    }

    response(revision, message) {
        const method = this.requests.get(JSON.stringify(message.id));
        if (!method)
            return 'a response to no request';
        if ('error' in message)
            return revision.problem(message, 'JSONRPCErrorResponse', 'JSONRPCError');
        return revision.problem(message, 'JSONRPCResultResponse', 'JSONRPCResponse') ||
            this.result(revision, method, message.result);
    }

    result(revision, method, result) {
        return resultTypes[method] ? revision.problem(result, resultTypes[method]) : `a result for ${method}`;
    }

    inputResponses(revision, responses) {
        for (const [key, result] of Object.entries(responses)) {
            const problems = (this.inputs.get(key) ?? []).map((method) => this.result(revision, method, result));
            if (problems.length === 0)
                return `an input response that was not asked for: ${key}`;
            if (!problems.includes(''))
                return `input response ${key}: ${problems[0]}`;
        }
        return '';
    }
}

const [schemas, folder] = process.argv.slice(2);
const revisions = new Map(readdirSync(schemas).filter((name) => name.endsWith('.schema.json'))
    .map((name) => basename(name, '.schema.json')).sort().map((name) => [name, new Revision(schemas, name)]));

const counts = new Map();
const complaints = new Map();
const count = (key) => counts.set(key, (counts.get(key) ?? 0) + 1);

function look(conversation, { direction, test, exempt }, bytes) {
    let message;
    try {
        message = JSON.parse(bytes);
    } catch (error) {
        message = error;
    }
    if (direction === 'in')
        return message instanceof Error || conversation.receive(message);
    const problem = message instanceof Error ? 'not JSON' : conversation.send(message);
    if (exempt)
        return count(`exempt, of which ${problem ? 'wrong' : 'right'}`);
    if (!problem)
        return count(conversation.revision);
    count('wrong');
    const key = `${test}: ${message.method ?? 'response'}: ${problem}`;
    const complaint = complaints.get(key) ?? { times: 0, sample: bytes.toString().slice(0, 500) };
    complaint.times += 1;
    complaints.set(key, complaint);
}

for (const name of readdirSync(folder)) {
    const log = readFileSync(join(folder, name));
    const conversations = new Map();
    for (let at = 0; at < log.length;) {
        const end = log.indexOf('\n', at);
        const [words, exempt] = log.toString('utf8', at, end).split('\t');
        const [direction, transport, length, test] = words.split(' ');
        if (!conversations.has(transport))
            conversations.set(transport, new Conversation());
        at = end + 1 + Number(length);
        look(conversations.get(transport), { direction, test, exempt }, log.subarray(end + 1, at));
        at += 1;
    }
}

for (const [what, { times, sample }] of complaints)
    console.log(`${what} (${times} times)\n    ${sample}`);
console.log('Messages checked: ' + [...counts].sort().map(([what, times]) => `${times} ${what}`).join(', '));
process.exitCode = complaints.size > 0 ? 1 : 0;
