import { intervals } from '../plans/plans.ts';
import { themes } from '../sites/site.ts';

/*
 * The format of an account archive: a ZIP file that contains neither ids of the database nor the time of the export. Lines
 * are referred to by their line numbers. docs/account-archives.md describes the format for programs. In the order of the
 * archive:
 *   account.jsonl, people.jsonl, pages.jsonl, …      one JSON object a line
 *   images/HASH-1600x900.webp                        the files of the images
 *   images.jsonl
 *   manifest.json                                    the format, its version, and the number of lines of each file
 */
export const FORMAT = 'freehold-account';
export const VERSION = 1;
export const MANIFEST = 'manifest.json';
export const IMAGES_FOLDER = 'images/';

/** The kinds of lines that other lines can refer to by number. Deleted pages are numbered after pages. */
export type Numbered = 'people' | 'pages' | 'deletions';

export type Field = { readonly column: string; readonly isNullable: boolean } & (
  | { readonly type: 'text'; readonly maxCharacters: number }
  | { readonly type: 'integer'; readonly min: number; readonly max: number }
  | { readonly type: 'flag' }
  | { readonly type: 'choice'; readonly values: readonly string[] }
  | { readonly type: 'ref'; readonly to: Numbered }
);

interface ArchiveFile {
  /** The table whose rows the lines describe. */
  readonly table: string;
  readonly fields: Readonly<Record<string, Field>>;
  readonly maxLines: number;
}

/** The earliest and latest allowed time, in milliseconds: the years 1 to 9999, which every calendar can show. */
const [MIN_TIME, MAX_TIME] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];
/** The highest allowed version. Leaves room for later versions. */
const MAX_VERSION = 2 ** 52;
/** The texts of pages are limited only by the length of their line. */
const ANY_LENGTH = Number.POSITIVE_INFINITY;

const text = (column: string, maxCharacters: number) =>
  ({ column, isNullable: false, type: 'text', maxCharacters }) as const;
const integer = (column: string, min: number, max: number) =>
  ({ column, isNullable: false, type: 'integer', min, max }) as const;
const time = (column: string) => integer(column, MIN_TIME, MAX_TIME);
const flag = (column: string) => ({ column, isNullable: false, type: 'flag' }) as const;
const choice = (column: string, values: readonly string[]) =>
  ({ column, isNullable: false, type: 'choice', values }) as const;
const ref = (column: string, to: Numbered) => ({ column, isNullable: false, type: 'ref', to }) as const;
const nullable = <F extends Field>(field: F) => ({ ...field, isNullable: true }) as const;

const bodyFormats = ['', 'markdown_format', 'wysiwyg_format'];

/** The fields that pages and revisions share. */
const content = {
  name: text('name', 510),
  urlname: text('urlname', 1000),
  is_hidden: flag('is_hidden'),
  body_format: choice('body_format', bodyFormats),
  custom_date: time('custom_date'),
};
const texts = { description: nullable(text('description', ANY_LENGTH)), body: text('body', ANY_LENGTH) };

const page = {
  parent: nullable(ref('parent_id', 'pages')),
  position: integer('position', 1, 2 ** 31),
  status: choice('status', ['published', 'unpublished', 'default']),
  ...content,
  created_at: time('created_at'),
  created_by: ref('created_by', 'people'),
  updated_at: time('updated_at'),
  updated_by: ref('updated_by', 'people'),
  version: integer('version', 0, MAX_VERSION),
  ...texts,
};

const MAX_PAGES = 1_000_000;
const MAX_MONEY = 1_000_000_000;
const MAX_LIMIT = 2 ** 51;

