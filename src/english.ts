import type { BrokenRule, FieldWords } from './field-error.ts';
import { megabytes } from './megabytes.ts';

/* The words for broken rules in the API and on the command line. Those of the API are part of its contract. */

const amountOf = {
  pages: (max: number) => (max === 1 ? '1 page' : `${max} pages`),
  people: (max: number) => (max === 1 ? '1 person' : `${max} people`),
  storage: (max: number) => `${megabytes(max)} of images`,
  domains: (max: number) => (max === 1 ? '1 domain' : `${max} domains`),
};

const inBraces = (names: readonly string[]) => names.map((name) => `{${name}}`).join(', ');

const words: FieldWords = {
  blank: "can't be blank",
  too_short: ({ min }) => `is too short (minimum is ${min} characters)`,
  too_long: ({ max }) => `is too long (maximum is ${max} characters)`,
  too_many_bytes: ({ max }) => `is too long (maximum is ${max} bytes)`,
  nul_character: 'contains a NUL character',
  control_character: 'contains a control character',
  wrong: 'is wrong',
  mismatch: "doesn't match",
  common_password: 'is too easy to guess (it is one of the most common passwords, or nearly so)',
  personal_password: 'is too easy to guess (it is made of your name, your address or the name of the site)',
  not_true_or_false: 'is not true or false',
  not_included: 'is not included in the list',
  not_a_text: 'is not a text',
  not_a_list: 'is not a list',
  not_an_object: 'is not an object',
  not_one_of: ({ values, given, more = 0 }) => {
    const list = values.join(', ') + (more > 0 ? ` and ${more} more` : '');
    if (given === undefined) return `is not one of ${list}`;
    return values.length === 0 ? `is "${given}", but there are none` : `is "${given}", which is not one of ${list}`;
  },
  days_out_of_range: ({ min, max }) => `must be from ${min} to ${max} days`,
  not_a_currency: 'is not the code of a currency like EUR',
  as_before: 'is the same as before',
  not_an_amount: 'is not an amount between 0.00 and 9999999.99',
  not_a_date: 'is not a date',
  not_a_time: 'is not a time like 2099-12-31T23:59:59Z',
  in_the_past: 'is in the past',
  not_after_today: 'is not after today',
  not_a_mail_address: 'is not a mail address',
  not_proved: 'is not the address of a user of the account who has proved it',
  not_a_webhook_address: 'must be an https:// address without a user name or password',
  private_address: 'leads into a private network',
  not_a_url: 'is not an address like https://example.com/help',
  not_a_path: 'is not a path like /old-page',
  own_path: 'is the path of the page',
  served_path:
    'is a path that every site serves itself, such as /robots.txt or an image, so that nobody would be redirected',
  placeholders_missing: ({ names }) => `must contain ${inBraces(names)}`,
  placeholder_unknown: ({ name, allowed }) => `cannot have {${name}}, but ${inBraces(allowed)}`,
  not_a_colour: 'is not a colour like #1f5fbf',
  not_a_language: 'is not a language tag like en or pt-BR',
  not_a_time_zone: 'is not a time zone like Europe/Berlin',
  not_an_idempotency_key: 'must be 1 to 255 printable ASCII characters without spaces',
  not_a_subdomain: 'can only have letters, digits and hyphens',
  hyphen_at_end: "can't begin or end with a hyphen",
  reserved: 'is reserved',
  ip_address: 'is an IP address, not a name',
  has_port: "can't have a port",
  not_a_host_name: 'is not a host name like www.example.com',
  not_a_whole_host_name: 'is not a whole host name like www.example.com',
  of_this_installation: 'belongs to this installation',
  missing: 'does not exist',
  too_deep: 'is nested too deeply',
  below_itself: 'is the page itself or below it',
  no_room: ({ bytes }) => `does not fit: the account's pages may take ${megabytes(bytes)} in all`,
  plan_limit: ({ limit, max }) => `allows at most ${amountOf[limit](max)}`,
  count_out_of_range: ({ min, max }) => `must be a whole number from ${min} to ${max}`,
  unchanged: 'is yours already',
  taken: 'has already been taken',
  kept_from_others: ({ until }) =>
    `has already been taken: another account used it recently, and it stays reserved until ${timeInWords(until)}`,
  already_added: 'has already been added',
  already_ended: 'has already been revoked, or its time is over: issue a new one',
  already_sent: 'has already been sent',
  already_used: 'has already been used for a different request',
  not_csv: ({ line }) => `cannot be read as CSV: see the quotes in line ${line}`,
  too_many_lines: ({ max }) => `has too many lines (maximum is ${max})`,
  too_many_pages: ({ max }) => `has too many pages (maximum is ${max})`,
  not_a_zip: 'is not a ZIP archive that can be read',
  account_archive: 'is the archive of a whole account: the operator can import it',
  too_many_files: ({ max }) => `has too many files (maximum is ${max})`,
  too_many_images: ({ max }) => `has too many images (maximum is ${max})`,
  unpacks_too_large: ({ bytes }) => `is too large when it is unpacked (maximum is ${megabytes(bytes)})`,
  unsafe_path: 'has a path that leads elsewhere, or is not UTF-8',
  encrypted_file: 'is encrypted',
  not_a_plain_file: 'is a link or another special file',
  unknown_file_type: 'is not a Markdown file, an HTML file or an image',
  unknown_compression: 'is compressed in a way that is not supported: use deflate',
  packed_too_densely: 'is compressed so much that it could be made to fill memory',
  duplicate_file: 'is in the archive twice, or differs from another file only in upper and lower case',
  not_utf8: 'is not UTF-8',
  damaged: 'is damaged',
  not_an_image: ({ why }) => `cannot be shown: ${why}`,
  more_failures: ({ count }) => `has ${count} more problems`,
  no_lines: 'has no lines below its first, which names the columns',
  in_no_column: 'is in no column: the first line of the file must name it',
  in_earlier_line: ({ line }) => `is the same as in line ${line}`,
  file_missing: 'has an image whose file is missing: upload it again there',
  ambiguous: 'is the name of several that differ in case only: write it exactly',
  site_too_large: ({ pages, megabytes: size }) =>
    `is too large to be copied: it may have ${pages} pages with ${size} MB of text`,
  copies_too_large: ({ pages, bytes, maxPages, maxBytes }) =>
    `would copy ${pages} pages with ${megabytes(bytes)} of text and images from templates (maximum is ${maxPages} pages and ${megabytes(maxBytes)}): split it`,
  mailed_too_often: ({ seconds }) => `has been sent too many messages: try again in ${Math.ceil(seconds / 60)} minutes`,
};

/** Returns the rule that a value breaks, as the end of a sentence. */
export function inEnglish({ code, params }: BrokenRule): string {
  const text = words[code] as string | ((params: BrokenRule['params']) => string);
  return typeof text === 'string' ? text : text(params);
}

/** Returns a time in the format of the API: `2003-04-09 08:56:03 +0000`. */
export function timeInWords(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} +0000`;
}
