import * as v from 'valibot';
import { text } from '../schema.ts';
import type { Permission, Role } from './common.ts';
import type { ImpersonationJson } from './impersonations.ts';
import type { AccountJson } from './settings.ts';

/* Signing in and out, and the user's own credentials: password, second factor, passkeys. */

/** POST /admin/sign-in */
export const signInInput = v.object({
  email: text,
  password: text,
  /** The subdomain of the account: from the URL of the sign-in page, or chosen by the user. */
  account: v.optional(text),
  /** The code of the second factor: six digits, or a recovery code. */
  code: v.optional(text),
});
export type SignInInput = v.InferInput<typeof signInInput>;
export type SignInJson = SignedInJson | { choose: { subdomain: string; name: string }[] };

export interface SignedInJson {
  signedIn: true;
  /** Set if the user's first screen is not the page tree. */
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
    /** False for users who signed in by a link and have not chosen a password: they need not send `current`. */
    hasPassword: boolean;
    hasSecondFactor: boolean;
  };
  account: AccountJson;
  /** True if the account has customers. */
  hasCustomers: boolean;
  /** The name of the account that sells this one; null for a top-level account. */
  agency: string | null;
  /** Set while a user of the agency acts for the user. `user.id` is then not a real user's id. */
  impersonation: ImpersonationJson | null;
}

/** POST /admin/forgotten-password → always 204, whether or not the address is known. */
export const forgottenPasswordInput = v.object({ email: text, account: v.optional(text) });
export type ForgottenPasswordInput = v.InferInput<typeof forgottenPasswordInput>;

/** The token of a mailed link. */
export const tokenInput = v.object({ token: text });
export type TokenInput = v.InferInput<typeof tokenInput>;

/** POST /admin/one-time-link {token}: describes a valid link without using it up; 404 for any other. */
export interface OneTimeLinkJson {
  purpose: 'reset_password' | 'invitation' | 'sign_in' | 'change_email';
  /** The address that the link was mailed to. */
  email: string;
  accountName: string;
}

/**
 * POST /admin/reset-password → {signedIn, firstScreen}, for links to `reset_password` and `invitation`. `signedIn` is false if
 * the user has a second factor: go to the sign-in page. POST /admin/sign-in-link {token} → {signedIn: true}, for `sign_in`.
 */
export const resetPasswordInput = v.object({ token: text, password: text });
export type ResetPasswordInput = v.InferInput<typeof resetPasswordInput>;

/** The current password; users without a password omit it. */
const currentPassword = v.optional(text, '');

export const currentPasswordInput = v.object({ current: currentPassword });
export type CurrentPasswordInput = v.InferInput<typeof currentPasswordInput>;

/** POST /admin/password → 204. Ends all sessions of the user and starts a new one in this browser. */
export const changePasswordInput = v.object({ current: currentPassword, password: text, confirmation: text });
export type ChangePasswordInput = v.InferInput<typeof changePasswordInput>;

/** POST /admin/welcome → 204, for users without a password. Ends all their sessions and starts a new one in this browser. */
export const completeUserInput = v.object({ name: text, email: text, password: text });
export type CompleteUserInput = v.InferInput<typeof completeUserInput>;

/** PATCH /admin/you → 204 changes the user's own name; PATCH /admin/passkeys/ID → 204 */
export const nameInput = v.object({ name: text });
export type NameInput = v.InferInput<typeof nameInput>;

/** POST /admin/email → 204. Mails a link to the new address, valid for 30 minutes. The old address counts until it is opened. */
export const changeEmailInput = v.object({ email: text, current: currentPassword });
export type ChangeEmailInput = v.InferInput<typeof changeEmailInput>;

/** POST /admin/confirm-email {token}: gives the user the address of the link. 422 if another user has the address by now. */
export interface ConfirmedEmailJson {
  email: string;
}

/** GET /admin/sessions → {sessions}; DELETE /admin/sessions/ID → 204; POST /admin/sign-out, sign-out-everywhere → 204 */
export interface ListedSessionJson {
  id: number;
  isCurrent: boolean;
  createdAt: number;
  /** Exact to the minute. */
  lastSeenAt: number;
  ip: string;
  userAgent: string;
}

/** POST /admin/second-factor {current}: the factor applies once confirmed. `uri` is for the QR code that apps scan. */
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
 * GET /admin/passkeys: the user's own passkeys. POST /admin/passkeys/begin {current} → the options for
 * `navigator.credentials.create`; POST /admin/passkeys {name, answer} → 201 {id}, with its result as `answer`.
 * PATCH /admin/passkeys/ID {name} → 204; DELETE → 204; POST /admin/passkeys/ID/restore → 204 undoes the deletion for 10 minutes,
 * from the same session. POST /admin/passkeys/challenge → the options for `navigator.credentials.get`; 409 if this URL cannot
 * have passkeys. POST /admin/passkeys/sign-in {answer, account?} → {signedIn: true, firstScreen}; 409 if the passkey is for
 * another account.
 */
export const addPasskeyInput = v.object({ name: text, answer: v.unknown() });
export type AddPasskeyInput = v.InferInput<typeof addPasskeyInput>;

export const signInWithPasskeyInput = v.object({ answer: v.unknown(), account: v.optional(text) });
export type SignInWithPasskeyInput = v.InferInput<typeof signInWithPasskeyInput>;

export interface PasskeysJson {
  /** False if the app's URL has an IP address or no HTTPS: browsers support no passkeys there. */
  arePossible: boolean;
  passkeys: PasskeyJson[];
}

export interface PasskeyJson {
  id: number;
  name: string;
  /** True if the passkey is synced to an account of the user, such as a phone's, and not on one device only. */
  isBackedUp: boolean;
  createdAt: number;
  lastUsedAt: number | null;
}