/** The files with lines. They are ordered so that rows are inserted after the rows they refer to. */
export const archiveFiles = {
  account: {
    table: 'accounts',
    maxLines: 1,
    fields: {
      name: text('name', 510),
      subdomain: text('subdomain', 63),
      language: text('language', 35),
      time_zone: text('time_zone', 100),
      editor: choice('editor', bodyFormats.slice(1)),
      theme: choice('theme', themes),
      accent: text('accent', 7),
      second_button_page: nullable(ref('second_button_page_id', 'pages')),
      currency: nullable(text('currency', 3)),
      plan: nullable(text('plan_name', 510)),
      own_plan_name: text('own_plan_name', 510),
      own_plan_price_cents: integer('own_plan_price_cents', 0, MAX_MONEY),
      allows_agency: nullable(flag('is_allowed')),
      mails_agency_visits: nullable(flag('is_mailed')),
    },
  },
  plans: {
    table: 'plans',
    maxLines: 1000,
    fields: {
      name: text('name', 510),
      price_cents: integer('price_cents', 0, MAX_MONEY),
      interval: choice('interval', intervals),
      is_default: flag('is_default'),
      position: integer('position', 0, MAX_VERSION),
      description: text('description', 1000),
      trial_days: integer('trial_days', 0, 365),
      max_pages: nullable(integer('max_pages', 0, MAX_LIMIT)),
      max_people: nullable(integer('max_people', 0, MAX_LIMIT)),
      max_storage_bytes: nullable(integer('max_storage_bytes', 0, MAX_LIMIT)),
      max_domains: nullable(integer('max_domains', 0, MAX_LIMIT)),
      created_at: time('created_at'),
      retired_at: nullable(time('retired_at')),
    },
  },
  'brand-images': {
    table: 'brand_images',
    maxLines: 100,
    fields: { name: text('name', 50), created_at: time('created_at'), png: text('png', 2 ** 22) },
  },
  brand: {
    table: 'brands',
    maxLines: 1,
    fields: {
      name: text('name', 510),
      accent: text('accent', 7),
      support_email: nullable(text('support_email', 254)),
      support_url: nullable(text('support_url', 1000)),
      legal_notice_url: nullable(text('legal_notice_url', 1000)),
      privacy_url: nullable(text('privacy_url', 1000)),
      terms_url: nullable(text('terms_url', 1000)),
      sender_name: nullable(text('sender_name', 510)),
      reply_to: nullable(text('reply_to', 254)),
      logo: nullable(text('logo', 50)),
      logo_dark: nullable(text('logo_dark', 50)),
      icon: nullable(text('icon', 50)),
    },
  },
  'mail-words': {
    table: 'mail_words',
    maxLines: 100,
    fields: { kind: text('kind', 50), subject: text('subject', 1000), text: text('text', 50_000) },
  },
  domains: {
    table: 'domains',
    maxLines: 10_000,
    fields: { host: text('host', 253), is_app: flag('is_app') },
  },
  people: {
    table: 'users',
    maxLines: 1_000_000,
    fields: {
      name: text('name', 510),
      email: text('email', 254),
      role: choice('role', ['owner', 'admin', 'editor', 'viewer', 'accountant']),
      created_at: time('created_at'),
      removed_at: nullable(time('removed_at')),
      acts_for: nullable(ref('acts_for', 'people')),
      agent: nullable(text('agent', 1100)),
    },
  },
  pages: { table: 'pages', maxLines: MAX_PAGES, fields: page },
  deletions: {
    table: 'undos',
    maxLines: MAX_PAGES,
    fields: { by: ref('user_id', 'people'), at: time('created_at'), page: ref('page_id', 'pages') },
  },
  'deleted-pages': {
    table: 'removed_pages',
    maxLines: MAX_PAGES,
    fields: { deletion: ref('undo_id', 'deletions'), ...page },
  },
  revisions: {
    table: 'revisions',
    maxLines: 10 * MAX_PAGES,
    fields: {
      page: ref('page_id', 'pages'),
      version: page.version,
      by: ref('user_id', 'people'),
      at: time('at'),
      ...content,
      ...texts,
    },
  },
  drafts: {
    table: 'drafts',
    maxLines: MAX_PAGES,
    fields: {
      page: ref('page_id', 'pages'),
      by: ref('user_id', 'people'),
      based_on: integer('based_on', 0, MAX_VERSION),
      updated_at: time('updated_at'),
      fields: text('fields', ANY_LENGTH),
    },
  },
  redirects: {
    table: 'redirects',
    maxLines: 2 * MAX_PAGES,
    fields: { path: text('path', 20_000), page: ref('page_id', 'pages'), version: page.version },
  },
  images: {
    table: 'media',
    maxLines: 200_000,
    fields: {
      hash: text('hash', 32),
      kind: choice('kind', ['jpeg', 'png', 'webp', 'avif', 'gif']),
      width: integer('width', 1, 99_999),
      height: integer('height', 1, 99_999),
      is_moving: flag('is_moving'),
      name: text('name', 510),
      alt: nullable(text('alt', 1000)),
      created_at: time('created_at'),
      created_by: ref('created_by', 'people'),
      removed_at: nullable(integer('removed_at', 1, MAX_TIME)),
      removed_by: nullable(ref('removed_by', 'people')),
    },
  },
} as const satisfies Readonly<Record<string, ArchiveFile>>;

export type FileName = keyof typeof archiveFiles;

/** The names of the files, in the order in which their lines are inserted. */
export const fileNames = Object.keys(archiveFiles) as FileName[];

export function pathOf(name: FileName): string {
  return `${name}.jsonl`;
}

/** A line of the archive. */
export type Line = Record<string, unknown>;

/** The secrets of a user, in archives that contain them. */
export interface PersonSecrets {
  readonly password_hash: string | null;
  readonly second_factor: { readonly secret: string; readonly confirmed_at: number; readonly last_step: number } | null;
  readonly recovery_codes: readonly { readonly hash: string; readonly used_at: number | null }[];
}

export interface Manifest {
  readonly format: typeof FORMAT;
  readonly version: number;
  readonly has_secrets: boolean;
  readonly lines: Readonly<Record<FileName, number>>;
}
