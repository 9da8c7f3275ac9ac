import { ValidationError } from '../../errors.ts';
import type { FieldError } from '../../field-error.ts';
import { parseFlag } from '../../pages/create-page-input.ts';
import { bodyFormats, isBodyFormat, parsePageId } from '../../pages/page.ts';
import { parsePageFields, type SomePageFields } from '../../pages/page-fields.ts';
import { parseTime } from '../../parse-time.ts';
import { createPageOperation } from './create-page.ts';
import { type FieldTexts, type ObjectSchema, textField, textOrNumberField } from './operation.ts';

const { input: newPage } = createPageOperation as { input: ObjectSchema };

/** The fields of a page that a client may change. */
export const pageChanges = {
  object: 'page',
  name: 'PageChanges',
  fields: {
    name: { ...newPage.fields.name!, required: false, description: 'Name of the page, unique within the account.' },
    urlname: textOrNumberField(
      "The page's segment of the URL. Blank: it is made from the name. Former URLs redirect.",
      'opening-hours',
    ),
    body: { ...newPage.fields.body!, example: '<p>Every day, 7 to 18 h.</p>' },
    body_format: textField('Format used to edit the page.', 'wysiwyg_format', { enum: bodyFormats }),
    description: { ...newPage.fields.description!, description: 'Excerpt of the page. Blank removes it.' },
    is_hidden: newPage.fields.is_hidden!,
    is_published: {
      type: 'boolean',
      accepts: ['string', 'boolean'],
      description: 'Whether visitors see the page.',
      example: true,
    },
    parent_id: textOrNumberField(
      'Id of the page below which to move the page, with its sub-pages; blank or `0` for the root.',
      '0',
    ),
    position: textOrNumberField(
      'Position among its siblings, starting at 1. By default, a page that moves to another parent goes last.',
      '1',
    ),
    custom_date: textField(
      'A date of the page: in ISO 8601 with a time zone, or in the form of the list.',
      '2003-04-09T08:56:03Z',
    ),
  },
} as const satisfies ObjectSchema;

/** @throws ValidationError with every field that is invalid by itself */
export function parsePageChange(texts: FieldTexts<keyof typeof pageChanges.fields>) {
  const { is_hidden, is_published, body_format, parent_id, custom_date } = texts;
  const wrong: FieldError[] = [];
  const isHidden = is_hidden === undefined ? undefined : parseFlag(is_hidden);
  if (is_hidden !== undefined && isHidden === undefined) wrong.push({ field: 'is_hidden', code: 'not_true_or_false' });
  const isPublished = is_published === undefined ? undefined : parseFlag(is_published);
  if (is_published !== undefined && isPublished === undefined)
    wrong.push({ field: 'is_published', code: 'not_true_or_false' });
  const bodyFormat = body_format?.trim();
  const isFormat = bodyFormat === undefined || isBodyFormat(bodyFormat);
  if (!isFormat) wrong.push({ field: 'body_format', code: bodyFormat === '' ? 'blank' : 'not_included' });
  const parentId = parent_id === undefined ? undefined : parsePageId(parent_id);
  if (parent_id !== undefined && parentId === undefined) wrong.push({ field: 'parent_id', code: 'missing' });
  const position = texts.position?.trim();
  const isPosition = position === undefined || /^[1-9]\d{0,8}$/.test(position);
  if (!isPosition) wrong.push({ field: 'position', code: 'count_out_of_range', params: { min: 1, max: 999_999_999 } });
  const fields: SomePageFields = {
    name: texts.name,
    urlname: texts.urlname,
    body: texts.body,
    description: texts.description === '' ? null : texts.description,
    isHidden: isHidden === undefined ? undefined : isHidden === 1,
    bodyFormat: isFormat ? bodyFormat : undefined,
    customDate: custom_date === undefined ? undefined : parseTime(custom_date),
  };
  const failures = [...parsePageFields(fields).failures, ...wrong];
  if (failures.length > 0) throw new ValidationError(failures);
  const status = isPublished === undefined ? undefined : (['unpublished', 'published'] as const)[isPublished];
  return { fields, status, parentId, position: position === undefined ? undefined : Number(position) };
}
