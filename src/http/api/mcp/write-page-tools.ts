import type { Trx } from '../../../db/database.ts';
import { AppError, notFound } from '../../../errors.ts';
import { createPage } from '../../../pages/create-page.ts';
import { type Draft, findDraft, updateDraft } from '../../../pages/drafts.ts';
import { formatPageId, parsePageId } from '../../../pages/page.ts';
import { countPageBytes, countUndoBytes } from '../../../pages/page-bytes.ts';
import { checkUnchanged } from '../../../pages/page-conflict.ts';
import { getPageDetails } from '../../../pages/page-details.ts';
import { publishPage } from '../../../pages/publish-page.ts';
import { undoChange } from '../../../pages/undo-change.ts';
import { parseId } from '../../../parse-id.ts';
import { changing } from '../changing.ts';
import { createPageOperation } from '../create-page.ts';
import type { ObjectSchema } from '../operation.ts';
import { pageChanges, parsePageChange } from '../page-changes.ts';
import { fieldParameters } from './operation-tool.ts';
import { pageIdParameter, readPageId } from './page-tools.ts';
import { numberParameter, readNumber, required, type Tool, textParameter, tool } from './tool.ts';

const { is_published: _, ...newPageFields } = (createPageOperation.input as ObjectSchema).fields;

export const createPageTool = tool({
  name: 'create_page',
  title: 'Create a page',
  description:
    'Creates a page, last among its siblings. It is not published: visitors do not see it until you use publish_page. To undo it, use delete_page.',
  scope: 'pages:write',
  effect: 'adds',
  parameters: fieldParameters(newPageFields),
  run: async ({ db, config }, { ctx, keyOwner, args }) => {
    const { name, body, parent_id: parentId, is_hidden: isHidden, description, body_format: bodyFormat } = args;
    const page = { name, body, parentId, isHidden, description, bodyFormat };
    const rest = { isPublished: 'false', quota: config.pageQuota };
    const create = changing(keyOwner, ctx, async (trx, by) => {
      const { userId, keyId, ip } = by;
      const id = await createPage(trx, keyOwner.accountId, { ...page, ...rest, userId, keyId, ip, actor: by });
      return getPageDetails(trx, keyOwner.accountId, id);
    });
    const { id, path, version } = await create(db);
    return { page_id: formatPageId(id), url: path, version, is_published: false };
  },
});

const draftVersion = numberParameter(
  '"draft_version" of the draft that you have read or saved; leave it out if there was no draft.',
);

const countPage: Tool<{ page_id: typeof pageIdParameter }>['countTexts'] = (
  { db },
  { keyOwner: { accountId, userId }, args },
) => countPageBytes(db, accountId, { id: parsePageId(args.page_id) ?? 0, userId });

const { name, urlname, body, body_format, description, is_hidden, custom_date } = pageChanges.fields;

export const saveDraftTool = tool({
  name: 'save_draft',
  title: 'Save a draft of a page',
  description:
    "Saves a draft: new contents of the page, which the person you work for can see and publish in the editor, or which you publish with publish_page. The page itself stays as it is. Fields that are not given stay as they are. Write the whole text in the page's body_format: HTML or Markdown. Read the page first.",
  scope: 'pages:write',
  effect: 'adds',
  parameters: {
    page_id: pageIdParameter,
    version: required(numberParameter('"version" of the page that you have read.')),
    draft_version: draftVersion,
    ...fieldParameters({ name, urlname, body, body_format, description, is_hidden, custom_date }),
  },
  countTexts: countPage,
  run: async ({ db, config }, { ctx, keyOwner, args }) => {
    const { page_id, version: wanted, draft_version, ...texts } = args;
    const id = readPageId(page_id);
    const basedOn = readNumber('version', wanted, { min: 0, max: Number.MAX_SAFE_INTEGER, otherwise: 0 });
    const { fields } = parsePageChange(texts);
    const { accountId, userId } = keyOwner;
    const save = changing(keyOwner, ctx, async (trx) => {
      const page = await getPageDetails(trx, accountId, id);
      await checkUnchanged(trx, accountId, page, basedOn);
      await findSeenDraft(trx, accountId, { id, userId, draft_version });
      return updateDraft(trx, accountId, { id, userId, fields, draftAt: undefined, basedOn, quota: config.pageQuota });
    });
    const { updatedAt } = await save(db);
    return { page_id: formatPageId(id), version: basedOn, draft_version: updatedAt };
  },
});

export const publishPageTool = tool({
  name: 'publish_page',
  title: 'Publish a page',
  description:
    'Publishes the draft of a page, or a page that is not published yet, as it is: visitors see it from then on. Ask the person you work for first. To undo it, use undo with the undo_id of the result.',
  scope: 'pages:write',
  effect: 'replaces',
  parameters: { page_id: pageIdParameter, draft_version: draftVersion },
  countTexts: countPage,
  run: async ({ db, config }, { ctx, keyOwner, args }) => {
    const id = readPageId(args.page_id);
    const { accountId, userId } = keyOwner;
    const publish = changing(keyOwner, ctx, async (trx, by) => {
      const { version, isPublished, path } = await getPageDetails(trx, accountId, id);
      const draft = await findSeenDraft(trx, accountId, { id, userId, draft_version: args.draft_version });
      if (!draft && isPublished) throw new AppError('invalid', 'The page is already published, and has no draft.');
      const basedOn = draft?.basedOn ?? version;
      const input = { id, basedOn, fields: undefined, draftAt: null, quota: config.pageQuota };
      return { path, ...(await publishPage(trx, accountId, input, by)) };
    });
    const { path, undo } = await publish(db);
    return { page_id: formatPageId(id), url: path, is_published: true, undo_id: undoId(undo) };
  },
});

export const undoTool = tool({
  name: 'undo',
  title: 'Undo a change of a page',
  description:
    'Undoes a change by the undo_id of its result, within 30 days, unless somebody has changed the page since. The undo_id of this result makes the change again.',
  scope: 'pages:write',
  effect: 'replaces',
  parameters: { undo_id: required(textParameter('The undo_id, like undo_12.')) },
  countTexts: async ({ db }, { keyOwner: { accountId, userId }, args }) =>
    countUndoBytes(db, accountId, { id: parseId('undo', args.undo_id) ?? 0, userId }),
  run: async ({ db, config }, { ctx, keyOwner, args }) => {
    const id = parseId('undo', args.undo_id);
    if (id === undefined) throw notFound('The change to undo');
    const input = { id, quota: config.pageQuota };
    const done = await changing(keyOwner, ctx, (trx, by) => undoChange(trx, keyOwner.accountId, input, by))(db);
    return { page_id: formatPageId(done.pageId), undo_id: undoId(done.undo) };
  },
});

/**
 * Returns the draft of the page, if there is one. @throws AppError `outdated` if it is not the draft that the assistant has
 * seen, so that no draft is lost
 */
async function findSeenDraft(
  trx: Trx,
  accountId: number,
  { id, userId, draft_version: seen }: { id: number; userId: number; draft_version: string | undefined },
): Promise<Draft | undefined> {
  const draft = await findDraft(trx, accountId, { id, userId });
  if (String(draft?.updatedAt ?? '') === (seen ?? '')) return draft;
  throw new AppError(
    'outdated',
    draft ? 'The draft of the page has changed in the meantime.' : 'The draft no longer exists.',
  );
}

function undoId(undo: number | undefined): string | null {
  return undo === undefined ? null : `undo_${undo}`;
}
