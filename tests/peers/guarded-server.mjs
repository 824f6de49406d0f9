// An MCP server guarded by oidc-provider, both on one port of this computer. Prints its address when it is ready, then each token that it is shown.
// A line on its standard input makes it refuse the tokens that it was shown so far, which it confirms with "refused".
// usage: node guarded-server.mjs
// SPDX-License-Identifier: Apache-2.0
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const shown = new Set();
const refused = new Set();
process.stdin.on('data', () => {
  shown.forEach((token) => refused.add(token));
  console.log('refused');
});

const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const origin = `http://127.0.0.1:${server.address().port}`;
  const resource = `${origin}/mcp`;
  const provider = new Provider(origin, {
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'notes:read notes:write', audience: resource, accessTokenFormat: 'opaque',
        }),
      },
    },
    ttl: { AccessToken: 3600 },
    scopes: ['openid', 'offline_access', 'notes:read', 'notes:write'],
    pkce: { required: () => true },
    rotateRefreshToken: () => true,
    issueRefreshToken: async (ctx, client) => client.grantTypeAllowed('refresh_token'),
    cookies: { keys: ['a key of the tests'] },
    findAccount: (ctx, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
  });
  const handle = provider.callback();
  server.on('request', async (request, response) => {
    const send = (status, headers, body) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(body === undefined ? '' : JSON.stringify(body));
    };
    if (request.url === '/.well-known/oauth-protected-resource/mcp')
      return send(200, {}, { resource, authorization_servers: [origin], scopes_supported: ['notes:read'] });
    if (request.url !== '/mcp')
      return handle(request, response);
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
    const known = token && await provider.AccessToken.find(token);
    if (token) {
      shown.add(token);
      console.log(token);
    }
    if (!known || refused.has(token) || known.isExpired || !known.aud?.includes(resource))
      return send(401, { 'www-authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"` });
    if (request.method !== 'POST')
      return send(405, {});
    let text = '';
    for await (const chunk of request)
      text += chunk;
    const message = JSON.parse(text);
    const tools = [
      { name: 'who-am-i', description: 'Says who is signed in', inputSchema: { type: 'object' } },
      { name: 'write-note', description: 'Needs notes:write', inputSchema: { type: 'object' } },
    ];
    if (message.params?.name === 'write-note' && !known.scope.split(' ').includes('notes:write'))
      return send(403, { 'www-authenticate': 'Bearer error="insufficient_scope", scope="notes:write", error_description="Notes are read-only"' });
    const results = {
      'initialize': { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'guarded', version: '1' } },
      'tools/list': { tools },
      'tools/call': { content: [{ type: 'text', text: `${known.accountId} may ${known.scope}` }] },
    };
    const result = results[message.method];
    if (message.id === undefined)
      return send(202, {});
    return send(200, {}, { jsonrpc: '2.0', id: message.id,
      ...(result ? { result } : { error: { code: -32601, message: 'Method not found' } }) });
  });
  console.log(resource);
});
