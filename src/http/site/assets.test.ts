import assert from 'node:assert/strict';
import { test } from 'node:test';
import { themes } from '../../sites/site.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import { assetUrl, findAsset } from './assets.ts';
import { themeDefinitions } from './themes/index.ts';

async function get(path: string): Promise<HttpResponse> {
  const asset = findAsset(path);
  assert.ok(asset, `nothing at ${path}`);
  return asset.answer({ request: { headers: {} } } as RequestContext);
}

function textOf({ body }: HttpResponse): string {
  assert.ok(typeof body === 'string' || Buffer.isBuffer(body));
  return body.toString('latin1');
}

for (const theme of themes) {
  test(`${theme}: the style sheet and its fonts are served with immutable caching`, async () => {
    const answer = await get(assetUrl(`${theme}.css`));
    assert.ok(answer.headers.includes('public, max-age=31536000, immutable'));
    assert.ok(answer.headers.includes('text/css; charset=utf-8'));
    const urls = [...textOf(answer).matchAll(/url\(([^)]*)\)/g)].map(([, url]) => url!);
    assert.ok(urls.every((url) => /^\/-\/[a-z0-9-]+\.[0-9a-f]{12}\.woff2$/.test(url)));
    for (const url of urls) assert.equal(textOf(await get(url)).slice(0, 4), 'wOF2');
  });

  test(`${theme}: at most two fonts are preloaded, and both are in the style sheet`, async () => {
    const { preload } = themeDefinitions[theme];
    assert.ok(preload.length <= 2);
    const css = textOf(await get(assetUrl(`${theme}.css`)));
    for (const name of preload) assert.ok(css.includes(assetUrl(name)), name);
  });
}

test('an asset is found only at its exact path', () => {
  const url = assetUrl('typographic.css');
  for (const path of ['/-/', '/-/typographic.css', url.toUpperCase(), `${url}/`, '/-/../package.json']) {
    assert.equal(findAsset(path), undefined, path);
  }
});
