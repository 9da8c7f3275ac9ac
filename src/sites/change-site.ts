import { parseColour } from '../colour.ts';
import type { Trx } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import type { FieldError } from '../field-error.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { themes } from './site.ts';

/** The settings of an account's site; `undefined` keeps a setting. */
export interface ChangeSiteInput {
  theme?: string | undefined;
  /** `#1f5fbf` or `#15b`, in any case, with or without the sign. */
  accent?: string | undefined;
  /** A BCP 47 tag, such as `en` or `pt-BR`. */
  language?: string | undefined;
  /** The id of the page that the second button on the home page leads to; null for none. */
  secondButton?: number | null | undefined;
}

/**
 * Changes the look and the language of an account's site.
 * @throws ValidationError with every invalid setting, and nothing is changed; AppError `not_found`
 */
export async function changeSite(trx: Trx, accountId: number, input: ChangeSiteInput): Promise<void> {
  const theme = themes.find((known) => known === input.theme?.trim().toLowerCase());
  const accent = input.accent === undefined ? undefined : parseColour(input.accent);
  const language = input.language === undefined ? undefined : parseLanguage(input.language);
  const failures: FieldError[] = [];
  if (input.theme !== undefined && !theme)
    failures.push({ field: 'theme', code: 'not_one_of', params: { values: themes } });
  if (input.accent !== undefined && !accent) failures.push({ field: 'accent', code: 'not_a_colour' });
  if (input.language !== undefined && !language) failures.push({ field: 'language', code: 'not_a_language' });
  if (input.secondButton && !(await isPage(trx, accountId, input.secondButton))) {
    failures.push({ field: 'secondButton', code: 'missing' });
  }
  if (failures.length > 0) throw new ValidationError(failures);

  await raiseContentVersion(trx, accountId, Date.now());
  const changes = {
    ...(theme && { theme }),
    ...(accent && { accent }),
    ...(language && { language }),
    ...(input.secondButton !== undefined && { second_button_page_id: input.secondButton }),
  };
  if (Object.keys(changes).length === 0) return;
  await trx.updateTable('accounts').set(changes).where('id', '=', accountId).execute();
}

async function isPage(trx: Trx, accountId: number, id: number): Promise<boolean> {
  const page = trx.selectFrom('pages').select('id').where('account_id', '=', accountId).where('id', '=', id);
  return (await page.executeTakeFirst()) !== undefined;
}

/** The longest language tag: longer than any with a language, a script, a region and a variant (RFC 5646, 4.4.1). */
const MAX_LANGUAGE_TAG_CHARACTERS = 35;

export function parseLanguage(text: string): string | undefined {
  const tag = text.trim();
  // Tags that begin with four letters or more are well-formed, but name no language: `english`, `german`.
  if (tag.length > MAX_LANGUAGE_TAG_CHARACTERS || !/^[a-z]{2,3}(-|$)/i.test(tag)) return undefined;
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}
