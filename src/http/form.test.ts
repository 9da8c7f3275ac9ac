import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Busboy } from '@fastify/busboy';
import fc from 'fast-check';
import { AppError } from '../errors.ts';
import { readJson, readMultipart, readUrlEncoded } from './form.ts';

const shape = { object: 'page', fields: new Set(['name', 'body']) };

/** A member's name, written with or without escapes. */
const nameText = fc.tuple(
  fc.constantFrom('name', 'body', 'page', 'x', '', '"', '\\', '}', ':', 'nam\u0065\\'),
  fc.boolean(),
  fc.constantFrom('', ' ', '\n\t\r '),
);
const spelled = (name: string, escaped: boolean) =>
  escaped
    ? `"${[...name].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`
    : JSON.stringify(name);
const scalar = fc.oneof(
  fc
    .array(fc.constantFrom('"', '\\', '{', '}', '[', ']', ':', ',', 'name', ' '), { maxLength: 6 })
    .map((parts) => parts.join('')),
  fc.integer(),
  fc.boolean(),
);
/** The values of unknown fields: anything, even objects with a name twice. */
const anything = fc.oneof(
  scalar.map((value) => JSON.stringify(value)),
  fc.array(scalar, { maxLength: 3 }).map((list) => JSON.stringify(list)),
  fc.constantFrom(
    '{"name":1,"name":2}',
    '[{"page":{"name":1,"name":2}}]',
    '{"page":1,"page":{"name":[]}}',
    '[[],[{}]]',
  ),
);

test('a JSON field given twice is malformed, even with escapes in its name; unknown fields may be anything', () => {
  const member = fc.tuple(nameText, scalar, anything);
  fc.assert(
    fc.property(
      fc.array(member, { maxLength: 6 }),
      fc.array(fc.tuple(nameText, anything), { maxLength: 3 }),
      (members, around) => {
        const inner = members.map(([[name, escaped, space], value, other]) => {
          return `${spelled(name, escaped)}${space}:${space}${shape.fields.has(name) ? JSON.stringify(value) : other}`;
        });
        const outer = around
          .filter(([[name]]) => name !== 'page')
          .map(([[name, escaped, space], value]) => `${space}${spelled(name, escaped)}${space}:${value}`);
        outer.splice(outer.length >> 1, 0, `"page":{${inner.join(',')}}`);
        const text = `{${outer.join(',')}}`;
        const known = members
          .map(([[name], value]) => [name, value] as const)
          .filter(([name]) => shape.fields.has(name));
        const expected = new Map<string, unknown>(known);
        if (expected.size < known.length) assert.throws(() => readJson(Buffer.from(text), shape), isMalformed, text);
        else assert.deepEqual(readJson(Buffer.from(text), shape), expected, text);
      },
    ),
    { numRuns: 2000 },
  );
});

test('multipart values are read unchanged, even if they contain parts of a boundary', async () => {
  const crumbs = fc.constantFrom(
    '\r',
    '\n',
    '\r\n',
    '-',
    '--',
    '--X',
    'X',
    '\r\n-',
    '\r\n--',
    '\r\n--Y',
    'é',
    ' ',
    ':',
    '"',
  );
  const value = fc
    .array(crumbs, { maxLength: 12 })
    .map((parts) => parts.join(''))
    .filter((text) => !`\r\n${text}`.includes('\r\n--X'));
  await fc.assert(
    fc.asyncProperty(value, value, async (name, body) => {
      const head = 'Content-Disposition: form-data; name=';
      const bytes = Buffer.from(
        `--X\r\n${head}"page[name]"\r\n\r\n${name}\r\n--X\r\n${head}"page[body]"\r\n\r\n${body}\r\n--X--`,
      );
      const fields = await readMultipart(bytes, 'multipart/form-data; boundary=X', shape);
      assert.deepEqual(
        fields,
        new Map([
          ['name', name],
          ['body', body],
        ]),
      );
    }),
    { numRuns: 500 },
  );
});

