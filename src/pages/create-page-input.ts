import type { UserActor } from '../audit/record-audit-event.ts';
import type { Creator } from '../audit/record-creations.ts';
import type { BodyFormat, PageStatus } from '../db/schema.ts';
import type { FieldError } from '../field-error.ts';
import { validateName } from '../name.ts';
import { isBodyFormat, parsePageId } from './page.ts';

/** The API's fields as they were sent; `undefined` for a field that was not sent. */
interface PageTexts {
  name: string | undefined;
  body: string | undefined;
  parentId: string | undefined;
  isHidden: string | undefined;
  description: string | undefined;
  bodyFormat: string | undefined;
  /** The actor that the audit log names, if it is not the user. */
  actor?: UserActor;
  /** A missing or blank text means that the page is published. */
  isPublished?: string | undefined;
}

export interface CreatePageInput extends PageTexts, Creator {
  /** The most bytes that the account's pages may take up together. */
  quota: number;
}

/** The fields in the form in which they are stored. */
export interface PageValues {
  name: string;
  /** null for the root; undefined for an id that no page can have. */
  parentId: number | null | undefined;
  body: string;
  isHidden: 0 | 1;
  description: string | null;
  bodyFormat: BodyFormat | undefined;
  status: PageStatus;
}

/** Returns the values to store, and every failure that can be found without the database. */
export function parseCreatePageInput(input: PageTexts): { values: PageValues; failures: FieldError[] } {
  const failures: FieldError[] = [];
  const name = (input.name ?? '').trim();
  const problem = validateName(name);
  if (problem) failures.push({ field: 'name', ...problem });
  const { body = '', description = null } = input;
  for (const [field, text] of [
    ['body', body],
    ['description', description],
  ] as const) {
    if (text?.includes('\0')) failures.push({ field, code: 'nul_character' });
  }
  const isHidden = parseFlag(input.isHidden ?? '');
  if (isHidden === undefined) failures.push({ field: 'is_hidden', code: 'not_true_or_false' });
  const isPublished = parseFlag(input.isPublished?.trim() || 'true');
  if (isPublished === undefined) failures.push({ field: 'is_published', code: 'not_true_or_false' });
  const bodyFormat = (input.bodyFormat ?? '').trim();
  if (bodyFormat !== '' && !isBodyFormat(bodyFormat)) failures.push({ field: 'body_format', code: 'not_included' });
  const values = {
    name,
    parentId: parsePageId(input.parentId ?? ''),
    body,
    isHidden: isHidden ?? 0,
    description,
    bodyFormat: isBodyFormat(bodyFormat) ? bodyFormat : undefined,
    status: isPublished === 0 ? 'unpublished' : 'published',
  } as const;
  return { values, failures };
}

/** Parses the words for true and false that forms and languages send. Blank is false; any other text gives undefined. */
export function parseFlag(text: string): 0 | 1 | undefined {
  const word = text.trim().toLowerCase();
  if (word === '') return 0;
  if (['true', '1', 'yes', 'on', 't'].includes(word)) return 1;
  if (['false', '0', 'no', 'off', 'f'].includes(word)) return 0;
  return undefined;
}
