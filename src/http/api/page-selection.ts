import { AppError } from '../../errors.ts';
import { MAX_DEPTH } from '../../pages/page.ts';
import { type PageField, pageFieldNames } from './page-json.ts';
import { oneValue } from './query-parameters.ts';

/** The part of the page list that a client asks for. */
export interface PageSelection {
  /** In the order of the interface; undefined for all. */
  readonly fields: readonly PageField[] | undefined;
  /** How many levels; undefined for all. */
  readonly depth: number | undefined;
}

/** @throws AppError `malformed` */
export function readPageSelection(query: string): PageSelection {
  return { fields: readFields(oneValue(query, 'fields')), depth: readDepth(oneValue(query, 'depth')) };
}

/** Returns a text that names the selection in caches and ETags; empty for the whole list. */
export function selectionName({ fields, depth }: PageSelection): string {
  if (!fields && depth === undefined) return '';
  return `${fields ? fields.join('.') : 'all'}-${depth ?? 'all'}`;
}

function readFields(text: string | undefined): readonly PageField[] | undefined {
  if (text === undefined) return undefined;
  const asked = new Set(text.split(',').map((name) => name.trim()));
  for (const name of asked) {
    // Every page has them, whatever is asked for.
    if (name === 'children' || pageFieldNames.includes(name as PageField)) continue;
    const known = `Name some of ${pageFieldNames.join(', ')}, with commas between them.`;
    throw new AppError('malformed', `"fields" has the name "${name.slice(0, 100)}", which no page has. ${known}`);
  }
  return pageFieldNames.filter((name) => asked.has(name));
}

function readDepth(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const depth = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (depth >= 1 && depth <= MAX_DEPTH) return depth;
  throw new AppError('malformed', `"depth" must be a whole number from 1 to ${MAX_DEPTH}.`);
}
