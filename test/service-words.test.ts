import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { strings } from '../admin/src/strings.ts';
import { translateServiceMessage } from '../admin/src/translate-service-message.ts';

/* What the service says to people in the admin app is in the app's catalogue, too: where it would be translated. */

const src = join(import.meta.dirname, '..', 'src');

/** What the admin app's surface calls; and of the accounts only what it calls. */
const files = globSync(
  ['{users,pages,media,sites,domains,api-keys,http/admin}/**/*.ts', 'accounts/change-settings.ts'],
  {
    cwd: src,
  },
).filter((file) => !file.endsWith('.test.ts'));

const text = `('(?:[^'\\\\\\n]|\\\\.)*'|"[^"\\n]*"|\`[^\`]*\`)`;
const sentences = new RegExp(`new AppError\\(\\s*'(?:conflict|invalid|too_large)',\\s*${text}`, 'g');
const ends = new RegExp(`(?:push\\(|ValidationError\\(\\[|: Failure = )\\s*\\['\\w+',\\s*${text}`, 'g');
/** Of the functions that tell what is wrong with something. */
const mistakes = new RegExp(`return ${text};`, 'g');
const withMistakes = [
  'name.ts',
  'users/password.ts',
  'users/guessable-password.ts',
  'users/create-user.ts',
  'domains/host-name.ts',
];
const isEnd = /^(?:is|has|must|can't|contains|doesn't|cannot|belongs)\b/;

/** Whole sentences that do not stand where they are thrown. */
const literals = new RegExp(text, 'g');
const withSentences = [
  ...['domains/find-proof.ts', 'domains/verify-domain.ts', 'media/image-decoder.ts', 'media/image-maker.ts'],
  ...['users/passkeys/passkey-answer.ts', 'users/passkeys/challenges.ts', 'users/passkeys/sign-in-with-passkey.ts'],
];
/** Of these the app tells the code in words of its own. */
const byCode = /^(?:Too many images|That is not what a passkey answers|This website is suspended)/;
const isSentence = /^[A-Z][^:]* .*\.$|^(?:TXT|CNAME) of/;

function found(file: string, pattern: RegExp): string[] {
  const source = readFileSync(join(src, file), 'utf8');
  return [...source.matchAll(pattern)].map(([, literal = '']) =>
    literal
      .slice(1, -1)
      .replace(/\$\{[^}]*\}/g, '{}')
      .replace(/\\(.)/g, '$1'),
  );
}

test('every sentence the service says in the app is in its catalogue', () => {
  const said = [
    ...files.flatMap((file) => [...found(file, sentences), ...found(file, ends)]),
    ...withSentences
      .flatMap((file) => found(file, literals))
      .filter((sentence) => isSentence.test(sentence) && !byCode.test(sentence)),
    ...withMistakes.flatMap((file) => found(file, mistakes)).filter((end) => isEnd.test(end)),
  ];
  assert.ok(said.length > 50, 'they are found');
  const isKnown = (sentence: string) =>
    sentence in strings.service ||
    sentence.split(/(?<=\.) (?=[A-Z{])/).every((part) => part in strings.service || part === '{}');
  const missing = [...new Set(said)].filter((sentence) => !isKnown(sentence));
  assert.deepEqual(missing, []);
});

test('what is in a sentence is put into the words of the catalogue', () => {
  assert.equal(translateServiceMessage("can't be blank"), strings.service["can't be blank"]);
  assert.match(translateServiceMessage('is too long (maximum is 255 characters)'), /255/);
  assert.equal(translateServiceMessage('Something of tomorrow.'), 'Something of tomorrow.');
});
