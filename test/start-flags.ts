import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(import.meta.dirname, '../package.json');
const { scripts } = JSON.parse(readFileSync(file, 'utf8')) as { scripts: { start: string } };

/** The options that `npm start` gives to Node: whoever starts the service another way gives them too. */
export const startFlags: readonly string[] = scripts.start.split(' ').filter((word) => word.startsWith('--'));

/** Has a program take no settings from the `freehold.env` of whoever runs it here. */
export const NO_SETTINGS_FILE = '--env-file=/dev/null';