test('a form of 10,000 fields is read, and a longer one is malformed', () => {
  const pairs = 'x=1&'.repeat(9_999);
  assert.deepEqual(readUrlEncoded(`${pairs}page[name]=a`, shape), new Map([['name', 'a']]));
  assert.throws(() => readUrlEncoded(`x=1&${pairs}page[name]=a`, shape), isMalformed);
});

test('a multipart form of more than 1,000 parts is malformed, even if they are files or have no name', async () => {
  const contentType = 'multipart/form-data; boundary=X';
  const name = '--X\r\nContent-Disposition: form-data; name="page[name]"\r\n\r\na\r\n--X--\r\n';
  for (const part of [
    '--X\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n\r\n',
    '--X\r\n\r\n\r\n',
    '--X\r\nX\r\n\r\n\r\n',
  ]) {
    const fields = await readMultipart(Buffer.from(part.repeat(900) + name), contentType, shape);
    assert.deepEqual(fields, new Map([['name', 'a']]), part);
    await assert.rejects(readMultipart(Buffer.from(part.repeat(1000) + name), contentType, shape), isMalformed, part);
  }
});

test('the headers of a multipart part are ignored beyond the size limit', async () => {
  const contentType = 'multipart/form-data; boundary=X';
  const read = (parameters: string) =>
    readMultipart(
      Buffer.from(`--X\r\nContent-Disposition: form-data; ${parameters}\r\n\r\na\r\n--X--\r\n`),
      contentType,
      shape,
    );
  const words = 'x="y"; '.repeat(1000);
  assert.deepEqual(await read(`name="page[name]"; ${words}`), new Map([['name', 'a']]));
  await assert.rejects(read(`${words}name="page[name]"`), isMalformed);
});

test('JSON of more than 100,000 values is malformed at any depth; brackets within strings do not count', () => {
  const read = (rest: string) => readJson(Buffer.from(`{"page":{"name":"a"}${rest}}`), shape);
  const expected = new Map([['name', 'a']]);
  const [open, close] = ['['.repeat(90_000), ']'.repeat(90_000)];
  assert.deepEqual(read(`,"x":${open}${close}`), expected);
  assert.deepEqual(read(`,"x":[${'0,'.repeat(90_000)}0]`), expected);
  assert.deepEqual(read(`,"x":"${',[{'.repeat(200_000)}\\\\\\""`), expected);
  for (const rest of [
    `,"x":[${open}${close},${open}${close}]`,
    `,"x":[${'0,'.repeat(101_000)}0]`,
    `,"x":"${'x'.repeat(100)}\\"`,
    `,"x":"`,
  ]) {
    assert.throws(() => read(rest), isMalformed, rest.slice(0, 20));
  }
});

test('plus signs are decoded to spaces in short and in long texts', () => {
  for (const length of [1, 100, 20_000]) {
    const fields = readUrlEncoded(`page[name]=${'+é%2B'.repeat(length)}`, shape);
    assert.equal(fields?.get('name'), ' é+'.repeat(length));
  }
});

function isMalformed(error: unknown): boolean {
  return error instanceof AppError && error.code === 'malformed';
}

test('a multipart body is not read any further after an error', async (t) => {
  const shape = { object: 'page', fields: new Set(['name']) };
  const write = t.mock.method(Busboy.prototype, 'write');
  for (const part of ['', '\r\n', '\r\nContent-Disposition: form-data; name="a"\r\n\r\n']) {
    const body = `--b${part}\r\n`.repeat(1_000_000 / (part.length + 5));
    await assert.rejects(readMultipart(Buffer.from(body), 'multipart/form-data; boundary=b', shape), isMalformed);
    const read = write.mock.calls.reduce(
      (sum: number, { arguments: [piece] }: { arguments: unknown[] }) => sum + (piece as Buffer).length,
      0,
    );
    assert.ok(read < 100_000, `${read} bytes of ${JSON.stringify(part)}`);
    write.mock.resetCalls();
  }
});
