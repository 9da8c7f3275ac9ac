import { Readable } from 'node:stream';
import { brandImage } from '../../brands/brand-image.ts';
import { findBrandImage } from '../../brands/find-brand-image.ts';
import type { Db } from '../../db/database.ts';
import { fileResponse } from '../media-file.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';

const PATH = /^\/-\/brand\/([0-9a-z-]{1,60})\.png$/;

/** The headers allow other origins to embed the images: webmail shows them in messages. */
const HEADERS = [
  'Cache-Control',
  'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy',
  'cross-origin',
];

/** Returns the handler for brands' logos and icons, which are public. */
export function brandImageHandler(db: Db): (ctx: RequestContext) => Promise<HttpResponse> | undefined {
  return (ctx) => {
    const { method } = ctx.request;
    const name = PATH.exec(ctx.path)?.[1];
    if (name === undefined || !brandImage(name) || (method !== 'GET' && method !== 'HEAD')) return undefined;
    ctx.route = 'brand-image';
    return answer(db, ctx, name);
  };
}

async function answer(db: Db, ctx: RequestContext, name: string): Promise<HttpResponse> {
  const png = await findBrandImage(db, name);
  const file = png && { name, bytes: png.length, type: 'image/png', open: async () => Readable.from([png]) };
  return (file && (await fileResponse(ctx, file, HEADERS))) ?? missing;
}

const missing: HttpResponse = {
  status: 404,
  headers: ['Content-Type', 'text/plain; charset=utf-8', 'Content-Length', '0', 'Cache-Control', 'no-store'],
  body: '',
};
