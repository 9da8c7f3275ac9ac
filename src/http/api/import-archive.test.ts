import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { type TestContext, test } from 'node:test';
import { onEachDatabase, type TestDatabase } from '../../../test/databases.ts';
import { makeAccount } from '../../../test/factories.ts';
import { photo } from '../../../test/images.ts';
import { flatten, type Service, startWithAccount } from '../../../test/service.ts';
import { type ZipFile, zip } from '../../../test/zip.ts';
import { issueApiKey } from '../../api-keys/issue-api-key.ts';
import type { Scope } from '../../api-keys/scopes.ts';

onEachDatabase('importing an archive of pages', (open) => {
  test('an archive’s folders and files become pages, with their images', async (t) => {
    const { service, key, send } = await start(t, open);
    const files = [
      { name: 'index.md', content: '---\ndescription: Bread\n---\n# Welcome\n\n![Bread](images/bread.jpg)\n' },
      { name: 'services/cakes.html', content: '<p>Cakes</p><img src="../images/bread.jpg" alt="">' },
      { name: 'images/bread.jpg', content: await photo(80, 60), isStored: true },
    ];
    const dry = await send(files, 'import[dry_run]=true');
    assert.deepEqual(dry.outcome, [200, { response: true, errors: [], count: 3, pages: [] }]);
    const images = async () => (await service.get('/api/images.json', key)).json.images;
    assert.deepEqual([await service.pages(key), await images()], [[], []]);

    const once = { 'Idempotency-Key': 'archive' };
    const { status, json } = await send(files, '', once);
    assert.deepEqual([status, json.count], [200, 3]);
    const [image, ...others] = await images();
    assert.deepEqual([image.name, others], ['bread.jpg', []]);
    const pages = [...flatten(await service.pages(key))];
    assert.deepEqual(
      pages.map(({ name, url, body, body_format }) => [name, url, body, body_format]),
      [
        ['Home', '/home', `# Welcome\n\n![Bread](${image.src})\n`, 'markdown_format'],
        ['Services', '/services', '', 'markdown_format'],
        ['Cakes', '/services/cakes', `<p>Cakes</p><img src="${image.src}" alt="">`, 'wysiwyg_format'],
      ],
    );
    assert.deepEqual(json.pages[1].children, [{ id: pages[2]!.id, name: 'Cakes', children: [] }]);
    assert.deepEqual((await send(files, '', once)).json, json);
    const again = await send(files);
    const taken = (place: string) => [`${place}.name`, 'has already been taken'];
    assert.deepEqual(again.outcome, [
      422,
      { response: false, errors: ['index.md', 'services/', 'services/cakes.html'].map(taken) },
    ]);
  });

  test('links between the files of an archive are rewritten to the pages', async (t) => {
    const { service, key, send } = await start(t, open);
    const links = [
      'cakes.md',
      './cakes',
      '../about.html#team',
      '/services/',
      'https://a.example/cakes.md',
      '?a=1',
      'none.md',
    ];
    await service.createPage(key, { name: 'About!' });
    await service.createPage(key, { name: 'Shop' });
    const [parent] = await service.pages(key).then((pages) => pages.filter(({ name }) => name === 'Shop'));
    const files = [
      { name: 'services/index.md', content: links.map((link) => `[x](${link})`).join('\n') },
      { name: 'services/cakes.html', content: '<a href="../about.md">x</a> <a href=\'/\'>y</a>' },
      { name: '01-about.md', content: '---\nname: Imprint\nurlname: about\n---\n' },
      { name: 'about.md', content: '[x](01-about.md)' },
      { name: 'index.md', content: '' },
    ];
    assert.equal((await send(files)).status, 200);
    const bodies = async () =>
      new Map([...flatten(await service.pages(key))].map(({ name, body }) => [name, body] as const));
    const texts = await bodies();
    const paths = ['/services/cakes', '/services/cakes', '/about-3#team', '/services', ...links.slice(4)];
    assert.equal(texts.get('Services'), paths.map((path) => `[x](${path})`).join('\n'));
    assert.equal(texts.get('Cakes'), '<a href="/about-3">x</a> <a href=\'/home\'>y</a>');
    assert.equal(texts.get('About'), '[x](/about-2)');
    const below = [{ name: 'a.md', content: '[x](b.md)' }, { name: 'b.md' }];
    assert.equal((await send(below, `import[parent_id]=${parent!.id}`)).status, 200);
    assert.equal((await bodies()).get('A'), '[x](/shop/b)');
  });

  test('an archive with invalid or hostile files is refused with every problem, and nothing is stored', async (t) => {
    const { service, key, send } = await start(t, open);
    const page = { name: 'a.md', content: 'A' };
    for (const [files, errors] of [
      [
        [{ name: '../a.md' }, { name: 'b.md', flags: 1 }, { name: 'c.md', mode: 0o120777 }, page, page],
        [
          ['../a.md', 'has a path that leads elsewhere, or is not UTF-8'],
          ['b.md', 'is encrypted'],
          ['c.md', 'is a link or another special file'],
          ['a.md', 'is in the archive twice, or differs from another file only in upper and lower case'],
        ],
      ],
      [
        [page, { name: 'x.md', content: '0'.repeat(3_000_000) }],
        [['x.md', 'is compressed so much that it could be made to fill memory']],
      ],
      [
        [page, { name: 'a.png', content: 'no image' }],
        [
          [
            'a.png',
            'cannot be shown: The file is not an image that can be shown on the web: JPEG, PNG, WebP, AVIF or GIF.',
          ],
        ],
      ],
      [
        [page, { name: 'a.png', content: '\x89PNG\r\n\x1a\n' }].map((file) => ({
          ...file,
          content: Buffer.from(file.content, 'latin1'),
        })),
        [['a.png', 'cannot be shown: The image is damaged, or is not of the kind that it claims to be.']],
      ],
      [[{ name: 'a.md', content: '---\nhidden: maybe\n---\n' }], [['a.md.hidden', 'is not true or false']]],
    ] as [ZipFile[], string[][]][]) {
      assert.deepEqual((await send(files)).outcome, [422, { response: false, errors }]);
    }
    const noZip = await service.request('POST', '/api/pages/import.json', {
      headers: { 'Content-Type': 'application/zip', Authorization: `Bearer ${key}` },
      body: 'PK',
    });
    assert.deepEqual(noZip.outcome, [
      422,
      { response: false, errors: [['archive', 'is not a ZIP archive that can be read']] },
    ]);
    assert.deepEqual([await service.pages(key), (await service.get('/api/images.json', key)).json.images], [[], []]);
  });

  test('importing an archive needs the scope images:write only if it has images', async (t) => {
    const { db, accountId, userId, send } = await start(t, open);
    const { key } = await db.transaction().execute((trx) => {
      const scopes: Scope[] = ['pages:write'];
      return issueApiKey(trx, accountId, { userId, name: 'Pages', expiresAt: null, scopes });
    });
    const by = { Authorization: `Bearer ${key}` };
    const image = { name: 'a.jpg', content: await photo(8, 6) };
    const refused = await send([{ name: 'a.md' }, image], '', by);
    const sentence = 'This API key is not allowed to do this. It needs the scope images:write.';
    assert.deepEqual(refused.outcome, [403, { response: false, errors: sentence }]);
    assert.equal((await send([{ name: 'a.md' }], '', by)).status, 200);
  });

  test('an account can import only one archive at a time', async (t) => {
    const { service, key, send } = await start(t, open);
    const finish = await beginSending(service, key);
    const second = await send([{ name: 'b.md' }]);
    assert.deepEqual([second.status, second.headers['retry-after']], [429, '30']);
    assert.equal(await finish(), 200);
    assert.equal((await send([{ name: 'b.md' }])).status, 200);
  });

  test('an archive is imported while other accounts are still sending theirs', async (t) => {
    const { service, db, send } = await start(t, open);
    const others = [await makeAccount(db), await makeAccount(db), await makeAccount(db)];
    const finishing = await Promise.all(others.map(({ key }) => beginSending(service, key)));
    assert.equal((await send([{ name: 'b.md' }])).status, 200);
    for (const finish of finishing) assert.equal(await finish(), 200);
  });
});

