import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type WordPressFields, wordPressExport } from '../../test/wordpress-export.ts';
import { readWordPressExport } from './read-wordpress-export.ts';
import { sitePages } from './site-pages.ts';

const page = (id: number, title: string, more: WordPressFields = {}): WordPressFields => ({
  'wp:post_id': id,
  title,
  'wp:post_type': 'page',
  'wp:status': 'publish',
  'wp:post_parent': 0,
  'wp:post_name': title.toLowerCase(),
  link: `https://old.example/${title.toLowerCase()}/`,
  ...more,
});

async function convert(items: readonly WordPressFields[]) {
  return sitePages(await readWordPressExport([wordPressExport(items)]), { blogName: 'News' });
}

describe('a WordPress export', () => {
  test('a WordPress export becomes a tree of pages, with its posts below a page of their own', async () => {
    const { pages, notes } = await convert([
      page(4, 'Team', { 'wp:post_parent': 3 }),
      page(2, 'Contact', { 'wp:menu_order': 2 }),
      page(3, 'About', { 'wp:menu_order': 1 }),
      page(7, 'Old post', { 'wp:post_type': 'post', 'wp:post_date_gmt': '2019-01-02 03:04:05' }),
      page(8, 'New post', { 'wp:post_type': 'post', 'wp:post_date_gmt': '2024-05-06 07:08:09' }),
    ]);
    assert.deepEqual(
      pages.map(({ parent, name, urlname, date }) => [parent, name, urlname, date && new Date(date).toISOString()]),
      [
        [undefined, 'About', 'about', undefined],
        [0, 'Team', 'team', undefined],
        [undefined, 'Contact', 'contact', undefined],
        [undefined, 'News', 'news', undefined],
        [3, 'New post', 'new-post', '2024-05-06T07:08:09.000Z'],
        [3, 'Old post', 'old-post', '2019-01-02T03:04:05.000Z'],
      ],
    );
    assert.deepEqual(notes, []);
  });

  test('the galleries of a text show at most 2,000 images, and further shortcodes stay', async () => {
    const file = (id: number) =>
      page(id, `photo-${id}`, {
        'wp:post_type': 'attachment',
        'wp:status': 'inherit',
        'wp:post_parent': 1,
        'wp:attachment_url': `https://old.example/${id}.jpg`,
      });
    const files = Array.from({ length: 900 }, (_, at) => file(at + 2));
    const { pages, notes } = await convert([
      page(1, 'Photos', { 'content:encoded': '[gallery]'.repeat(500) }),
      ...files,
    ]);
    assert.equal(pages[0]!.body.match(/<img/g)!.length, 1800);
    assert.equal(pages[0]!.body.match(/\[gallery\]/g)!.length, 498);
    assert.deepEqual(notes, [{ code: 'shortcode', value: 'gallery', page: 'Photos', count: 498 }]);
  });

  test('titles, excerpts and former addresses are imported, and content that visitors did not see is unpublished', async () => {
    const { pages, notes } = await convert([
      page(1, 'A &amp; <em>B</em>', {
        link: 'https://old.example/2019/a-b/',
        guid: 'http://www.old.example/?p=1',
        'excerpt:encoded': '<p>All of\nit</p>',
      }),
      page(2, 'Draft', { 'wp:status': 'draft', 'wp:post_date_gmt': '0000-00-00 00:00:00' }),
      page(3, 'Secret', { 'wp:post_password': 'enter', guid: 'https://old.example/?p=3' }),
      page(4, '', {
        'wp:post_name': '%c3%bcber-uns',
        link: 'https://old.example/?page_id=4',
        guid: 'https://staging.example/?p=4',
      }),
      page(5, 'Gone', { 'wp:status': 'trash' }),
      page(6, 'Shoe', { 'wp:post_type': 'product' }),
      page(9, 'Shirt', { 'wp:post_type': 'product' }),
      page(10, 'photo', { 'wp:post_type': 'attachment', 'wp:status': 'inherit' }),
    ]);
    assert.deepEqual(
      pages.map(({ name, urlname, description, status, formerPaths }) => [
        name,
        urlname,
        description,
        status,
        ...formerPaths,
      ]),
      [
        ['A & B', 'a-amp-em-b-em', 'All of it', 'published', '/2019/a-b', '/?p=1'],
        ['Draft', 'draft', null, 'unpublished'],
        ['Secret', 'secret', null, 'unpublished'],
        ['über-uns', 'uber-uns', null, 'published', '/?page_id=4'],
      ],
    );
    assert.deepEqual(notes, [
      { code: 'in_trash', value: 'page', page: 'Gone', count: 1 },
      { code: 'not_imported_type', value: 'product', count: 2 },
      { code: 'password', value: '', page: 'Secret', count: 1 },
    ]);
  });

  test('internal links lead to the new pages, and those without a target are reported', async () => {
    const links = [
      'https://www.old.example/about/',
      'http://old.example/about#team',
      '/ABOUT',
      'https://old.example/%E6%97%A5/',
      'https://old.example/?page_id=2',
      'https://old.example/',
      'https://old.example/category/news/',
      'https://other.example/about/',
      '#top',
      'mailto:a@b.example',
    ];
    const body = links.map((href) => `<a href="${href}">x</a>`).join(' ');
    const { pages, notes } = await convert([
      page(1, 'Start', { 'content:encoded': body }),
      page(2, 'About'),
      page(3, 'Sun', { link: 'https://old.example/%e6%97%a5/' }),
    ]);
    const start = pages.find(({ name }) => name === 'Start')!;
    assert.deepEqual(
      [...start.body.matchAll(/href="([^"]*)"/g)].map(([, href]) => href),
      [
        ...['import:0', 'import:0#team', 'import:0', 'import:2', 'import:0', '/', 'https://old.example/category/news/'],
        ...['https://other.example/about/', '#top', 'mailto:a@b.example'],
      ],
    );
    assert.deepEqual(notes, [
      { code: 'old_link', value: 'https://old.example/category/news/', page: 'Start', count: 1 },
    ]);
  });

  test('no page is lost whose parent is missing or whose ancestors form a cycle', async () => {
    const { pages } = await convert([
      page(1, 'One', { 'wp:post_parent': 2 }),
      page(2, 'Two', { 'wp:post_parent': 1 }),
      page(3, 'Three', { 'wp:post_parent': 3 }),
      page(4, 'Four', { 'wp:post_parent': 99 }),
      page(5, 'Five', { 'wp:post_parent': 1 }),
    ]);
    assert.deepEqual(pages.map(({ name }) => name).sort(), ['Five', 'Four', 'One', 'Three', 'Two']);
  });

  test('an export with very deep elements and pages is read in little time', async () => {
    const deep = '<b>'.repeat(100_000);
    const chain = Array.from({ length: 20_000 }, (_, at) => page(at + 2, `P${at}`, { 'wp:post_parent': at + 1 }));
    const fields = { link: '', 'content:encoded': deep, 'excerpt:encoded': deep, title: `${deep}One` };
    const { pages, notes } = await convert([page(1, 'One', fields), ...chain]);
    const [first] = pages;
    assert.deepEqual([first!.name, first!.body, first!.description], ['one', deep, null]);
    assert.equal(pages.at(-1)!.parent, pages.length - 2);
    assert.deepEqual(notes, [{ code: 'kept_as_html', value: '', page: 'one', count: 1 }]);
    const xml = `<rss><channel>${'<a>'.repeat(100_000)}`;
    await assert.rejects(readWordPressExport([xml]), { message: /not an export file of WordPress/ });
  });

  test('a text that is too long for any reader is imported unchanged', async () => {
    const long = '<'.repeat(1_100_000);
    const { pages, notes } = await convert([page(1, 'One', { 'content:encoded': long })]);
    assert.ok(pages[0]!.body === long);
    assert.deepEqual(notes, [{ code: 'kept_as_html', value: '', page: 'One', count: 1 }]);
  });

  test('texts whose short addresses and shortcodes become long ones stop growing at a limit', async () => {
    const address = `https://old.example/${'a'.repeat(100_000)}`;
    const link = '<a href="?">x</a>';
    const fields = { link: address, 'content:encoded': link.repeat(10) };
    const file = { 'wp:post_type': 'attachment', 'wp:attachment_url': `${address}.jpg`, link: 'https://old.example/f' };
    const image = page(3, 'Two', { 'content:encoded': '<p><img src="/f"></p>[gallery ids="2"]' });
    const { pages, images } = await convert([page(1, 'One', fields), page(2, 'File', file), image]);
    assert.equal(pages[0]!.body, `<p>${link.repeat(10)}</p>`);
    assert.deepEqual(images, ['https://old.example/f']);

    const captions = 'c'.repeat(1_000_000);
    const show = { ...file, 'wp:attachment_url': 'https://old.example/1.jpg', 'excerpt:encoded': captions };
    const galleries = page(1, 'One', { 'content:encoded': '[gallery ids="2"]'.repeat(1000) });
    const grown = await convert([galleries, page(2, 'File', show)]);
    assert.ok(grown.pages[0]!.body.length < 100_000_000);
  });

  test('notes, links, nodes, images and items of an export are limited in number', async () => {
    const count = 10_002;
    const links = Array.from({ length: count }, (_, index) => `<a href="/${index}">x</a>`).join('');
    const { notes } = await convert([page(1, 'One', { 'content:encoded': links })]);
    assert.equal(notes.length, 10_001);
    assert.deepEqual(notes.at(-1), { code: 'more', value: '', count: 2 });

    // The address is six times as long when it is encoded.
    const umlauts = `<p><a href="/${'ä'.repeat(1900)}">x</a></p>`;
    const long = await convert([page(1, 'One', { 'content:encoded': umlauts })]);
    assert.deepEqual([long.pages[0]!.body, long.notes], [umlauts, []]);

    const many = '<p>x</p>'.repeat(60_000);
    const kept = await convert([page(1, 'One', { 'content:encoded': many })]);
    assert.ok(kept.pages[0]!.body === many);
    assert.deepEqual(kept.notes, [{ code: 'kept_as_html', value: '', page: 'One', count: 1 }]);

    const base = `https://old.example/${'a'.repeat(1900)}/`;
    const images = Array.from({ length: 40_000 }, (_, index) => `<img src="${index}.png">`).join('');
    const shown = await convert([page(1, 'One', { link: base, 'content:encoded': images })]);
    assert.ok(shown.images.join('').length <= 64 * 1024 * 1024);
    assert.match(shown.pages[0]!.body, /<img src="import-image:0">.*<img src="39999\.png">/);

    const items = wordPressExport([]).replace('</channel>', `${'<item/>'.repeat(200_001)}</channel>`);
    await assert.rejects(readWordPressExport([items]), { message: /more than 200,000 items/ });
  });

  test('a file that is not an export of WordPress, or ends early, is refused', async () => {
    const other = /not an export file of WordPress/;
    for (const text of ['', 'Hello', '<html></html>', '<rss version="2.0"><channel></channel></rss>']) {
      await assert.rejects(readWordPressExport([text]), { message: other });
    }
    const whole = wordPressExport([page(1, 'One')]);
    await assert.rejects(readWordPressExport([whole.slice(0, -30)]), { message: /is incomplete/ });
  });

  test('entities that an export declares are not expanded', async () => {
    const bomb = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>`;
    const text = wordPressExport([page(1, 'X')])
      .replace('<rss', `${bomb}<rss`)
      .replace('<title>X', '<title>&b;&c;');
    const { items } = await readWordPressExport([text]);
    assert.equal(items[0]!.title, '&b;&c;');
  });
});
