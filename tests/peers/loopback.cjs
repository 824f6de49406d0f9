// Loaded into a peer with --require: whatever it wants to listen on becomes a free port of 127.0.0.1, told on stderr.
// SPDX-License-Identifier: Apache-2.0
'use strict';
const net = require('node:net');

const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (...args) {
    const callback = args.find((arg) => typeof arg === 'function');
    this.once('listening', () => console.error(`loopback port ${this.address().port}`));
    return listen.call(this, { port: 0, host: '127.0.0.1' }, callback);
};
