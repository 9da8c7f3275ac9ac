import * as v from 'valibot';
import { text } from '../schema.ts';
import type { Permission, Role } from './common.ts';
import type { ImpersonationJson } from './impersonations.ts';
import type { AccountJson } from './settings.ts';

/* Signing in and out, and what one has to sign in with. */

/** POST /admin/sign-in */
export const signInInput = v.object({
  email: text,
  password: text,
  /** The subdomain of the site: from the address of the sign-in page, or chosen. */
  account: v.optional(text),
  /** The code of the second factor: six digits, or a recovery code. */
  code: v.optional(text),
});
export type SignInInput = v.InferInput<typeof signInInput>;
export type SignInJson = SignedInJson | { choose: { subdomain: string; name: string }[] };

export interface SignedInJson {
  signedIn: true;
  /** Set if the menu does not begin with the pages. */
  firstScreen?: 'overview';
}

/** GET /admin/session */
export interface SessionJson {
  user: {
    id: number;
    name: string;
    email: string;
    role: Role;
    permissions: Permission[];
    /** False for those who came by a link and have none yet: `current` is not asked of them. */
    hasPassword: boolean;
    hasSecondFactor: boolean;
  };
  account: AccountJson;
  /** Whether other accounts were created under this one, and are there. */
  hasCustomers: boolean;
  /** The name of the account that sells this one; null for a top-level account. */
  agency: string | null;
  /** Set if the session is not the user's own: somebody of the agency acts for them. The id is then none of a person. */
  impersonation: ImpersonationJson | null;
}

/** POST /admin/forgotten-password → 204, always */
export const forgottenPasswordInput = v.object({ email: text, account: v.optional(text) });
export type ForgottenPasswordInput = v.InferInput<typeof forgottenPasswordInput>;

/** The token of a mailed link. */
export const tokenInput = v.object({ token: text });
export type TokenInput = v.InferInput<typeof tokenInput>;

/** POST /admin/one-time-link {token}: what a link that was not used yet is for; 404 for any other. Does not use it. */
export interface OneTimeLinkJson {
  purpose: 'reset_password' | 'invitation' | 'sign_in' | 'change_email';
  /** The one it was mailed to. */
  email: string;
  accountName: string;
}

/**
 * POST /admin/reset-password → {signedIn, firstScreen}: for `reset_password` and `invitation`. `signedIn` is false where a second
 * factor is still to be asked for: go to the sign-in page. POST /admin/sign-in-link {token} → {signedIn: true}: for `sign_in`.
 */
export const resetPasswordInput = v.object({ token: text, password: text });
export type ResetPasswordInput = v.InferInput<typeof resetPasswordInput>;

/** The current password; users without one leave it out. */
const currentPassword = v.optional(text, '');

export const currentPasswordInput = v.object({ current: currentPassword });
export type CurrentPasswordInput = v.InferInput<typeof currentPasswordInput>;

/** POST /admin/password → 204; every session of the user's ends, and the browser gets a new one. */
export const changePasswordInput = v.object({ current: currentPassword, password: text, confirmation: text });
export type ChangePasswordInput = v.InferInput<typeof changePasswordInput>;

/** POST /admin/welcome → 204, for users without a password; every session of the user's ends, and the browser gets a new one. */
export const completeUserInput = v.object({ name: text, email: text, password: text });
export type CompleteUserInput = v.InferInput<typeof completeUserInput>;

/** PATCH /admin/you → 204: the user's own; PATCH /admin/passkeys/ID → 204 */
export const nameInput = v.object({ name: text });
export type NameInput = v.InferInput<typeof nameInput>;

/** POST /admin/email → 204: a link is on its way to the address, and works for 30 minutes; until then the old one counts. */
export const changeEmailInput = v.object({ email: text, current: currentPassword });
export type ChangeEmailInput = v.InferInput<typeof changeEmailInput>;

/** POST /admin/confirm-email {token}: the link's address is the user's from now on. 422 when somebody else has it by now. */
export interface ConfirmedEmailJson {
  email: string;
}

/** GET /admin/sessions → {sessions}; DELETE /admin/sessions/ID → 204; POST /admin/sign-out, sign-out-everywhere → 204 */
export interface ListedSessionJson {
  id: number;
  isCurrent: boolean;
  createdAt: number;
  /** Right to a minute. */
  lastSeenAt: number;
  ip: string;
  userAgent: string;
}

/** POST /admin/second-factor {current}: counts once confirmed. `uri` is what apps read from a QR code. */
export interface NewSecondFactorJson {
  secret: string;
  uri: string;
}
/** POST /admin/second-factor/confirm; POST /admin/second-factor/remove {current} → 204 */
export const confirmSecondFactorInput = v.object({ code: text });
export type ConfirmSecondFactorInput = v.InferInput<typeof confirmSecondFactorInput>;

export interface RecoveryCodesJson {
  recoveryCodes: string[];
}

/**
 * GET /admin/passkeys: the user's own. POST /admin/passkeys/begin {current} → what `navigator.credentials.create` takes;
 * POST /admin/passkeys {name, answer} → 201 {id}, with what it gave; PATCH /admin/passkeys/ID {name} → 204; DELETE → 204,
 * POST /admin/passkeys/ID/restore → 204 undoes that for 10 minutes, from the same session.
 * POST /admin/passkeys/challenge → what `navigator.credentials.get` takes; 409 where there cannot be any passkeys.
 * POST /admin/passkeys/sign-in {answer, account?} → {signedIn: true, firstScreen}; 409 when it is for another account.
 */
export const addPasskeyInput = v.object({ name: text, answer: v.unknown() });
export type AddPasskeyInput = v.InferInput<typeof addPasskeyInput>;

export const signInWithPasskeyInput = v.object({ answer: v.unknown(), account: v.optional(text) });
export type SignInWithPasskeyInput = v.InferInput<typeof signInWithPasskeyInput>;

export interface PasskeysJson {
  /** False where PUBLIC_URL is an IP address or without HTTPS: browsers have no passkeys there. */
  arePossible: boolean;
  passkeys: PasskeyJson[];
}

export interface PasskeyJson {
  id: number;
  name: string;
  /** Whether it is in an account of the user's, too, such as that of their phone, and not on one device alone. */
  isBackedUp: boolean;
  createdAt: number;
  lastUsedAt: number | null;
}
