import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isGhostExport } from './ghost-export.ts';
import { readGhostExport } from './read-ghost-export.ts';
import { sitePages } from './site-pages.ts';

const post = (more: Readonly<Record<string, unknown>>) => ({
  type: 'post',
  status: 'published',
  visibility: 'public',
  html: '<p>Text</p>',
  feature_image: null,
  published_at: '2021-03-24T04:34:10.000Z',
  custom_excerpt: null,
  ...more,
});

const exportOf = (...posts: readonly unknown[]) => ({
  db: [{ meta: { version: '5.0.0' }, data: { posts, tags: [] } }],
});

function convert(...posts: readonly unknown[]) {
  return sitePages(readGhostExport(exportOf(...posts), 'https://old.example/'), { blogName: 'Blog' });
}

describe('a Ghost export', () => {
  test('a Ghost export becomes pages, with its posts below a page of their own', () => {
    const { pages, notes } = convert(
      post({ title: 'Old <1>', slug: 'old', published_at: 1_500_000_000_000, custom_excerpt: 'Long & ago' }),
      post({ title: 'New', slug: 'new_über' }),
      post({ title: 'About', slug: 'about', type: 'page' }),
      post({ title: 'Imprint', slug: 'imprint', page: 1, type: undefined }),
      post({ title: 'Idea', slug: 'idea', status: 'draft', html: null, published_at: null }),
      post({ title: 'Club', slug: 'club', visibility: 'members' }),
      post({ title: 'Letter', slug: 'letter', status: 'sent' }),
    );
    assert.deepEqual(
      pages.map(({ parent, name, urlname, status, formerPaths }) => [parent, name, urlname, status, ...formerPaths]),
      [
        [undefined, 'About', 'about', 'published', '/about'],
        [undefined, 'Imprint', 'imprint', 'published', '/imprint'],
        [undefined, 'Blog', 'blog', 'published'],
        [2, 'Idea', 'idea', 'unpublished'],
        [2, 'New', 'new-uber', 'published', '/new_über'],
        [2, 'Club', 'club', 'unpublished'],
        [2, 'Letter', 'letter', 'unpublished'],
        [2, 'Old <1>', 'old', 'published', '/old'],
      ],
    );
    assert.deepEqual([pages[7]!.description, pages[7]!.date], ['Long & ago', 1_500_000_000_000]);
    assert.deepEqual(notes, [
      { code: 'no_html', value: '', page: 'Idea', count: 1 },
      { code: 'members_only', value: '', page: 'Club', count: 1 },
    ]);
  });

  test('the links of Ghost’s bookmarks and files are kept, and the controls of its players removed', () => {
    const html = `<figure class="kg-card kg-bookmark-card"><a class="kg-bookmark-container" href="https://bread.example/rye"><div class="kg-bookmark-content"><div class="kg-bookmark-title">Rye &amp; more</div><div class="kg-bookmark-description">All about rye.</div><div class="kg-bookmark-metadata"><img class="kg-bookmark-icon" src="https://bread.example/icon.png"><span class="kg-bookmark-publisher">Bread</span></div></div><div class="kg-bookmark-thumbnail"><img src="https://bread.example/rye.jpg"></div></a><figcaption>Read it</figcaption></figure>
<div class="kg-card kg-file-card"><a class="kg-file-card-container" href="__GHOST_URL__/content/files/menu.pdf"><div class="kg-file-card-contents"><div class="kg-file-card-title">The menu</div><div class="kg-file-card-caption"></div><div class="kg-file-card-metadata"><div class="kg-file-card-filename">menu.pdf</div></div></div></a></div>
<div class="kg-card kg-audio-card"><img src="" alt="audio-thumbnail" class="kg-audio-thumbnail kg-audio-hide"><div class="kg-audio-player-container"><audio src="__GHOST_URL__/content/media/bell.mp3"></audio><div class="kg-audio-title">Bell</div><div class="kg-audio-player"><span class="kg-audio-current-time">0:00</span></div></div></div>
<figure class="kg-card kg-video-card"><div class="kg-video-container"><video src="__GHOST_URL__/content/media/oven.mp4"></video><div class="kg-video-overlay"><button>Play</button></div><div class="kg-video-player-container">0:00</div></div></figure>`;
    const { pages, images } = convert(post({ title: 'Cards', slug: 'cards', html }));
    const link = (address: string, text = address) => `<a href="${address}">${text}</a>`;
    assert.equal(
      pages.find(({ name }) => name === 'Cards')!.body,
      [
        `<p>${link('https://bread.example/rye', 'Rye &amp; more')}<br>\nAll about rye.</p>`,
        '<p>Read it</p>',
        `<p>${link('https://old.example/content/files/menu.pdf', 'The menu')}</p>`,
        `<p>${link('https://old.example/content/media/bell.mp3')}</p>`,
        '<p>Bell</p>',
        `<p>${link('https://old.example/content/media/oven.mp4')}</p>`,
      ].join('\n'),
    );
    assert.deepEqual(images, []);
  });

  test('the links, images, galleries and cards of Ghost become HTML that the editors know', () => {
    const html = `<p><a href="__GHOST_URL__/about/#team">Us</a></p><!--kg-card-begin: html--><hr><!--kg-card-end: html-->
<figure class="kg-card kg-image-card kg-width-wide"><img src="__GHOST_URL__/content/images/size/w600/2021/a.jpg" class="kg-image" alt="A" srcset="x 2x"><figcaption>Rye</figcaption></figure>
<figure class="kg-card kg-gallery-card"><div class="kg-gallery-container"><div class="kg-gallery-row"><div><img src="__GHOST_URL__/content/images/b.jpg"></div><div><img src="__GHOST_URL__/content/images/c.jpg"></div></div></div><figcaption>Two</figcaption></figure>
<figure class="kg-card kg-embed-card"><iframe src="https://www.youtube.com/embed/SQEQr7c0-dw?feature=oembed" width="200" height="113"></iframe></figure>
<div class="kg-card kg-callout-card"><div class="kg-callout-text">Note</div></div>`;
    const { pages, images } = convert(
      post({ title: 'Start', slug: 'start', html, feature_image: '__GHOST_URL__/content/images/top.jpg' }),
      post({ title: 'About', slug: 'about', type: 'page' }),
    );
    assert.equal(
      pages.find(({ name }) => name === 'Start')!.body,
      `<figure><img src="import-image:0" alt=""></figure>
<p><a href="import:0#team">Us</a></p>
<hr>
<figure class="image-wide"><img src="import-image:1" alt="A"><figcaption>Rye</figcaption></figure>
<figure><img src="import-image:2"></figure>
<figure><img src="import-image:3"></figure>
<p>Two</p>
<iframe src="https://www.youtube-nocookie.com/embed/SQEQr7c0-dw" title="YouTube video" width="200" height="113"></iframe>
<p>Note</p>`,
    );
    assert.deepEqual(images, [
      'https://old.example/content/images/top.jpg',
      'https://old.example/content/images/2021/a.jpg',
      'https://old.example/content/images/b.jpg',
      'https://old.example/content/images/c.jpg',
    ]);
  });

  test('a Ghost export is told apart from any other document, and strange posts cause no error', () => {
    assert.equal(isGhostExport({ data: { posts: [] } }), true);
    for (const other of [
      undefined,
      null,
      1,
      'posts',
      [],
      {},
      { pages: [] },
      { db: [] },
      { db: [{ data: { posts: 1 } }] },
    ]) {
      assert.equal(isGhostExport(other), false, JSON.stringify(other));
      assert.throws(() => readGhostExport(other, 'https://old.example'), { code: 'malformed' });
    }
    const strange = exportOf(null, 1, [], {}, { title: 1, slug: {}, html: [], published_at: {}, visibility: 5 });
    const { pages } = sitePages(readGhostExport(strange, 'https://old.example'), { blogName: 'Blog' });
    assert.equal(pages.length, 6);
    for (const address of ['', 'old.example', 'file:///x', 'javascript:alert(1)']) {
      assert.throws(() => readGhostExport(exportOf(), address), { code: 'invalid' });
    }
  });

  test('texts that name the site’s long address often stop growing at a limit', () => {
    const address = `https://old.example/${'a'.repeat(1900)}`;
    const html = '__GHOST_URL__'.repeat(50_000);
    const { pages } = sitePages(readGhostExport(exportOf(post({ title: 'One', html })), address), { blogName: 'Blog' });
    assert.ok(pages[1]!.body.length < 70_000_000);
    assert.throws(() => readGhostExport(exportOf(), `${address}${'a'.repeat(100)}`), { code: 'invalid' });
  });

  test('an export with too many pages is refused before their addresses are read', () => {
    const old = readGhostExport(
      exportOf(...Array.from({ length: 3 }, () => post({ slug: 'a' }))),
      'https://old.example/',
    );
    const unread = { ...old, items: old.items.map((item) => ({ ...item, link: null as unknown as string })) };
    assert.throws(() => sitePages(unread, { blogName: 'Blog', maxPages: 3 }), { name: 'ValidationError' });
    assert.equal(sitePages(old, { blogName: 'Blog', maxPages: 4 }).pages.length, 4);
  });
});
