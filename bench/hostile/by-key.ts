import { type Attack, filled, KIB, MAX_BODY_BYTES, MAX_URL_BYTES, MIB, send, type Target, upTo } from './attack.ts';
import { hostileJson } from './strangers.ts';

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

/** Characters of one, two and four bytes, and one that JSON writes as two. */
const texts = { letters: 'a', umlauts: 'ä', emoji: '😀', 'line ends': '\n' };

/** Attacks by a program with the key of one account. */
export const byKey: readonly Attack[] = [
  ...['a&', '&', '%41&', 'page%5Bbody%5D=&', 'page[body]=%41', 'page[x', '+'].map(
    (text): Attack => ({
      name: `key: POST pages.json, a URL of ${text}`,
      sizes: upTo(MAX_URL_BYTES),
      make: (size, target) =>
        send('POST', `${creation(target)}&${filled(text, size - 200)}`, { type: FORM, body: Buffer.alloc(0) }),
    }),
  ),
  ...Object.entries(hostileJson).map(
    ([kind, make]): Attack => ({
      name: `key: POST /mcp, JSON of ${kind}`,
      sizes: upTo(MAX_BODY_BYTES - KIB),
      make: (size, { attacker }) => {
        const start =
          '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_page","arguments":{},"_meta":';
        const body = Buffer.concat([Buffer.from(start), make(size), Buffer.from('}}')]);
        const headers = `Authorization: Bearer ${attacker.key}\r\nAccept: application/json, text/event-stream\r\n`;
        return send('POST', '/mcp', { type: JSON_TYPE, body, headers });
      },
    }),
  ),
  ...Object.entries(hostileJson).map(
    ([kind, make]): Attack => ({
      name: `key: POST pages.json, JSON of ${kind}`,
      sizes: upTo(MAX_BODY_BYTES - KIB),
      make: (size, target) => send('POST', creation(target), { type: JSON_TYPE, body: make(size) }),
    }),
  ),
  ...['a&', '&', '%41&', 'page%5Bbody%5D=%41', '%'].map(
    (text): Attack => ({
      name: `key: POST pages.json, a form of ${text}`,
      sizes: upTo(MAX_BODY_BYTES),
      make: (size, target) => send('POST', creation(target), { type: FORM, body: Buffer.from(filled(text, size)) }),
    }),
  ),
  ...['\r\nContent-Disposition: form-data; name="a"\r\n\r\n', '\r\n', '', '-'].map(
    (text): Attack => ({
      name: `key: POST pages.json, multipart of ${JSON.stringify(text.slice(0, 24))}`,
      sizes: upTo(MAX_BODY_BYTES),
      make: (size, target) =>
        send('POST', creation(target), {
          type: 'multipart/form-data; boundary=b',
          body: Buffer.from(`${filled(`\r\n--b${text}`, size - 8).slice(2)}\r\n--b--`),
        }),
    }),
  ),
  ...Object.entries(texts).map(
    ([kind, text]): Attack => ({
      name: `key: a page of 16 MB of ${kind}`,
      sizes: upTo(16 * MIB - KIB),
      make: (size, target) =>
        send('POST', creation(target), {
          type: JSON_TYPE,
          body: Buffer.from(
            JSON.stringify({
              page: { body: text.repeat(size / Buffer.byteLength(JSON.stringify(text).slice(1, -1))) },
            }),
          ),
        }),
    }),
  ),
  {
    name: 'key: 300 URLs of 1 MB at once',
    sizes: [MAX_URL_BYTES],
    connections: 300,
    staysOpen: true,
    make: (size, target) => ({
      head: () => `POST /api/pages.json?api_key=${target.attacker.key}&page%5Bname%5D=a&page%5Bbody%5D=`,
      body: Buffer.from(filled('a', size - 200)),
      tail: () => ' HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n',
    }),
  },
  {
    name: 'key: pages of up to 16 MB on 64 connections',
    sizes: [4 * MIB, 8 * MIB, 16 * MIB - KIB],
    connections: 64,
    isHeap: true,
    make: (size, target) =>
      send('POST', `${creation(target)}`, {
        type: JSON_TYPE,
        body: Buffer.from(JSON.stringify({ page: { body: filled('<p>Some text.</p>', size) } })),
      }),
  },
];

/** Returns the path that creates a page, with its name in the query. */
function creation({ attacker }: Target): string {
  return `/api/pages.json?api_key=${attacker.key}&page%5Bname%5D=${encodeURIComponent(`Attack ${Math.random()} `)}{serial}`;
}
