import { deflateSync } from 'node:zlib';
import { pngChunk, pngHeader } from '../../test/images.ts';
import {
  type Attack,
  get,
  KIB,
  MAX_BODY_BYTES,
  MIB,
  ofPerson,
  type Request,
  send,
  type Target,
  upTo,
} from './attack.ts';
import { hostileBodies } from './bodies.ts';
import { sendOnce } from './client.ts';
import { hostileJson } from './strangers.ts';

const routes = ['POST /admin/pages', 'PATCH /admin/settings', 'POST /admin/preview', 'PUT /admin/pages/1/draft'];

/** Attacks by a signed-in person. */
export const byPerson: readonly Attack[] = [
  ...routes.flatMap((route) =>
    Object.entries(hostileJson).map(([kind, make]): Attack => {
      const [method, path] = route.split(' ') as [string, string];
      return {
        name: `person: ${route}, JSON of ${kind}`,
        sizes: upTo(MAX_BODY_BYTES - KIB),
        make: (size, target) =>
          send(method, path, { type: 'application/json', headers: ofPerson(target), body: make(size) }),
      };
    }),
  ),
  {
    name: 'person: drafts of 16 MB',
    sizes: upTo(16 * MIB - KIB),
    isFirst: true,
    make: async (size, target) => {
      const id = await createPage(target);
      const value = { fields: { body: 'a\n'.repeat(size / 3) }, basedOn: 1, draftAt: null };
      return sendJson('PUT', `/admin/pages/${id}/draft`, value, target);
    },
  },
  {
    name: 'person: changes of a page of 16 MB',
    sizes: upTo(16 * MIB - KIB),
    make: async (size, target) => {
      const id = await createPage(target);
      const body = Buffer.from(`${JSON.stringify({ body: 'a\n'.repeat(size / 3) }).slice(0, -2)}`);
      const headers = `${ofPerson(target)}If-Match: *\r\n`;
      const tail = (serial: number) => `${String(serial).padStart(12)}"}`;
      return send('PATCH', `/admin/pages/${id}`, { type: 'application/json', headers, body, tail });
    },
  },
  {
    name: 'person: GET of a page of up to 16 MB with a draft of the same size',
    sizes: upTo(16 * MIB - KIB),
    make: async (size, target) => {
      const id = await createPage(target, 'a\n'.repeat(size / 3));
      const value = { fields: { body: 'b\n'.repeat(size / 3) }, basedOn: 1, draftAt: null };
      const { status } = await sendOnce(target.port, sendJson('PUT', `/admin/pages/${id}/draft`, value, target));
      if (status !== 200) throw new Error(`A draft was not saved: ${status}`);
      return get(`/admin/pages/${id}`, { headers: ofPerson(target) });
    },
  },
  {
    name: 'person: POST /admin/site-preview, a form',
    sizes: upTo(MAX_BODY_BYTES),
    make: (size, target) =>
      send('POST', '/admin/site-preview', {
        type: 'application/x-www-form-urlencoded',
        headers: ofPerson(target),
        body: Buffer.from('a&'.repeat(size / 2)),
      }),
  },
  ...hostileBodies.map(
    ({ name, format, make }): Attack => ({
      name: `previews: ${name}`,
      sizes: upTo(MIB),
      make: (size, target) => {
        const body = Buffer.from(JSON.stringify({ bodyFormat: format, body: make(size) }).slice(0, -2));
        // Every text must differ, since rendered texts are cached.
        const tail = (serial: number) => `${String(serial).padStart(12)}"}`;
        return send('POST', '/admin/preview', { type: 'application/json', headers: ofPerson(target), body, tail });
      },
    }),
  ),
  {
    name: 'previews: the largest, 60 at once',
    sizes: [MAX_BODY_BYTES - KIB],
    connections: 60,
    isHeap: true,
    make: (size, target) =>
      send('POST', '/admin/preview', {
        type: 'application/json',
        headers: ofPerson(target),
        body: Buffer.from(JSON.stringify({ body: '<p>Text.'.repeat(size / 8 - 10), bodyFormat: 'wysiwyg_format' })),
      }),
  },
  ...(
    [
      [1, 64_000_000],
      [8000, 8000],
      [3000, 4000],
      [40_000, 25_000],
    ] as const
  ).map(
    ([width, height]): Attack => ({
      name: `uploads: a PNG of ${width} × ${height} pixels`,
      sizes: [1],
      connections: 6,
      isHeap: true,
      make: (_, target) => {
        const body = png(width, height);
        return send('POST', '/admin/media?name=attack.png', {
          type: 'application/octet-stream',
          headers: ofPerson(target),
          body,
          // Every image must differ, since known images are not processed again.
          tail: (serial) => String(serial).padStart(12),
        });
      },
    }),
  ),
];

function sendJson(method: string, path: string, value: object, target: Target): Request {
  const body = Buffer.from(JSON.stringify(value));
  return send(method, path, { type: 'application/json', headers: ofPerson(target), body });
}

let pages = 0;

/** Creates a page in the attacker's account and returns its id. */
async function createPage(target: Target, body = ''): Promise<number> {
  pages += 1;
  const response = await fetch(`http://localhost:${target.port}/admin/pages`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Sec-Fetch-Site': 'same-origin',
      Cookie: `session=${target.attacker.cookie}`,
    },
    body: JSON.stringify({ name: `Changed ${pages}`, body }),
  });
  if (response.status !== 201) throw new Error(`A page was not created: ${response.status}`);
  return ((await response.json()) as { id: number }).id;
}

/** Returns a PNG of one bit per pixel. Above a hundred million pixels, its header claims a size without data. */
function png(width: number, height: number): Buffer {
  const rows = width * height > 100_000_000 ? 1 : height;
  const data = deflateSync(Buffer.alloc(rows * (Math.ceil(width / 8) + 1)));
  return Buffer.concat([
    pngHeader(width, height, { depth: 1, type: 0 }),
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}
