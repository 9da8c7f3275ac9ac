import { AppError } from '../../errors.ts';
import { MAX_DEPTH } from '../../pages/page.ts';
import { type PageField, pageFieldNames } from './page-json.ts';
import { oneValue } from './query-parameters.ts';

/** The part of the page list, or of its changes, that a client requests. */
export interface PageSelection {
  /** The requested fields in the order of the answer; undefined for all. */
  readonly fields: readonly PageField[] | undefined;
  /** The number of levels of the tree that are requested; undefined for all. */
  readonly depth: number | undefined;
  /** The version of the list that the client has, if it requests the changes since then. */
  readonly since: number | undefined;
}

/** @throws AppError `malformed` */
export function readPageSelection(query: string): PageSelection {
  const fields = readFields(oneValue(query, 'fields'));
  const depth = readDepth(oneValue(query, 'depth'));
  const since = readSince(oneValue(query, 'since'));
  if (since === undefined || depth === undefined) return { fields, depth, since };
  throw new AppError('malformed', '"since" and "depth" cannot be in one request.');
}

/** Returns a name for the selection in caches and ETags. It is empty for the whole list. */
export function selectionName({ fields, depth, since }: PageSelection): string {
  if (!fields && depth === undefined && since === undefined) return '';
  const part = since === undefined ? `depth-${depth ?? 'all'}` : `since-${since}`;
  return `${part}-${fields ? fields.join('.') : 'all'}`;
}

/** Returns whether the selection includes texts, which make up nearly all bytes of a page. */
export function hasTexts({ fields }: PageSelection): boolean {
  return !fields || fields.includes('body') || fields.includes('description');
}

function readFields(text: string | undefined): readonly PageField[] | undefined {
  if (text === undefined) return undefined;
  const asked = new Set(text.split(',').map((name) => name.trim()));
  for (const name of asked) {
    // Every page has its children, even if they are not requested.
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

function readSince(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const since = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(since)) return since;
  throw new AppError('malformed', '"since" must be a version of the list, as its header "Pages-Version" has it.');
}
