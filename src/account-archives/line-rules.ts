import { createHash } from 'node:crypto';
import { parseTimeZone } from '../accounts/change-settings.ts';
import { brandImage } from '../brands/brand-image.ts';
import { parseColour } from '../colour.ts';
import { inEnglish } from '../english.ts';
import type { BrokenRule } from '../field-error.ts';
import { validateName } from '../name.ts';
import { parsePageFields, type SomePageFields } from '../pages/page-fields.ts';
import { parseLanguage } from '../sites/change-site.ts';
import { argon2Parameters } from '../users/hash-threads.ts';
import type { Line, PersonSecrets } from './format.ts';
import { isInteger } from './parse-line.ts';

/* The rules for the content of lines whose form is right. */

/** Returns a list with the failure of a field that breaks a rule; empty if it breaks none. */
export function failuresOf(field: string, broken: BrokenRule | undefined): string[] {
  return broken ? [`"${field}" ${inEnglish(broken)}`] : [];
}

/** Returns the failures in the settings of an account. */
export function checkAccount(line: Line): string[] {
  const failures = [
    ...failuresOf('name', validateName(String(line.name))),
    ...failuresOf('own_plan_name', validateName(String(line.own_plan_name))),
  ];
  if (!parseLanguage(String(line.language))) failures.push('"language" is not a language tag');
  if (!parseTimeZone(String(line.time_zone))) failures.push('"time_zone" is not a time zone');
  if (parseColour(String(line.accent)) !== line.accent) failures.push('"accent" is not a colour like #1f5fbf');
  if (line.currency !== null && !Intl.supportedValuesOf('currency').includes(String(line.currency))) {
    failures.push('"currency" is not the code of a currency');
  }
  if ((line.allows_agency === null) !== (line.mails_agency_visits === null)) {
    failures.push('"allows_agency" and "mails_agency_visits" must both be null, or neither');
  }
  return failures;
}

/** Returns true if the content is a PNG whose name contains its hash. */
export function isBrandImage({ name, png }: Line): boolean {
  const bytes = Buffer.from(String(png), 'base64');
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  const isPng = bytes.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n' && bytes.toString('base64') === png;
  return isPng && brandImage(String(name)) !== null && String(name).startsWith(`${hash}-`);
}

/** Returns the failures in the names of a page. */
export function checkPageTexts(line: Line): string[] {
  const failures = failuresOf('name', validateName(String(line.name).trim()));
  const urlname = String(line.urlname);
  if (urlname.length > 210 || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(urlname))
    failures.push('"urlname" cannot be part of an address');
  return failures;
}

const draftTypes: Readonly<Record<string, readonly string[]>> = {
  name: ['string'],
  urlname: ['string'],
  isHidden: ['boolean'],
  description: ['string', 'null'],
  customDate: ['number'],
  body: ['string'],
  bodyFormat: ['string'],
};

/** Returns true if the text is a valid draft. A draft may have a name that a page cannot have. */
export function isDraft(text: string): boolean {
  try {
    const fields: unknown = JSON.parse(text);
    if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return false;
    const isRight = Object.entries(fields).every(([name, value]) =>
      (Object.hasOwn(draftTypes, name) ? draftTypes[name]! : []).includes(value === null ? 'null' : typeof value),
    );
    if (!isRight) return false;
    const { bodyFormat = '' } = fields as SomePageFields;
    const { failures } = parsePageFields(fields as SomePageFields);
    const isFormat = ['', 'markdown_format', 'wysiwyg_format'].includes(bodyFormat);
    return isFormat && failures.every(({ field }) => field === 'name');
  } catch {
    return false;
  }
}

const PASSWORD_HASH = /^\$argon2id\$v=19\$m=(\d{1,9}),t=(\d{1,9}),p=(\d{1,9})\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/;
const MAX_RECOVERY_CODES = 100;

/** Returns true if the secrets of a user have the right form. A removed user has none. */
export function hasSecrets(line: Line, isPresent: boolean): boolean {
  const { password_hash: hash, second_factor: factor, recovery_codes: codes } = line as unknown as PersonSecrets;
  if (!isPresent) return hash === null && factor === null && Array.isArray(codes) && codes.length === 0;
  const isHash = hash === null || isPasswordHash(hash);
  const isFactor =
    factor === null ||
    (typeof factor === 'object' &&
      /^[A-Z2-7]{16,128}$/.test(factor.secret) &&
      [factor.confirmed_at, factor.last_step].every((number) => isInteger(number, 0, 8.64e15)));
  const areCodes =
    Array.isArray(codes) &&
    codes.length <= MAX_RECOVERY_CODES &&
    codes.every(
      (code) => /^[0-9a-f]{64}$/.test(code?.hash) && (code.used_at === null || isInteger(code.used_at, 0, 8.64e15)),
    );
  return isHash && isFactor && areCodes && new Set(codes.map(({ hash }) => hash)).size === codes.length;
}

/** Returns true if the text is a password hash that takes no longer to verify than those of the service. */
function isPasswordHash(hash: unknown): boolean {
  const { memoryCost, timeCost, parallelism } = argon2Parameters;
  const costs = PASSWORD_HASH.exec(String(hash))?.slice(1).map(Number);
  return costs?.every((cost, index) => cost > 0 && cost <= [memoryCost, timeCost, parallelism][index]!) ?? false;
}
