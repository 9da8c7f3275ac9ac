import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseSync, Visitor } from 'vite';
import { pairPattern } from '../src/query.ts';
import { isPlainlyLinear } from './linear-expressions.ts';

// recheck's binary takes a tenth of the time of its JavaScript, but does not exist for every system. Java is never used.
const hasBinary = globSync('node_modules/recheck-{linux,macos,windows}-*').length > 0;
process.env.RECHECK_BACKEND = hasBinary ? 'native' : 'pure';
const { check } = await import('recheck');

/**
 * The expressions that recheck has proved linear, which takes 20 seconds of processor time. Expressions that are not listed are
 * proved in each run. `npm run audit:expressions` proves all of them and writes this list.
 */
const list = join(import.meta.dirname, 'proven-expressions.json');
const provesAll = process.env.PROVE_ALL_EXPRESSIONS === '1';
const proven = new Set<string>(provesAll ? [] : JSON.parse(readFileSync(list, 'utf8')));

/** Expressions that may take more than linear time, since no stranger ever writes their text. */
const trusted: Readonly<Record<string, string>> = {
  'src/config-values.ts': 'options, which the operator sets',
  'src/http/site/assets.ts': "the themes' own style sheets",
  'src/http/api/docs/guide.ts': 'our own documentation',
  'src/http/api/docs/markup.ts': 'the examples of our own documentation',
  'src/http/admin-app/index-page.ts': "the admin app's own pages",
};

/** Expressions that are built from strings at run time. Each has to be reviewed by hand. */
const made: Readonly<Record<string, string>> = {
  'src/api-keys/api-key.ts': 'of constants, with numbers of characters and nothing that repeats',
  'src/http/site/markup.ts': 'of a class of characters',
  'src/query.ts': 'of a name; the test below has one of them checked',
  'admin/src/screens/editor/markdown/commands.ts': 'of a constant at the start of a line',
};

/** The expressions that recheck has proved in this run. */
const proved = new Set<string>();

const parsed = globSync(['src/**/*.{ts,js}', 'admin/src/**/*.{ts,tsx}'], { exclude: ['**/*.test.ts'] }).map((file) => {
  const code = readFileSync(file, 'utf8');
  const expressions: { pattern: string; flags: string }[] = [];
  let isMade = false;
  const noteMade = ({ callee }: { callee: { type: string } }) => {
    if ('name' in callee && callee.name === 'RegExp') isMade = true;
  };
  new Visitor({
    Literal: (node) => {
      if ('regex' in node) expressions.push(node.regex);
    },
    NewExpression: noteMade,
    CallExpression: noteMade,
  }).visit(parseSync(file, code).program);
  return { file, expressions, isMade };
});

test('every regular expression takes linear time', async () => {
  const checked = new Map<string, string | undefined>();
  const slow: string[] = [];
  for (const { file, expressions } of parsed) {
    if (file in trusted) continue;
    for (const { pattern, flags } of expressions) {
      const key = keyOf(pattern, flags);
      if (!checked.has(key)) checked.set(key, await mistakeIn(pattern, flags));
      const mistake = checked.get(key);
      if (mistake) slow.push(`${file}: ${key}: ${mistake}`);
    }
  }
  assert.ok(checked.size > 200, 'they are found');
  assert.deepEqual(slow, []);
  if (provesAll) {
    const keys = [...proved].filter((key) => checked.has(key)).toSorted();
    writeFileSync(list, `${JSON.stringify(keys, null, 2)}\n`);
  }
});

test('every expression in the list of proved ones occurs in the sources and needs a proof', () => {
  const sources = new Map(
    parsed
      .filter(({ file }) => !(file in trusted))
      .flatMap(({ expressions }) => expressions)
      .map((expression) => [keyOf(expression.pattern, expression.flags), expression]),
  );
  const stale = [...proven].filter((key) => {
    const expression = sources.get(key);
    return !expression || isPlainlyLinear(expression.pattern, expression.flags);
  });
  assert.deepEqual(stale, [], 'run npm run audit:expressions');
});

test('no regular expression of more than linear time is recognized as linear by its form', () => {
  const slow = [
    '^(a+)+$',
    '\\s+$',
    '^(?:a*b?){5}c',
    '^\\w*\\d+$',
    '<[^>]*>',
    '(?<=\\w*)x',
    'a|\\s+b',
    '[ab]a*c',
    '(a+)b\\1',
  ];
  assert.deepEqual(
    slow.filter((pattern) => isPlainlyLinear(pattern, '')),
    [],
  );
  assert.equal(isPlainlyLinear('^\\s+a', 'm'), false);
  assert.equal(isPlainlyLinear('a[A-Z]*b', 'i'), false);
});

test('every regular expression that is built from strings is listed for review', () => {
  const files = parsed.filter(({ isMade }) => isMade).map(({ file }) => file);
  assert.deepEqual(files.toSorted(), Object.keys(made).toSorted());
});

test('the values of a query parameter are found in linear time', async () => {
  const { source, flags } = pairPattern('api_key');
  assert.equal(await mistakeIn(source, flags), undefined);
});

function keyOf(pattern: string, flags: string): string {
  return `/${pattern}/${flags}`;
}

async function mistakeIn(pattern: string, flags: string): Promise<string | undefined> {
  if (isPlainlyLinear(pattern, flags) || proven.has(keyOf(pattern, flags))) return undefined;
  // The flag `d` only reports positions and does not change the search; recheck does not know it.
  const found = await check(pattern, flags.replace('d', ''), { timeout: null });
  if (found.status === 'safe') {
    proved.add(keyOf(pattern, flags));
    return undefined;
  }
  if (found.status === 'unknown') return `recheck cannot tell: ${found.error.kind}`;
  return `${found.complexity.summary}, as for ${found.attack.pattern}`;
}
