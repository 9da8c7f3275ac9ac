import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseSync, Visitor } from 'vite';
import { isPlainlyLinear } from './linear-expressions.ts';

// The pure backend runs in this process: it needs neither Java nor a binary for the system.
process.env.RECHECK_SYNC_BACKEND = 'pure';
const { checkSync } = await import('recheck');

/** They may take time that grows faster than their text, since no stranger ever writes that text. */
const trusted: Readonly<Record<string, string>> = {
  'src/config-values.ts': 'options, which the operator sets',
  'src/http/site/assets.ts': "the themes' own style sheets",
  'src/http/api/docs/markup.ts': 'the examples of our own documentation',
  'src/http/admin-app/index-page.ts': "the admin app's own pages",
};

/** Made of strings when the program runs; each has to be looked at by hand. */
const made: Readonly<Record<string, string>> = {
  'src/api-keys/api-key.ts': 'of constants, with numbers of characters and nothing that repeats',
  'src/http/site/markup.ts': 'of a class of characters',
  'admin/src/screens/editor/markdown/commands.ts': 'of a constant at the start of a line',
};

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

test('every regular expression takes time in proportion to its text', () => {
  const checked = new Map<string, string | undefined>();
  const slow = parsed.flatMap(({ file, expressions }) =>
    file in trusted
      ? []
      : expressions.flatMap(({ pattern, flags }) => {
          const key = `/${pattern}/${flags}`;
          if (!checked.has(key)) checked.set(key, mistakeIn(pattern, flags));
          const mistake = checked.get(key);
          return mistake ? [`${file}: ${key}: ${mistake}`] : [];
        }),
  );
  assert.ok(checked.size > 200, 'they are found');
  assert.deepEqual(slow, []);
});

test('no regular expression that takes longer than its text grows is cleared by its form', () => {
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

test('regular expressions that are made of strings are known', () => {
  const files = parsed.filter(({ isMade }) => isMade).map(({ file }) => file);
  assert.deepEqual(files.toSorted(), Object.keys(made).toSorted());
});

function mistakeIn(pattern: string, flags: string): string | undefined {
  if (isPlainlyLinear(pattern, flags)) return undefined;
  // Where a match begins and ends is told, with `d`, without looking for it in another way; recheck does not know the flag.
  const found = checkSync(pattern, flags.replace('d', ''), { timeout: null });
  if (found.status === 'safe') return undefined;
  if (found.status === 'unknown') return `recheck cannot tell: ${found.error.kind}`;
  return `${found.complexity.summary}, as for ${found.attack.pattern}`;
}
