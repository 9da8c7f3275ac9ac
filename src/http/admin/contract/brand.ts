import * as v from 'valibot';
import { type MailKind, type MailWords, mailKinds } from '../../../mail/mail-words.ts';
import { integer, oneOf, text } from '../schema.ts';

/* The brand of an account, which its customers see instead of the product's name. */

export interface BrandImageJson {
  /** A path on the origin of the admin app. */
  src: string;
  /** In pixels. */
  width: number;
  height: number;
}

/** The brand that the account's users see. Part of `AccountJson`. */
export interface ShownBrandJson {
  name: string;
  supportEmail: string | null;
  supportUrl: string | null;
  legalNoticeUrl: string | null;
  privacyUrl: string | null;
  termsUrl: string | null;
  logo: BrandImageJson | null;
  /** The logo for dark mode; null if `logo` is used there, too. */
  logoDark: BrandImageJson | null;
  icon: BrandImageJson | null;
  /** CSS rules that give the app the brand's colour. */
  style: string;
}

/** GET /admin/brand */
export interface BrandAnswerJson {
  /** The account's own brand; null if it has none. */
  brand: BrandJson | null;
  /** The owner's address, which gets replies if the brand has no `replyTo`; null unless the owner has proved it. */
  ownersAddress: string | null;
}

/** The brand as its account edits it. DELETE /admin/brand → {brand: null} */
export interface BrandJson extends Omit<ShownBrandJson, 'style' | 'logo' | 'logoDark' | 'icon'> {
  /** Names of images, as returned by the upload; null for no image. */
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
 * PUT /admin/brand → {brand}. Omitted fields stay as they are; an empty text clears a field. `seenVersion` is the version that
 * the person saw, or 0 if there was no brand; 409 if the brand has another version by now.
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
 * POST /admin/brand/preview, as JSON or as a form → an HTML document for a frame: the sign-in page, or a message to an example
 * customer, with the brand as typed so far. Nothing is validated.
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
 * POST /admin/brand/images?kind=, with an image as the body → BrandImageNameJson. The image is public at /-/brand/NAME.png. It
 * belongs to the brand once PUT /admin/brand names it.
 */
export const brandImageQuery = v.object({ kind: oneOf(['logo', 'icon']) });
export interface BrandImageNameJson {
  name: string;
}

/** The texts of messages to customers. GET /admin/mail-words; each change of them answers with this, too. */
export interface MailWordsAnswerJson {
  /** True for accounts that the operator has set up: no others may change the texts. */
  mayChange: boolean;
  /** Without a brand, texts cannot be changed. */
  hasBrand: boolean;
  mails: MailWordsJson[];
}
export interface MailWordsJson extends MailWords {
  kind: MailKind;
  /** 0 for the default text. */
  version: number;
  default: MailWords;
  /** Names of placeholders: the text must contain the required ones; subject and text may contain the optional ones. */
  required: string[];
  optional: string[];
}

/** PUT /admin/mail-words → MailWordsAnswerJson. 409 if the text has another version than `seenVersion` by now. */
export const mailWordsInput = v.object({
  kind: oneOf(mailKinds),
  subject: text,
  text,
  seenVersion: v.optional(integer),
});
export type MailWordsInput = v.InferInput<typeof mailWordsInput>;

/** POST /admin/mail-words/reset → MailWordsAnswerJson. Restores the default text. */
export const resetWordsInput = v.object({ kind: oneOf(mailKinds), seenVersion: v.optional(integer) });
export type ResetWordsInput = v.InferInput<typeof resetWordsInput>;

/** POST /admin/mail-words/preview, as JSON or as a form → an HTML document: a message to an example customer with this text. */
export const previewWordsInput = v.object({
  kind: oneOf(mailKinds),
  as: oneOf(['html', 'text']),
  scheme: oneOf(['light', 'dark']),
  subject: text,
  text,
});
