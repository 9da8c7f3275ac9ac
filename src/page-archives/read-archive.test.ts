import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { type ZipFile, zip } from '../../test/zip.ts';
import { ValidationError } from '../errors.ts';
import { readArchive } from './read-archive.ts';

const page = (name: string, more: Partial<ZipFile> = {}): ZipFile => ({ name, content: `# ${name}\n`, ...more });

async function failuresOf(bytes: Buffer): Promise<string[]> {
  const error = await readArchive(bytes).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error === undefined) return [];
  if (!(error instanceof ValidationError)) throw error;
  return error.fields.map(({ field, code }) => `${field}: ${code}`);
}

test('an archive’s texts and images are read, and files that operating systems add are ignored', async () => {
  const png = Buffer.from([1, 2, 3]);
  const { texts, images } = await readArchive(
    zip([
      page('índex.md'),
      { name: 'services/', mode: 0o040755, isStored: true },
      page('services/Cakes.HTML', { isStored: true }),
      { name: 'services/cake.png', content: png },
      { name: '__MACOSX/services/._cake.png', content: 'x' },
      { name: 'services/.DS_Store', content: 'x' },
    ]),
  );
  assert.deepEqual(
    [...texts],
    [
      ['índex.md', '# índex.md\n'],
      ['services/Cakes.HTML', '# services/Cakes.HTML\n'],
    ],
  );
  assert.deepEqual([...images], [['services/cake.png', png]]);
});

test('the archive of a whole account is refused with a message of its own', async () => {
  const bytes = zip([{ name: 'account.jsonl' }, { name: 'pages.jsonl' }, { name: 'manifest.json' }]);
  assert.deepEqual(await failuresOf(bytes), ['archive: account_archive']);
});

test('unsafe and too deep paths in an archive are refused by their places', async () => {
  const paths = [
    '../a.md',
    '/a.md',
    'a/../../b.md',
    'C:/a.md',
    'a\\b.md',
    'a//b.md',
    './a.md',
    'a/ /b.md',
    'a\u0000.md',
  ];
  const failures = paths.map((path) => `${path}: unsafe_path`);
  assert.deepEqual(await failuresOf(zip(paths.map((path) => page(path)))), failures);
  assert.deepEqual(await failuresOf(zip([page(`${'a/'.repeat(31)}a.md`)])), [`${'a/'.repeat(31)}a.md: too_deep`]);
  const many = await failuresOf(zip(Array.from({ length: 1500 }, (_, index) => page(`../${index}.md`))));
  assert.deepEqual([many.length, many.at(-1)], [1001, 'pages: more_failures']);
  assert.deepEqual(await failuresOf(zip([{ name: Buffer.from([0xff, 0x2e, 0x6d, 0x64]) }])), ['\ufffd: unsafe_path']);
});

test('failures of long paths are named by their beginnings', async () => {
  const long = page(`${'a'.repeat(399)}\u{1f35e}${'a'.repeat(60_000)}.md`);
  const beginning = `${'a'.repeat(399)}\ufffd…`;
  assert.deepEqual(await failuresOf(zip([long, long])), [
    `${beginning}: unsafe_path`,
    `${beginning}: unsafe_path`,
    `${beginning}: duplicate_file`,
  ]);
});

test('links, devices, encrypted files, and unknown types and compressions are refused by their places', async () => {
  const bytes = zip([
    page('link.md', { mode: 0o120777 }),
    page('device.md', { mode: 0o020666 }),
    page('secret.md', { flags: 1 }),
    page('program.exe'),
    page('no-extension'),
    page('lzma.md', { method: 14 }),
    page('full/', { mode: 0o040755 }),
    page('right.md'),
  ]);
  assert.deepEqual(await failuresOf(bytes), [
    'link.md: not_a_plain_file',
    'device.md: not_a_plain_file',
    'secret.md: encrypted_file',
    'program.exe: unknown_file_type',
    'no-extension: unknown_file_type',
    'lzma.md: unknown_compression',
    'full/: not_a_plain_file',
  ]);
  // With strong encryption, even the names may be unreadable.
  assert.deepEqual(await failuresOf(zip([page('strong.md', { flags: 0x41 })])), ['archive: not_a_zip']);
});

test('a second file with one name is refused, also if only the case or composition of letters differs', async () => {
  const bytes = zip([page('a.md'), page('a.md'), page('A.md'), page('\u00e9.md'), page('e\u0301.md'), page('e.md')]);
  assert.deepEqual(await failuresOf(bytes), [
    'a.md: duplicate_file',
    'A.md: duplicate_file',
    'e\u0301.md: duplicate_file',
  ]);
});

test('archives that unpack to far too much are refused before they are unpacked', async () => {
  const million = 'x'.repeat(2_000_000);
  assert.deepEqual(await failuresOf(zip([page('dense.md', { content: million })])), ['dense.md: packed_too_densely']);
  const noise = randomBytes(40_000);
  const large = Array.from({ length: 10 }, (_, index) => page(`${index}.md`, { content: noise, size: 7_000_000 }));
  assert.deepEqual(await failuresOf(zip(large)), ['archive: unpacks_too_large']);
  const shared = Array.from({ length: 50 }, (_, index) =>
    page(`${index}.md`, { content: noise, sharesWith: 'first.md' }),
  );
  assert.deepEqual(await failuresOf(zip([page('first.md', { content: noise }), ...shared])), ['archive: not_a_zip']);
  const images = Array.from({ length: 201 }, (_, index) => ({ name: `${index}.png` }));
  assert.deepEqual(await failuresOf(zip(images)), ['archive: too_many_images']);
});

test('a file that differs from its entry in the directory, or is not UTF-8, is refused', async () => {
  const bytes = zip([
    page('crc.md', { crc: 1 }),
    page('more.md', { size: 3 }),
    page('less.md', { size: 30 }),
    page('latin.md', { content: Buffer.from([0x66, 0xfc, 0x72]) }),
    page('broken.md', { isStored: true, method: 8 }),
  ]);
  assert.deepEqual(await failuresOf(bytes), [
    'crc.md: damaged',
    'more.md: damaged',
    'less.md: damaged',
    'latin.md: not_utf8',
    'broken.md: damaged',
  ]);
});

test('a file that is not an archive, or is cut off, is refused, and a damaged one causes no other error', async () => {
  const whole = zip([page('a.md'), page('b/c.md'), { name: 'd.png', content: 'x'.repeat(100) }]);
  assert.deepEqual(await failuresOf(whole), []);
  for (const bytes of [Buffer.alloc(0), Buffer.from('PK'), Buffer.from('x'.repeat(1000))]) {
    assert.deepEqual(await failuresOf(bytes), ['archive: not_a_zip']);
  }
  for (let length = 1; length < whole.length; length += 7) {
    assert.notDeepEqual(await failuresOf(whole.subarray(0, length)), [], String(length));
  }
  for (let index = 0; index < whole.length; index++) {
    const changed = Buffer.from(whole);
    changed[index]! ^= 0xff;
    // Some bytes, such as those of times, have no effect: the archive may be accepted, but must not cause another error.
    await failuresOf(changed);
  }
});
