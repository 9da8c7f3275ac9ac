import { type Actor, operator } from '../audit/record-audit-event.ts';
import type { Config } from '../config.ts';
import type { Db, Trx } from '../db/database.ts';
import { inEnglish } from '../english.ts';
import { ValidationError } from '../errors.ts';
import { fetchSettings } from '../media/fetch-file.ts';
import { openMediaStore } from '../media/open-store.ts';
import { messageInEnglish } from '../refusal-words.ts';
import type { OldSite } from '../site-imports/old-site.ts';
import { prepareSite, type SiteReport } from '../site-imports/prepare-site.ts';
import { noteInWords, reportInWords } from '../site-imports/report-words.ts';
import { sitePages } from '../site-imports/site-pages.ts';
import type { SiteToImport } from '../site-imports/site-to-import.ts';
import { findOwner } from '../users/find-owner.ts';
import type { Output } from './command.ts';
import { counted, printable } from './output.ts';

interface ImportOldSiteInput {
  readonly old: OldSite;
  /** The name of the page that becomes the parent of the posts. */
  readonly blogName: string;
  /** True to copy the images from the old site. */
  readonly images: boolean;
  readonly isDryRun: boolean;
  readonly report: (text: string) => void;
}

/** Creates the pages of another system's site on the account's site, or only checks them. */
export async function importOldSite(
  { config, db }: { config: Config; db: Db },
  { id, subdomain }: { id: number; subdomain: string },
  { old, blogName, images, isDryRun, report }: ImportOldSiteInput,
): Promise<Output> {
  const site = sitePages(old, { blogName });
  const dependencies = {
    db,
    store: openMediaStore(config),
    pageQuota: config.pageQuota,
    mediaQuota: config.mediaQuota,
    fetch: fetchSettings(config),
  };
  const commit = <T>(work: (trx: Trx, by: Actor) => Promise<T>) =>
    db.transaction().execute((trx) => work(trx, operator));
  const reportTenth = (done: number) => {
    if (done % 10 === 0) report(`${done} of ${site.images.length} images`);
  };
  const importer = { userId: await findOwner(db, id), commit, report: reportTenth };
  try {
    const make = await prepareSite(dependencies, id, { site, images, isDryRun }, importer);
    return resultOf(await commit(make), { subdomain, images, isDryRun });
  } catch (error) {
    return refusedResult(site, error);
  }
}

function resultOf(
  done: SiteReport,
  { subdomain, images, isDryRun }: { subdomain: string; images: boolean; isDryRun: boolean },
): Output {
  const { names, unpublished, redirects, renamed, imagesCopied, imagesLeft, failedImages, notes } = done;
  const text = [
    ...reportInWords(done).map(printable),
    ...(imagesLeft > 0
      ? [
          `${counted(imagesLeft, 'image')} ${imagesLeft === 1 ? 'stays' : 'stay'} at the old site${images ? '' : ': --images copies them'}.`,
        ]
      : []),
    `${counted(names.length, 'page')} ${isDryRun ? 'would be ' : ''}created on the site of "${subdomain}", ${unpublished} unpublished, with ${counted(redirects, 'redirect')} and ${counted(imagesCopied, 'image')}.`,
  ].join('\n');
  const failed = failedImages.map(({ address, error }) => ({ address, reason: messageInEnglish(error) }));
  const json = { pages: names.length, unpublished, redirects, images: imagesCopied, images_left: imagesLeft, renamed };
  return { text, json: { import: { ...json, images_failed: failed, notes } } };
}

/** Returns the broken rules, below the notes. @throws any error that is not a ValidationError */
function refusedResult({ pages, notes }: SiteToImport, error: unknown): Output {
  if (!(error instanceof ValidationError)) throw error;
  const wrong = error.fields.map((failure) => ({ place: failure.field, message: inEnglish(failure) }));
  const text = [
    ...notes.map((note) => printable(noteInWords(note))),
    ...wrong.map(({ place, message }) => printable(`${place} ${message}.`)),
    `None of the ${counted(pages.length, 'page')} was created.`,
  ].join('\n');
  return { text, json: { import: { pages: pages.length, created: 0, wrong, notes } }, exitCode: 1 };
}
