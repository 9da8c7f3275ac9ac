import { findOwnBrand } from '../../brands/brand.ts';
import { brandImage } from '../../brands/brand-image.ts';
import { changeMailWords, resetMailWords } from '../../brands/change-mail-words.ts';
import { listMailWords } from '../../brands/list-mail-words.ts';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/database.ts';
import { exampleMail } from '../../mail/example-mail.ts';
import { defaultWords, type MailKind, placeholdersOf } from '../../mail/mail-words.ts';
import { replyAddressOfOwner } from '../../mail/reply-address.ts';
import { isTopLevel } from '../../tenancy/is-top-level.ts';
import { appUrl } from '../host.ts';
import { mailWordsInput, previewWordsInput, resetWordsInput } from './contract/brand.ts';
import type { MailWordsAnswerJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { brandPreviewPolicy, mailPreview, textPreview } from './mail-preview.ts';
import { documentResponse, jsonResponse } from './responses.ts';
import { type AdminRoute, route, type SignedInRequest } from './route.ts';

/** Returns the routes for the texts of messages to the account's customers. */
export function mailWordsRoutes({ db, config }: RouteDependencies): AdminRoute[] {
  const answer = async (accountId: number) => jsonResponse(200, await read(db, accountId));
  return [
    route('GET /admin/mail-words', {
      needs: 'manage_brand',
      handle: ({ sessionOwner }) => answer(sessionOwner.accountId),
    }),
    route('PUT /admin/mail-words', {
      needs: 'manage_brand',
      body: mailWordsInput,
      handle: async ({ sessionOwner: { accountId }, actor, body, change }) => {
        const input = { ...body, kind: body.kind as MailKind };
        await change((trx) => changeMailWords(trx, accountId, input, actor));
        return answer(accountId);
      },
    }),
    route('POST /admin/mail-words/reset', {
      needs: 'manage_brand',
      body: resetWordsInput,
      handle: async ({ sessionOwner: { accountId }, actor, body, change }) => {
        const input = { ...body, kind: body.kind as MailKind };
        await change((trx) => resetMailWords(trx, accountId, input, actor));
        return answer(accountId);
      },
    }),
    route('POST /admin/mail-words/preview', {
      mayBeForm: true,
      needs: 'manage_brand',
      body: previewWordsInput,
      handle: async (request) => {
        const shownTo = { ...config, publicUrl: appUrl(request.ctx, config.publicUrl) };
        return documentResponse(await preview(db, shownTo, request), brandPreviewPolicy(shownTo.publicUrl));
      },
    }),
  ];
}

async function read(db: Db, accountId: number): Promise<MailWordsAnswerJson> {
  const [brand, words, mayChange] = await Promise.all([
    findOwnBrand(db, accountId),
    listMailWords(db, accountId),
    isTopLevel(db, accountId),
  ]);
  return {
    mayChange,
    hasBrand: brand !== undefined,
    mails: words.map(({ kind, subject, text, version }) => ({
      kind,
      subject,
      text,
      version,
      default: defaultWords[kind],
      required: [...placeholdersOf[kind].required],
      optional: [...placeholdersOf[kind].optional],
    })),
  };
}

async function preview(
  db: Db,
  config: Config,
  { sessionOwner: { accountId }, body }: SignedInRequest<typeof previewWordsInput>,
): Promise<string> {
  const { kind, as, scheme, ...words } = body;
  const [brand, owner] = await Promise.all([findOwnBrand(db, accountId), replyAddressOfOwner(db, accountId)]);
  const { name, accent } = brand ?? { name: '', accent: '#1f5f56' };
  const sender = {
    accent,
    senderName: name,
    replyTo: brand?.reply_to ?? owner,
    brand: {
      name,
      accent,
      senderName: brand?.sender_name ?? name,
      subdomain: 'bakery',
      appHost: null,
      logo: brandImage(brand?.logo ?? null),
      logoDark: brandImage(brand?.logo_dark ?? null),
      words: isDefault(kind as MailKind, words) ? null : words,
    },
  };
  const message = exampleMail(kind as MailKind, sender, config);
  return as === 'text' ? textPreview(message, scheme as 'dark') : mailPreview(message, scheme as 'dark');
}

function isDefault(kind: MailKind, { subject, text }: { subject: string; text: string }): boolean {
  const own = defaultWords[kind];
  return own.subject === subject && own.text === text;
}
