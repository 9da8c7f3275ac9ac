import { type Attack, get, MIB, type Request, send, type Target, upTo } from './attack.ts';
import { hostileBodies } from './bodies.ts';
import { sendOnce } from './client.ts';
import { header } from './strangers.ts';

/** Attacks by visitors of sites, some of which have pages that are costly to render. */
export const byVisitor: readonly Attack[] = [
  ...hostileBodies.map(
    ({ name, format, make }): Attack => ({
      name: `pages: ${name}`,
      sizes: upTo(2 * MIB),
      isFirst: true,
      make: async (size, target) => pageOf(target, { body: make(size), body_format: format }),
    }),
  ),
  ...['/', '/feed.xml', '/sitemap.xml'].map(
    (path): Attack => ({
      name: `pages: ${path} with descriptions of up to 15 MB`,
      sizes: upTo(15 * MIB),
      isFirst: true,
      make: async (size, target) => {
        await pageOf(target, { description: 'Words of it. '.repeat(size / 13) });
        return get(path, { host: target.attacker.site });
      },
    }),
  ),
  {
    name: 'pages: parts that a page of up to 15 MB does not have',
    sizes: upTo(15 * MIB),
    make: async (size, target): Promise<Request> => {
      const path = await createPage(target, { body: 'Words of it. '.repeat(size / 13) });
      return {
        head: (serial) =>
          `GET ${path}?page=${serial + 2} HTTP/1.1\r\nHost: ${target.attacker.site}\r\nConnection: close\r\n\r\n`,
      };
    },
  },
  {
    name: 'pages: that are not there',
    sizes: [1],
    connections: 64,
    make: (_, { attacker }): Request => ({
      head: (serial) => `GET /none/of/these/${serial} HTTP/1.1\r\nHost: ${attacker.site}\r\nConnection: close\r\n\r\n`,
    }),
  },
  ...['Range', 'Accept-Encoding', 'Accept-Language', 'If-None-Match', 'Cookie'].map((name) => header(name, '/', true)),
];

let pages = 0;

/** Creates a page in the attacker's account and returns the request for it. */
async function pageOf(target: Target, fields: Record<string, string>): Promise<Request> {
  return get(await createPage(target, fields), {
    host: target.attacker.site,
    headers: 'Accept-Encoding: br\r\n',
  });
}

/** Creates a page in the attacker's account and returns its path. */
async function createPage({ port, attacker }: Target, fields: Record<string, string>): Promise<string> {
  pages += 1;
  const page = { name: `Hostile ${process.pid} ${pages}`, ...fields };
  const creation = send('POST', `/api/pages.json?api_key=${attacker.key}`, {
    type: 'application/json',
    body: Buffer.from(JSON.stringify({ page })),
  });
  const { status } = await sendOnce(port, creation);
  // Requests for a page that does not exist would measure nothing.
  if (status !== 200) throw new Error(`A page was not created: ${status}`);
  return `/hostile-${process.pid}-${pages}`;
}
