import { bodyFormats } from '../../pages/page.ts';
import { idSchema, objectSchema, ref, type Schema, textOrNull, textSchema } from './json-schema.ts';

/** The schemas of a page's fields in all answers. */
export const pageProperties: Readonly<Record<string, Schema>> = {
  id: idSchema('page', 'Page identifier.'),
  name: textSchema('Name of the page.', 'Opening hours'),
  urlname: textSchema('URL-safe form of the name.', 'opening-hours'),
  body: textSchema('Page content, byte for byte as it was sent.', '<p>Tuesday to Sunday, 7 to 18 h.</p>'),
  created_at: timeSchema('Creation time, in UTC.'),
  created_by: textSchema('Name of the creating user.', 'Olivia Owner'),
  updated_at: timeSchema('Last update time, in UTC.'),
  updated_by: textSchema('Name of the last updating user.', 'Olivia Owner'),
  parent_id: {
    ...textSchema('Id of the parent page; `0` for a root-level page.', '0'),
    pattern: '^(0|page_[1-9][0-9]*)$',
  },
  position: { ...textSchema('Position among siblings, starting at 1.', '1'), pattern: '^[1-9][0-9]*$' },
  url: {
    ...textSchema("Path of the page on the site, with its ancestors' urlnames.", '/opening-hours'),
    pattern: '^/',
  },
  is_hidden: {
    type: 'boolean',
    description: 'Whether the page is hidden from navigation. Hidden pages are listed too.',
    examples: [false],
  },
  description: textOrNull('Page excerpt; null when unset.', 'When the bakery is open.'),
  body_format: {
    ...textSchema('Editor format; empty for some imported and older pages.', 'wysiwyg_format'),
    enum: [...bodyFormats, ''],
  },
  custom_date: timeSchema('A date of the page, in UTC; it starts as the creation time.'),
};

export const pageSchema: Schema = objectSchema({
  ...pageProperties,
  children: {
    type: 'array',
    items: ref('Page'),
    description: 'Sub-pages, each with the same fields; empty when there are none. At most 30 levels deep.',
    examples: [[]],
  },
});

export function timeSchema(description: string): Schema {
  return {
    ...textSchema(description, 'Wed Apr 09 08:56:03 UTC 2003'),
    pattern: '^[A-Z][a-z]{2} [A-Z][a-z]{2} [0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} UTC [0-9]{4}$',
  };
}
