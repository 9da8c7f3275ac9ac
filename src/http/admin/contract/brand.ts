import * as v from 'valibot';
import { type MailKind, type MailWords, mailKinds } from '../../../mail/mail-words.ts';
import { integer, oneOf, text } from '../schema.ts';

/* What the customers of an account see instead of the product's name. */

export interface BrandImageJson {
  /** A path of this origin. */
  src: string;
  /** In pixels. */
  width: number;
  height: number;
}

/** In `AccountJson`: the brand that the account's people see. */
export interface ShownBrandJson {
  name: string;
  supportEmail: string | null;
  supportUrl: string | null;
  legalNoticeUrl: string | null;
  privacyUrl: string | null;
  termsUrl: string | null;
  logo: BrandImageJson | null;
  /** For dark colours; null for the logo. */
  logoDark: BrandImageJson | null;
  icon: BrandImageJson | null;
  /** Rules that give the app the brand's colour. */
  style: string;
}

/** GET /admin/brand */
export interface BrandAnswerJson {
  /** The account's own; null for none. */
  brand: BrandJson | null;
  /** Takes the replies to messages without an address for them; null if the owner has none that is proved. */
  ownersAddress: string | null;
}

/** DELETE /admin/brand → {brand: null} */
export interface BrandJson extends Omit<ShownBrandJson, 'style' | 'logo' | 'logoDark' | 'icon'> {
  /** Names of images, as uploading them answers; null for none. */
  logo: string | null;
  logoDark: string | null;
  icon: string | null;
  accent: string;
  senderName: string | null;
  replyTo: string | null;
  version: number;
  changedAt: number;
}

/**
 * PUT /admin/brand → {brand}. What is not sent stays as it is, and an empty text empties a field. 409 if the brand is not the
 * version `seenVersion`, 0 for none.
 */
export const brandInput = v.object({
  name: v.optional(text),
  accent: v.optional(text),
  supportEmail: v.optional(text),
  supportUrl: v.optional(text),
  legalNoticeUrl: v.optional(text),
  privacyUrl: v.optional(text),
  termsUrl: v.optional(text),
  senderName: v.optional(text),
  replyTo: v.optional(text),
  logo: v.optional(text),
  logoDark: v.optional(text),
  icon: v.optional(text),
  seenVersion: v.optional(integer),
});
export type BrandInput = v.InferInput<typeof brandInput>;

/**
 * POST /admin/brand/preview, also as a form → the sign-in page or a message to an invented customer, as a document for a
 * frame, with a brand as it is typed. Nothing is checked.
 */
export const brandPreviewInput = v.object({
  of: oneOf(['sign-in', 'mail']),
  scheme: oneOf(['light', 'dark']),
  name: text,
  accent: text,
  supportEmail: text,
  supportUrl: text,
  legalNoticeUrl: text,
  privacyUrl: text,
  termsUrl: text,
  senderName: text,
  replyTo: text,
  logo: text,
  logoDark: text,
  icon: text,
});
export type BrandPreviewInput = v.InferInput<typeof brandPreviewInput>;

/**
 * POST /admin/brand/images?kind=, with an image as the body → BrandImageNameJson. The brand shows it once PUT /admin/brand names
 * it. It is at /-/brand/NAME.png, for everybody.
 */
export const brandImageQuery = v.object({ kind: oneOf(['logo', 'icon']) });
export interface BrandImageNameJson {
  name: string;
}

/** GET /admin/mail-words, and the answer to each change of them */
export interface MailWordsAnswerJson {
  /** Only accounts that the operator has set up can. */
  mayChange: boolean;
  /** Without a brand, words cannot be changed. */
  hasBrand: boolean;
  mails: MailWordsJson[];
}
export interface MailWordsJson extends MailWords {
  kind: MailKind;
  /** 0 for the default. */
  version: number;
  default: MailWords;
  /** Names of placeholders: those that the text must have, and those that subject and text can have. */
  required: string[];
  optional: string[];
}

/** PUT /admin/mail-words → MailWordsAnswerJson. 409 if they are not the version `seenVersion`. */
export const mailWordsInput = v.object({
  kind: oneOf(mailKinds),
  subject: text,
  text,
  seenVersion: v.optional(integer),
});
export type MailWordsInput = v.InferInput<typeof mailWordsInput>;

/** POST /admin/mail-words/reset → MailWordsAnswerJson: back to the default. */
export const resetWordsInput = v.object({ kind: oneOf(mailKinds), seenVersion: v.optional(integer) });
export type ResetWordsInput = v.InferInput<typeof resetWordsInput>;

/** POST /admin/mail-words/preview, also as a form → a message to an invented customer with these words, as a document. */
export const previewWordsInput = v.object({
  kind: oneOf(mailKinds),
  as: oneOf(['html', 'text']),
  scheme: oneOf(['light', 'dark']),
  subject: text,
  text,
});
export type PreviewWordsInput = v.InferInput<typeof previewWordsInput>;
