import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

/** A Markdown document of the project. */
export interface Document {
  /** The path from the root of the project. */
  readonly name: string;
  readonly text: string;
}

export const documents: readonly Document[] = globSync(['*.md', 'docs/**/*.md', 'clients/*/*.md', 'deploy/*/*.md'], {
  cwd: root,
})
  .sort()
  .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));

/** Returns the text of the document with this path. */
export function documentText(name: string): string {
  return documents.find((document) => document.name === name)!.text;
}
