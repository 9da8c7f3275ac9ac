import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { documents, documentText, root } from './documents.ts';

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The path of every source file from the root of the project, with a leading slash. */
const sources = ['admin', 'bench', 'demo', 'docs', 'e2e', 'src', 'test'].flatMap((folder) =>
  globSync(`${folder}/**/*.{ts,tsx,js,css}`, { cwd: root, exclude: ['admin/dist/**'] }).map((file) => `/${file}`),
);

/** Files that readers of the how-tos create. */
const examples = ['src/pages/rename-page.ts', 'src/db/migrations/NNN-what-it-does.ts'];

const maxBytes: Readonly<Record<string, number>> = { 'README.md': 8 * 1024, 'ARCHITECTURE.md': 12 * 1024 };

for (const [name, max] of Object.entries(maxBytes)) {
  test(`${name} has at most ${max} bytes`, () => {
    const bytes = Buffer.byteLength(documentText(name));
    assert.ok(bytes <= max, `${name} has ${bytes} bytes`);
  });
}

for (const { name, text } of documents) {
  test(`every link in ${name} leads to a file and a heading`, () => {
    for (const { link, file, anchor } of linksIn(name, text)) {
      assert.ok(existsSync(join(root, file)), `${link}: there is no such file`);
      if (anchor === undefined) continue;
      assert.ok(
        anchorsOf(readFileSync(join(root, file), 'utf8')).includes(anchor),
        `${link}: there is no such heading`,
      );
    }
  });

  test(`every npm script that ${name} names exists`, () => {
    const named = [...text.matchAll(/npm (?:run )?(?:--silent )?(start|test|(?<=run (?:--silent )?)[\w:]*\w)/g)];
    const missing = named.map(([, script]) => script!).filter((script) => !Object.hasOwn(scripts, script));
    assert.deepEqual(missing, []);
  });
}

const forDevelopers = /^(ARCHITECTURE|CONTRIBUTING|docs\/decisions|docs\/howto)/;
const words = new Set(sources.flatMap((file) => readFileSync(join(root, file), 'utf8').match(/\w+/g) ?? []));

for (const { name, text } of documents.filter(({ name }) => forDevelopers.test(name))) {
  test(`every source file and function that ${name} names exists`, () => {
    const files = [...text.matchAll(/`([\w./-]+\.(?:tsx?|js|css))`/g)].map(([, file]) => file!);
    const missing = files.filter(
      (file) => !examples.includes(file) && !sources.some((source) => source.endsWith(`/${file}`)),
    );
    const functions = [...text.matchAll(/`([a-z]+[A-Z]\w*)(?:\(\))?`/g)].map(([, each]) => each!);
    assert.deepEqual([...missing, ...functions.filter((each) => !words.has(each))], []);
  });
}

test('links from README.md lead to every document', () => {
  const reached = new Set(['README.md']);
  for (const name of reached) {
    if (!name.endsWith('.md')) continue;
    for (const { file } of linksIn(name, documentText(name))) reached.add(file);
  }
  const missing = documents.map(({ name }) => name).filter((name) => !reached.has(name));
  assert.deepEqual(missing, []);
});

interface Link {
  /** The link as written in the document. */
  readonly link: string;
  /** The path of the target from the root of the project. */
  readonly file: string;
  readonly anchor: string | undefined;
}

/** Returns the links to files and headings of the project. */
function linksIn(name: string, text: string): Link[] {
  const found = withoutCode(text).matchAll(/\]\((?!\w+:)([^)#]*)(#[^)]*)?\)/g);
  return [...found].map(([link, path, anchor]) => ({ link, file: path ? join(dirname(name), path) : name, anchor }));
}

/** Returns the anchors that GitHub makes of the headings. */
function anchorsOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(
    ([, heading = '']) =>
      `#${heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-')}`,
  );
}

function withoutCode(text: string): string {
  return text.replace(/^ *```.*?^ *```$/gms, '');
}
