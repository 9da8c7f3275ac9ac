import { type Attack, filled, get, KIB, MAX_URL_BYTES, MIB, type Request, send, upTo } from './attack.ts';

/** Attacks by strangers, who have neither a key nor a session. */
export const strangers: readonly Attack[] = [
  ...['a&', '&', '%41&', 'a=%41&', 'a=b+', '%'].map((text) => query('/', 'urls: the front page', text)),
  // Other addresses are refused by the same code.
  query('/sign-in', 'urls: /sign-in', 'a&'),
  query('/internal/tls-allowed', 'urls: /internal/tls-allowed', 'domain='),
  query('/api/pages.json', 'urls: the list without a key', '%41&'),
  ...['a&', 'a=%41&'].map((text) => query('/', 'urls: a site', text, true)),
  ...['/', '%41', '..%2f'].flatMap((text) => [
    path(`urls: a path of ${text}`, text),
    path(`urls: a site, a path of ${text}`, text, true),
  ]),
  {
    name: 'urls: an absolute target',
    sizes: upTo(MAX_URL_BYTES),
    make: (size) => get(`http://localhost/${filled('a', size)}`),
  },
  {
    name: 'headers: many',
    sizes: upTo(60 * KIB),
    make: (size) => get('/', { headers: filled('A: b\r\n', size - (size % 6)) }),
  },
  ...['Cookie', 'Accept-Encoding', 'Accept-Language', 'If-None-Match', 'Range', 'X-Forwarded-For', 'Authorization'].map(
    (name) => header(name, '/sign-in'),
  ),
  ...['key', 'Bearer'].map(wrongKey),
  unfinished('unfinished: 1,000 URLs of 256 KB', 1000, 256 * KIB),
  unfinished('unfinished: 600 URLs of 1 MB', 600, MAX_URL_BYTES),
  {
    ...unfinished('unfinished: 1,000 URLs of 256 KB, on connections opened before', 1000, 256 * KIB),
    isSentLater: true,
  },
  {
    name: 'finished: 600 URLs of 1 MB on connections that stay open',
    sizes: [1],
    connections: 600,
    staysOpen: true,
    make: () => ({
      head: () => 'GET /?',
      body: Buffer.from(filled('a&', MAX_URL_BYTES)),
      tail: () => ' HTTP/1.1\r\nHost: localhost\r\n\r\n',
    }),
  },
  {
    name: 'finished: 60 KB of headers, 30 times on each of 200 connections that stay open',
    sizes: [1],
    connections: 200,
    staysOpen: true,
    // Node's parser keeps a header until the next one replaces it.
    make: () => {
      const requests = Array.from({ length: 30 }, (_, count) => {
        const small = 'A: b\r\n'.repeat(29 - count);
        return `GET / HTTP/1.1\r\nHost: localhost\r\n${small}B: ${'b'.repeat(60 * KIB)}\r\n\r\n`;
      });
      return { head: () => '', body: Buffer.from(requests.join('')) };
    },
  },
  unfinishedBodies('unfinished: bodies'),
  { ...unfinishedBodies('unfinished: bodies, on connections opened before'), isSentLater: true },
  ...(['members', 'nested', 'escapes', 'spaces', 'text'] as const).map((kind) => signIn(kind)),
];

const json = { type: 'application/json' };
const own = 'Origin: http://localhost:8080\r\nSec-Fetch-Site: same-origin\r\n';

function query(path: string, name: string, text: string, isSite = false): Attack {
  return {
    name: `${name}, a query of ${text}`,
    sizes: upTo(MAX_URL_BYTES),
    make: (size, { attacker }) => get(`${path}?${filled(text, size)}`, { host: isSite ? attacker.site : 'localhost' }),
  };
}

function path(name: string, text: string, isSite = false): Attack {
  return {
    name,
    sizes: upTo(MAX_URL_BYTES),
    make: (size, { attacker }) => get(`/${filled(text, size)}`, { host: isSite ? attacker.site : 'localhost' }),
  };
}

export function header(name: string, path: string, isSite = false): Attack {
  const value = { Range: 'bytes=0-1,', Cookie: 'a=b; ', 'If-None-Match': '"a", ', 'X-Forwarded-For': '::1, ' }[name];
  return {
    name: `headers: ${name}${isSite ? ' to a site' : ''}`,
    sizes: upTo(60 * KIB),
    make: (size, { attacker }) =>
      get(path, {
        host: isSite ? attacker.site : 'localhost',
        headers: `${name}: ${filled(value ?? 'a;q=0.5, ', size)}\r\n`,
      }),
  };
}

/** Returns an attack that tries a different wrong key with each request. */
function wrongKey(how: string): Attack {
  return {
    name: `keys: wrong ones, as ${how}`,
    sizes: [1],
    connections: 64,
    make: (): Request => ({
      head: (serial) => {
        const key = `fh_${String(serial).padStart(43, 'x')}`;
        const [query, more] = how === 'key' ? [`?api_key=${key}`, ''] : ['', `Authorization: Bearer ${key}\r\n`];
        return `GET /api/account.json${query} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${more}\r\n`;
      },
    }),
  };
}

function unfinished(name: string, connections: number, bytes: number): Attack {
  const body = Buffer.from(filled('a&', bytes));
  return { name, sizes: [1], connections, staysOpen: true, make: () => ({ head: () => 'GET /?', body }) };
}

function unfinishedBodies(name: string): Attack {
  return {
    name,
    sizes: [1],
    connections: 1000,
    staysOpen: true,
    make: () => {
      const { head } = send('POST', '/admin/sign-in', { ...json, body: Buffer.alloc(MIB), headers: own });
      return { head, body: Buffer.from(`{"email":"${'a'.repeat(200 * KIB)}`) };
    },
  };
}

function signIn(kind: keyof typeof hostileJson): Attack {
  return {
    name: `bodies: sign-in, JSON of ${kind}`,
    sizes: upTo(MIB),
    make: (size) => send('POST', '/admin/sign-in', { ...json, headers: own, body: hostileJson[kind](size) }),
  };
}

/** Functions that return JSON of a given size which is unusually expensive to parse. */
export const hostileJson = {
  members: (bytes: number) => {
    const members = Array.from({ length: Math.floor(bytes / 14) }, (_, index) => `"${100_000_000 + index}":1`);
    return Buffer.from(`{${members.join()}}`);
  },
  nested: (bytes: number) => Buffer.from(`${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`),
  escapes: (bytes: number) => Buffer.from(`{"email":"${'\\"'.repeat(bytes / 2)}"}`),
  spaces: (bytes: number) => Buffer.from(`${' '.repeat(bytes - 2)}{}`),
  text: (bytes: number) => Buffer.from(`{"email":"a@example.com","password":"${'é'.repeat(bytes / 2)}"}`),
};
