// A browser with a person in it who signs in and agrees: follows redirects, keeps cookies, sends the forms of
// oidc-provider's own pages. Ends when it has been sent back.
// usage: node browser.mjs URL NAME
// SPDX-License-Identifier: Apache-2.0
const [, , start, name] = process.argv;
const cookies = new Map();
let url = start;
let form;
for (let step = 0; step < 20; ++step) {
  const response = await fetch(url, {
    method: form ? 'POST' : 'GET', body: form, redirect: 'manual',
    headers: { cookie: [...cookies].map(([key, value]) => `${key}=${value}`).join('; ') },
  });
  form = undefined;
  for (const line of response.headers.getSetCookie()) {
    const [, key, value] = /^([^=]+)=([^;]*)/.exec(line);
    cookies.set(key, value);
  }
  const page = await response.text();
  const location = response.headers.get('location');
  if (location) {
    url = new URL(location, url).href;
    continue;
  }
  const action = /<form[^>]+action="([^"]+)"/.exec(page)?.[1];
  if (!action) {
    console.log(response.status, page.replace(/<[^>]*>/g, ' ').trim());
    process.exit(response.status === 200 ? 0 : 1);
  }
  const prompt = /name="prompt"[^>]*value="([^"]+)"/.exec(page)?.[1];
  url = new URL(action, url).href;
  form = new URLSearchParams(prompt === 'login' ? { prompt, login: name, password: 'any' } : { prompt });
}
console.error('sent around too often');
process.exit(1);
