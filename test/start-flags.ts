import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(import.meta.dirname, '../package.json');
const { scripts } = JSON.parse(readFileSync(file, 'utf8')) as { scripts: { start: string } };

const words = scripts.start.split(' ');

/** The options that `npm start` gives to Node. Anything else that starts the service gives them, too. */
export const startFlags: readonly string[] = words.filter((word) => word.startsWith('--'));

/** The variables that `npm start` sets. */
export const startEnvironment: Readonly<Record<string, string>> = Object.fromEntries(
  words.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.split('=')),
);

/** Keeps a program from reading a developer's own `freehold.env`. */
export const NO_SETTINGS_FILE = '--env-file=/dev/null';
