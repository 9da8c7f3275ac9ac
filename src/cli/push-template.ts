import { formatAccountId } from '../accounts/account.ts';
import { operator } from '../audit/record-audit-event.ts';
import type { Db } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { openMediaStore } from '../media/open-store.ts';
import { previewPush, type SitePreview } from '../templates/preview-push.ts';
import { getPush, listPushes, type Push, startPush, undoPush } from '../templates/pushes.ts';
import { type PushDependencies, runPushes } from '../templates/run-pushes.ts';
import { listTemplates } from '../templates/templates.ts';
import { commandOfAccount } from './command.ts';
import { findTemplate } from './find-by-name.ts';
import { table } from './output.ts';

const TEMPLATE = 'TEMPLATE is its name or id (template_3).';

export const pushCommand = commandOfAccount({
  about: 'Copies changes of a template to the sites that were made from it.',
  details: `${TEMPLATE} Pages that were changed on a site are skipped, and counted.`,
  positionals: ['TEMPLATE'],
  options: {
    preview: { type: 'boolean', about: 'Only list what would change on each site.' },
  },
  example: 'Bakery --account acme --preview',
  async run({ config, db, account: { id: seller }, values, positionals: [which = ''] }) {
    const { id: templateId } = findTemplate(await listTemplates(db, seller), which);
    const { version, sites } = await previewAll(db, seller, templateId, config);
    if (values.preview) return previewResult(sites);
    const id = await db
      .transaction()
      .execute((trx) => startPush(trx, seller, { templateId, seenVersion: version }, operator));
    return pushResult(await runToEnd({ db, config }, seller, id), 'changed');
  },
});

export const undoPushCommand = commandOfAccount({
  about: 'Undoes the last push of a template on all sites.',
  details: `${TEMPLATE} Pages that were changed since then are skipped, and counted.`,
  positionals: ['TEMPLATE'],
  example: 'Bakery --account acme',
  async run({ config, db, account: { id: seller }, positionals: [which = ''] }) {
    const { id: templateId } = findTemplate(await listTemplates(db, seller), which);
    const last = (await listPushes(db, seller, templateId)).find(({ undo_begun_at }) => undo_begun_at === null);
    if (!last) throw new AppError('not_found', 'There is no push of this template to undo.');
    await db.transaction().execute((trx) => undoPush(trx, seller, last.id, operator));
    return pushResult(await runToEnd({ db, config }, seller, last.id), 'put back');
  },
});

async function previewAll(db: Db, seller: number, templateId: number, config: PushDependencies['config']) {
  const sites: SitePreview[] = [];
  for (let after = 0; ; ) {
    const part = await previewPush(db, seller, { templateId, after, limit: 100 }, config);
    sites.push(...part.sites);
    if (part.next === null) return { version: part.version, sites };
    after = part.next;
  }
}

/** Runs the push in this process. A running service may do part of it. */
async function runToEnd(
  { db, config }: { db: Db; config: PushDependencies['config'] & Parameters<typeof openMediaStore>[0] },
  seller: number,
  id: number,
): Promise<Push> {
  let unexpected: unknown;
  const onError = (error: unknown) => {
    unexpected = error;
  };
  await runPushes({ db, store: openMediaStore(config), config, onError });
  if (unexpected) throw unexpected;
  return getPush(db, seller, id);
}

function previewResult(sites: readonly SitePreview[]) {
  const counted = sites.map(({ siteId, subdomain, changes }) => {
    const count = (kind: string) => changes.filter((change) => change.kind === kind).length;
    const left = changes.flatMap((change) =>
      change.kind === 'left' ? [{ name: change.name, reason: change.reason }] : [],
    );
    return { id: formatAccountId(siteId), subdomain, updated: count('update'), added: count('add'), left };
  });
  const rows = counted.map(({ subdomain, updated, added, left }) => [
    ...[subdomain, String(updated), String(added), String(left.length)],
    left.map(({ name }) => name).join(', '),
  ]);
  return {
    text: table(['SITE', 'UPDATED', 'ADDED', 'LEFT', 'PAGES LEFT'], rows, 'No site was made from this template.'),
    json: { sites: counted },
  };
}

function pushResult({ sites, changedPages, leftPages }: Push, done: string) {
  const { failed, done: changed, undone } = sites;
  const count = changed + undone;
  return {
    text: `${changedPages} pages ${done} and ${leftPages} skipped on ${count} sites.${failed > 0 ? ` ${failed} sites failed.` : ''}`,
    json: { push: { sites: count, failed_sites: failed, pages: changedPages, left_pages: leftPages } },
    exitCode: failed > 0 ? 1 : 0,
  };
}
