import { operator } from '../audit/record-audit-event.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/database.ts';
import { inEnglish } from '../english.ts';
import { type AppError, ValidationError } from '../errors.ts';
import { ImageMaker } from '../media/image-maker.ts';
import { openMediaStore } from '../media/open-store.ts';
import { importImages } from '../site-imports/import-images.ts';
import { importSite } from '../site-imports/import-site.ts';
import type { OldSite } from '../site-imports/old-site.ts';
import { sitePages } from '../site-imports/site-pages.ts';
import type { ImportNote, SiteToImport } from '../site-imports/site-to-import.ts';
import { findOwner } from '../users/find-owner.ts';
import { messageOf } from './cli-error.ts';
import type { Output } from './command.ts';

interface ImportOldSiteInput {
  readonly old: OldSite;
  /** The name of the page below which the posts come. */
  readonly blogName: string;
  /** Whether the images are copied from the old site. */
  readonly images: boolean;
  readonly isDryRun: boolean;
  readonly report: (text: string) => void;
}

/** Creates the pages of another system's site on the site of the account, or only checks them. */
export async function importOldSite(
  { config, db }: { config: Config; db: Db },
  { id, subdomain }: { id: number; subdomain: string },
  { old, blogName, images, isDryRun, report }: ImportOldSiteInput,
): Promise<Output> {
  const site = sitePages(old, { blogName });
  const userId = await findOwner(db, id);
  const input = { site, quota: config.pageQuota };
  // Before the images: they take long, and are of no use without the pages.
  const check = { ...input, imageUrls: [], isDryRun: true };
  const checked = await db
    .transaction()
    .execute((trx) => importSite(trx, id, check, { userId, by: operator }))
    .catch((error) => refusedResult(site, error));
  if ('text' in checked) return checked;
  const found = images && !isDryRun ? await copyImages({ config, db }, id, site.images, { userId, report }) : [];
  const imageUrls = found.map((url) => (typeof url === 'string' ? url : undefined));
  const done = isDryRun
    ? checked
    : await db
        .transaction()
        .execute((trx) => importSite(trx, id, { ...input, imageUrls, isDryRun: false }, { userId, by: operator }));
  const unpublished = site.pages.filter(({ status }) => status === 'unpublished').length;
  const failed = found.flatMap((error, index) =>
    typeof error === 'string' ? [] : [{ address: site.images[index]!, reason: messageOf(error) }],
  );
  const { renamed, redirects } = done;
  const count = site.pages.length;
  const copied = found.length - failed.length;
  const left = site.images.length - copied;
  const text = [
    ...site.notes.map(inWords),
    ...failed.map(({ address, reason }) => `${address} is not copied. ${reason}`),
    ...renamed.map(({ from, to }) => `"${from}" becomes "${to}", since a page has that name.`),
    ...(left > 0
      ? [
          `${counted(left, 'image')} ${left === 1 ? 'stays' : 'stay'} at the old site${images ? '' : ': --images copies them'}.`,
        ]
      : []),
    `${counted(count, 'page')} ${isDryRun ? 'would be ' : ''}created on the site of "${subdomain}", ${unpublished} unpublished, with ${counted(redirects, 'redirect')} and ${counted(copied, 'image')}.`,
  ].join('\n');
  const json = { pages: count, unpublished, redirects, images: copied, images_left: left, renamed };
  return { text, json: { import: { ...json, images_failed: failed, notes: site.notes } } };
}

/** Returns what is wrong, below what is told anyway. @throws an error of another kind */
function refusedResult({ pages, notes }: SiteToImport, error: unknown): Output {
  if (!(error instanceof ValidationError)) throw error;
  const wrong = error.fields.map((failure) => ({
    // The name is better known than the place.
    place: failure.field.replace(/^pages\[(\d+)\]/, (_, index) => `"${pages[Number(index)]!.name}"`),
    message: inEnglish(failure),
  }));
  const text = [
    ...notes.map(inWords),
    ...wrong.map(({ place, message }) => `${place} ${message}.`),
    `None of the ${counted(pages.length, 'page')} is created.`,
  ].join('\n');
  return { text, json: { import: { pages: pages.length, created: 0, wrong, notes } }, exitCode: 1 };
}

async function copyImages(
  { config, db }: { config: Config; db: Db },
  accountId: number,
  addresses: readonly string[],
  { userId, report }: { userId: number; report: (text: string) => void },
): Promise<(string | AppError)[]> {
  const maker = new ImageMaker();
  const fetch = {
    dnsServers: config.dnsServers,
    allowsPrivateNetworks: config.webhooksToPrivateNetworks,
    limit: config.maxBodyBytes,
  };
  try {
    return await importImages(
      { db, store: openMediaStore(config), maker, quota: config.mediaQuota, fetch },
      accountId,
      addresses,
      {
        createdBy: userId,
        by: operator,
        report: (done) => {
          if (done % 10 === 0) report(`${done} of ${addresses.length} images`);
        },
      },
    );
  } finally {
    maker.close();
  }
}

const sentences: Readonly<Record<ImportNote['code'], (value: string) => string>> = {
  not_imported_type: (type) => `Things of the type "${type}" are not imported`,
  in_trash: () => 'It is in the trash, and not imported',
  password: () => 'It has a password, which pages here cannot have: it is not published',
  members_only: () => 'Only members could see it: it is not published',
  no_html: () => 'The export has no text of it',
  block: (name) => `The block "${name}" is left out: WordPress fills it only when it shows the page`,
  shortcode: (name) => `[${name}] means nothing here, and stays as text`,
  form_or_script: (element) => `<${element}> is left out`,
  old_link: (address) => `It links to ${address}, which has no counterpart here`,
  kept_as_html: () => 'Its HTML nests too deep to be tidied, and stays as it is',
};

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function inWords({ code, page, value, count }: ImportNote): string {
  const times = count === 1 ? '' : ` (${count} times)`;
  return `${page === undefined ? '' : `"${page}": `}${sentences[code](value)}${times}.`;
}