/** Sends the head of a request with an archive. Returns a function that sends the body and returns the status of the answer. */
async function beginSending({ port }: Service, key: string): Promise<() => Promise<number | undefined>> {
  const body = zip([{ name: 'a.md' }]);
  const upload = request({
    host: '127.0.0.1',
    port,
    method: 'POST',
    path: '/api/pages/import.json',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': 'application/zip',
      'Content-Length': body.length,
      Expect: '100-continue',
    },
  });
  upload.flushHeaders();
  const [first] = await Promise.race([once(upload, 'continue').then(() => []), once(upload, 'response')]);
  assert.equal(first?.statusCode, undefined, 'it is refused before its body is sent');
  return async () => {
    upload.end(body);
    const [{ statusCode }] = await once(upload, 'response');
    return statusCode;
  };
}

async function start(t: TestContext, open: (t: TestContext) => Promise<TestDatabase>) {
  const started = await startWithAccount(t, open);
  const send = (files: readonly ZipFile[], query = '', headers: Record<string, string> = {}) =>
    started.service.request('POST', `/api/pages/import.json${query && `?${query}`}`, {
      headers: { 'Content-Type': 'application/zip', Authorization: `Bearer ${started.key}`, ...headers },
      body: zip(files),
    });
  return { ...started, send };
}
