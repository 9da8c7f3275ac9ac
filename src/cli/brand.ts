import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { operator } from '../audit/record-audit-event.ts';
import { type BrandRow, findOwnBrand } from '../brands/brand.ts';
import type { BrandImageKind } from '../brands/brand-image.ts';
import { changeBrand, removeBrand } from '../brands/change-brand.ts';
import { uploadBrandImage } from '../brands/upload-brand-image.ts';
import type { Config } from '../config.ts';
import type { Db, Trx } from '../db/database.ts';
import { ImageMaker } from '../media/image-maker.ts';
import { changeWords, resetWords, words } from './brand-words.ts';
import { command, type Group, UsageError } from './command.ts';
import { ACCOUNT, findAccount } from './find-account.ts';
import { facts, time } from './output.ts';

const show = command({
  about: "Shows an account's brand.",
  details: ACCOUNT,
  positionals: ['ACCOUNT'],
  example: 'acme',
  async run({ db, positionals }) {
    const { id, subdomain } = await findAccount(db, positionals[0]!);
    const brand = await findOwnBrand(db, id);
    if (!brand) return { text: `"${subdomain}" has no brand.`, json: { brand: null } };
    return { text: inWords(brand), json: { brand: brandJson(brand) } };
  },
});

const url = (about: string) => ({ type: 'string', value: 'URL', about }) as const;

const image = (about: string) =>
  ({ type: 'string', value: 'FILE', about: `${about}: JPEG, PNG, WebP, AVIF or GIF.` }) as const;

const change = command({
  about: "Changes what an account's customers see instead of the product's name.",
  details: `${ACCOUNT} Options that are not given stay as they are; '' clears one. If the\naccount has no brand, the command creates one, and needs --name.`,
  positionals: ['ACCOUNT'],
  options: {
    name: { type: 'string', value: 'NAME', about: 'The name in the app and on its sign-in page.' },
    accent: {
      type: 'string',
      value: '1f5fbf',
      about: 'The colour. It is made lighter or darker where text would be hard to read.',
    },
    'support-email': { type: 'string', value: 'ADDRESS', about: 'The mail address for questions.' },
    'support-url': url('The page for questions.'),
    'legal-notice-url': url('The legal notice.'),
    'privacy-url': url('The privacy policy.'),
    'terms-url': url('The terms of service.'),
    'sender-name': { type: 'string', value: 'NAME', about: 'The sender of messages. Default: the name.' },
    logo: image('The logo'),
    'logo-dark': image('The logo on dark colours'),
    icon: image('The icon, a square'),
    'reply-to': { type: 'string', value: 'ADDRESS', about: 'The address for replies to messages.' },
  },
  example: "acme --name 'Acme Agency' --accent 0a7d4f --support-email help@acme.example",
  async run({ db, config, positionals, values }) {
    if (Object.values(values).every((value) => value === undefined))
      throw new UsageError('Missing: an option to change.');
    const { id } = await findAccount(db, positionals[0]!);
    const images = await storeImages(db, config, id, values);
    const brand = await db.transaction().execute((trx) =>
      changeBrand(
        trx,
        id,
        {
          ...images,
          name: values.name,
          accent: values.accent,
          supportEmail: values['support-email'],
          supportUrl: values['support-url'],
          legalNoticeUrl: values['legal-notice-url'],
          privacyUrl: values['privacy-url'],
          termsUrl: values['terms-url'],
          senderName: values['sender-name'],
          replyTo: values['reply-to'],
        },
        operator,
      ),
    );
    return { text: inWords(brand), json: { brand: brandJson(brand) } };
  },
});

type ImageOption = 'logo' | 'logo-dark' | 'icon';

/** Stores the images of the given files. Returns their names. */
async function storeImages(
  db: Db,
  config: Config,
  accountId: number,
  files: { [O in ImageOption]?: string | undefined },
) {
  const maker = new ImageMaker();
  const store = async (file: string | undefined, kind: BrandImageKind) => {
    if (!file) return file;
    const source = createReadStream(file);
    await once(source, 'open').catch(() => {
      throw new UsageError(`The file "${file}" cannot be read.`);
    });
    const commit = (work: (trx: Trx) => Promise<string>) => db.transaction().execute(work);
    return uploadBrandImage(accountId, { source, kind, limit: config.maxBodyBytes, maker, commit }, operator);
  };
  try {
    return {
      logo: await store(files.logo, 'logo'),
      logoDark: await store(files['logo-dark'], 'logo'),
      icon: await store(files.icon, 'icon'),
    };
  } finally {
    maker.close();
  }
}

const remove = command({
  about: "Removes an account's brand: its customers see the brand of its seller, or the product's name.",
  details: ACCOUNT,
  positionals: ['ACCOUNT'],
  example: 'acme',
  async run({ db, positionals }) {
    const { subdomain } = await db.transaction().execute(async (trx) => {
      const account = await findAccount(trx, positionals[0]!);
      await removeBrand(trx, account.id, operator);
      return account;
    });
    return { text: `"${subdomain}" no longer has a brand.`, json: { brand: null } };
  },
});

export const brandCommands: Group = {
  about: "Brands: what an account's customers see instead of the product's name.",
  commands: { show, change, words, 'change-words': changeWords, 'reset-words': resetWords, remove },
};

function inWords(brand: BrandRow): string {
  return facts({
    Name: brand.name,
    Accent: brand.accent,
    'Support address': brand.support_email ?? 'none',
    'Support page': brand.support_url ?? 'none',
    'Legal notice': brand.legal_notice_url ?? 'none',
    'Privacy policy': brand.privacy_url ?? 'none',
    'Terms of service': brand.terms_url ?? 'none',
    Sender: brand.sender_name ?? brand.name,
    Logo: brand.logo ? 'uploaded' : 'none',
    'Logo on dark colours': brand.logo_dark ? 'uploaded' : 'none',
    Icon: brand.icon ? 'uploaded' : 'none',
    'Replies to': brand.reply_to ?? "the owner's address",
    Changed: time(brand.changed_at),
  });
}

function brandJson(brand: BrandRow) {
  return {
    name: brand.name,
    accent: brand.accent,
    support_email: brand.support_email,
    support_url: brand.support_url,
    legal_notice_url: brand.legal_notice_url,
    privacy_url: brand.privacy_url,
    terms_url: brand.terms_url,
    sender_name: brand.sender_name,
    reply_to: brand.reply_to,
    logo: brand.logo,
    logo_dark: brand.logo_dark,
    icon: brand.icon,
    changed_at: time(brand.changed_at),
  };
}
