import { changeSettings } from '../../accounts/change-settings.ts';
import type { Trx } from '../../db/database.ts';
import { snapshot } from '../../db/snapshot.ts';
import { ValidationError } from '../../errors.ts';
import { formatPageId, parsePageId } from '../../pages/page.ts';
import { malformed, refused } from './answers.ts';
import { changing } from './changing.ts';
import { objectSchema, ref, textOrNull, textSchema } from './json-schema.ts';
import { changeOperation, type FieldTexts, type ObjectSchema, readOperation, textField } from './operation.ts';
import { reading } from './reading.ts';

const fields: ObjectSchema<'name' | 'language' | 'time_zone' | 'editor' | 'theme' | 'accent' | 'second_button'> = {
  object: 'settings',
  name: 'SettingsChanges',
  fields: {
    name: textField('Name of the account.', 'Acme Bakery', { maxLength: 255 }),
    language: textField("Language of the site's built-in texts, as a language tag.", 'en'),
    time_zone: textField('Time zone, as an IANA name.', 'Europe/Berlin'),
    editor: textField('Format of new pages.', 'wysiwyg_format', { enum: ['markdown_format', 'wysiwyg_format'] }),
    theme: textField('Theme of the site.', 'business', {
      enum: ['typographic', 'business', 'portfolio', 'documentation'],
    }),
    accent: textField('Colour of the site.', '#1f5fbf'),
    second_button: textField('Page to which a second button on the home page leads. Blank: no button.', 'page_12'),
  },
};

export const changeSettingsOperation = changeOperation('PATCH /api/settings.json', {
  id: 'changeSettings',
  tag: 'Settings',
  scope: 'settings:write',
  summary: 'Change settings',
  description: 'Changes settings of the account and the look of its site. Fields that are not sent stay as they are.',
  input: fields,
  exampleFields: ['name', 'theme', 'accent'],
  answers: [
    { status: 200, schema: 'Success', description: 'The settings have the requested values.' },
    malformed,
    refused('Validation failed, and nothing was changed.', [['accent', 'is not a colour like #1f5fbf']]),
  ],
  schemas: {},
  fingerprintName: 'change settings',
  prepare: async ({ fields: texts, keyOwner, ctx }) => {
    const input = parseSettings(texts);
    return changing(keyOwner, ctx, (trx, by) => changeSettings(trx, keyOwner.accountId, input, by), fieldNames);
  },
});

export const getSettingsOperation = readOperation('GET /api/settings.json', {
  id: 'getSettings',
  tag: 'Settings',
  scope: 'settings:read',
  summary: 'Read settings',
  description: 'The settings of the account and the look of its site.',
  answers: [{ status: 200, schema: 'SettingsAnswer', description: 'The settings.' }],
  schemas: {
    SettingsAnswer: objectSchema({ settings: ref('Settings') }),
    Settings: objectSchema({
      name: textSchema('Name of the account.', 'Acme Bakery'),
      subdomain: textSchema("Subdomain of the account's site.", 'acme-bakery'),
      language: textSchema("Language of the site's built-in texts.", 'en'),
      time_zone: textSchema('Time zone.', 'Europe/Berlin'),
      editor: textSchema('Format of new pages.', 'wysiwyg_format'),
      theme: textSchema('Theme of the site.', 'business'),
      accent: textSchema('Colour of the site.', '#1f5fbf'),
      second_button: textOrNull('Page to which a second button on the home page leads; null if there is no button.'),
    }),
  },
  handler: reading(async ({ keyOwner: { accountId }, dependencies: { db } }) => ({
    settings: await snapshot(db, (trx) => readSettings(trx, accountId)),
  })),
});

async function readSettings(trx: Trx, accountId: number) {
  const { second_button_page_id: second, ...settings } = await trx
    .selectFrom('accounts')
    .select(['name', 'subdomain', 'language', 'time_zone', 'editor', 'theme', 'accent', 'second_button_page_id'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return { ...settings, second_button: second === null ? null : formatPageId(second) };
}

/** The API's names for fields that have other names in `changeSettings`. */
const fieldNames = { timeZone: 'time_zone', secondButton: 'second_button' };

/** @throws ValidationError */
function parseSettings(texts: FieldTexts<keyof typeof fields.fields>) {
  const { name, language, time_zone: timeZone, editor, theme, accent, second_button } = texts;
  const blankOrId = second_button?.trim();
  const secondButton = blankOrId === undefined ? undefined : blankOrId === '' ? null : parsePageId(blankOrId);
  if (blankOrId && !secondButton) throw new ValidationError([{ field: 'second_button', code: 'missing' }]);
  const trimmed = { language: language?.trim(), editor: editor?.trim(), theme: theme?.trim(), accent: accent?.trim() };
  return { name, timeZone, secondButton, ...trimmed };
}
