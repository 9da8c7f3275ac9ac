import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ValidationError } from '../errors.ts';
import { archivePages } from './archive-pages.ts';
import { readFrontMatter } from './front-matter.ts';
import { replaceAddresses, resolvePath } from './references.ts';

const pagesOf = (files: Record<string, string>) =>
  archivePages(new Map(Object.entries(files))).map(({ depth, name, urlname, place }) => [depth, name, urlname, place]);

test('the folders of an archive give the tree of pages, and positions, numbers and names the order', () => {
  assert.deepEqual(
    pagesOf({
      'services/cakes.md': 'Cakes',
      'services/index.md': '---\ntitle: All we do\n---\nText',
      '10-contact_us.md': '',
      '2-prices.html': '<html><head><title>Prices</title></head><body>x</body></html>',
      'prices/2027.md': '',
      'about.md': '---\nposition: 1\n---\n',
      'about/team/ann.md': '',
      'index.md': '---\nname: "Welcome: home"\n---\n',
    }),
    [
      [1, 'Welcome: home', 'home', 'index.md'],
      [1, 'About', 'about', 'about.md'],
      [2, 'Team', 'team', 'about/team/'],
      [3, 'Ann', 'ann', 'about/team/ann.md'],
      [1, 'Prices', 'prices', '2-prices.html'],
      [1, 'Contact us', 'contact-us', '10-contact_us.md'],
      [1, 'Prices', 'prices', 'prices/'],
      [2, '2027', '2027', 'prices/2027.md'],
      [1, 'All we do', 'services', 'services/index.md'],
      [2, 'Cakes', 'cakes', 'services/cakes.md'],
    ],
  );
});

test('front matter sets the fields of a page, and failures are named by the file and the key', () => {
  const text =
    "---\nname: 'Ann''s page' \ndescription: What # not this\nhidden: yes\nurlname: Hello\ndate: 2024-02-03\ndraft: true\ntags:\n  - a\n---\n\n# Hi\n";
  const [page] = archivePages(new Map([['a.md', text]]));
  const { name, description, isHidden, urlname, customDate, status, body, bodyFormat, failures } = page!;
  assert.deepEqual(
    [name, description, isHidden, urlname, customDate, status, body, bodyFormat, failures],
    ["Ann's page", 'What', 1, 'hello', Date.UTC(2024, 1, 3), 'unpublished', '# Hi\n', 'markdown_format', []],
  );
  const [wrong] = archivePages(new Map([['b/c.md', '---\nhidden: perhaps\ndate: soon\n---\n']])).slice(1);
  assert.deepEqual(
    wrong!.failures.map(({ field }) => field),
    ['b/c.md.hidden', 'b/c.md.date'],
  );
  const [html] = archivePages(new Map([['d.html', '<!doctype html><BODY class="x">\n<p>Text</p></body></html>']]));
  assert.deepEqual([html!.body, html!.bodyFormat, html!.name], ['<p>Text</p>', 'wysiwyg_format', 'D']);
});

test('an archive with two files for one page, too many pages or too deep folders is refused', () => {
  const refused = (files: Record<string, string>) => {
    try {
      return archivePages(new Map(Object.entries(files))).flatMap(({ failures }) =>
        failures.map(({ field, code }) => [field, code]),
      );
    } catch (error) {
      assert.ok(error instanceof ValidationError);
      return error.fields.map(({ field, code }) => [field, code]);
    }
  };
  assert.deepEqual(refused({ 'a.md': '', 'a/index.html': '' }), [['a/index.html', 'duplicate_file']]);
  assert.deepEqual(refused({ 'a.md': '', 'a.html': '' }), [['a.html', 'duplicate_file']]);
  const folders = 'x/'.repeat(30);
  const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`${index}/a.md`, '']));
  assert.deepEqual(refused(many), [['archive', 'too_many_pages']]);
  assert.deepEqual(refused({ [`${folders}y.md`]: '', [`${folders}z/z/z.md`]: '', 'z.md': '' }), [
    [`${folders}y.md`, 'too_deep'],
    [`${folders}z/`, 'too_deep'],
  ]);
});

test('front matter ends at its closing line, and without one the text is unchanged', () => {
  for (const text of ['', 'Text', '--- \nkey: value\n', '----\n---\n', ' ---\na: b\n---\n']) {
    const { values, body } = readFrontMatter(text);
    assert.deepEqual([values.size, body], [0, text]);
  }
  assert.equal(readFrontMatter(`---\n---\n${'\n'.repeat(1e7)}`).body.length, 1e7 - 1);
  const long = `---\nkey: value\n${'a'.repeat(70_000)}\n---\nText`;
  assert.deepEqual([readFrontMatter(long).values.size, readFrontMatter(long).body], [0, long]);
  assert.deepEqual([...readFrontMatter('---\r\nName: A\r\nodd\r\n---\r\n\r\nB').values], [['name', 'A']]);
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => assert.ok(text.endsWith(readFrontMatter(text).body))));
});

test('addresses in Markdown and HTML are replaced, and the rest of the text stays', () => {
  const replaced = replaceAddresses(
    '![a](b.png) [c](<d e.png> "f") <img alt="]" src="g.png"> <img src=\'h.png\'> ![i][j]\n\n[j]: k.png\n[l]: m.png',
    (address) => (address.endsWith('.png') ? `/media/${address[0]}` : undefined),
  );
  assert.equal(
    replaced,
    '![a](/media/b) [c](</media/d> "f") <img alt="]" src="/media/g"> <img src=\'/media/h\'> ![i][j]\n\n[j]: /media/k\n[l]: /media/m',
  );
  fc.assert(
    fc.property(fc.array(fc.constantFrom('](', ')', ']: ', ' ', 'src="', '"', '<', '>', 'a', '\n')), (parts) => {
      const text = parts.join('');
      assert.equal(
        replaceAddresses(text, () => undefined),
        text,
      );
      assert.equal(
        replaceAddresses(text, (address) => address),
        text,
      );
    }),
  );
});

test('a relative address is resolved from the folder of its page', () => {
  for (const [address, path] of [
    ['a.png', 'b/c/a.png'],
    ['./a.png?x#y', 'b/c/a.png'],
    ['../a%20b.png', 'b/a b.png'],
    ['/a.png', 'a.png'],
    ['../../../../a.png', 'a.png'],
    ['%ff.png', 'b/c/%ff.png'],
    ['https://example.com/a.png', undefined],
    ['//example.com/a.png', undefined],
    ['data:image/png;base64,', undefined],
    ['#a', undefined],
  ] as const) {
    assert.equal(resolvePath(address, 'b/c/d.md'), path, address);
  }
});
