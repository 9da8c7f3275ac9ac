import { takeAsked } from './before-app/asked.ts';
import type {
  AccountJson,
  AddDomainInput,
  AddPasskeyInput,
  ApiKeyJson,
  AuditActorKind,
  BodyFormat,
  ChangeEmailInput,
  ChangeMediaInput,
  ChangePasswordInput,
  ChangeUserInput,
  ConfirmedEmailJson,
  ConfirmSecondFactorInput,
  CreatePageInput,
  CurrentPasswordInput,
  DeletedPageJson,
  DomainJson,
  DraftJson,
  DuplicatedPageJson,
  ErrorJson,
  FieldError,
  ForgottenPasswordInput,
  InviteUserInput,
  IssuedKeyJson,
  IssueKeyInput,
  ListedSessionJson,
  LogEntryJson,
  MediaJson,
  MediaListJson,
  MediaUsesJson,
  MovePageInput,
  NameInput,
  NewSecondFactorJson,
  OneTimeLinkJson,
  OutdatedPageJson,
  PageChangeJson,
  PageChildrenJson,
  PageJson,
  PageSearchJson,
  PasskeysJson,
  PreviewInput,
  PreviewJson,
  PublishPageInput,
  Reason,
  RecoveryCodesJson,
  RemovedMediaJson,
  ResetPasswordInput,
  RevisionsJson,
  RotateKeyInput,
  SaveDraftInput,
  SessionJson,
  SettingsInput,
  SignInInput,
  SignInJson,
  SignInWithPasskeyInput,
  TokenInput,
  UndoneJson,
  UpdatePageInput,
  UpdatePreviewJson,
  UserJson,
  WholeRevisionJson,
} from './contract.ts';
import { ownerHeader, whileSignedIn } from './signed-in.ts';
import { strings } from './strings.ts';

/* Every call the app makes, one line each. What they mean is in the contract. */

/** For calls that take no session. All others wait for one if it has ended: see signed-in.ts. */
const forAnyone: SendOptions = { isForAnyone: true };

export const api = {
  signIn: (input: SignInInput) => send<SignInJson>('POST', 'sign-in', input, forAnyone),
  signOut: () => send<void>('POST', 'sign-out', {}, forAnyone),
  signOutEverywhere: () => send<void>('POST', 'sign-out-everywhere', {}),
  session: () => send<SessionJson>('GET', 'session'),
  /** Without waiting for anybody to sign in again. */
  sessionNow: () => send<SessionJson>('GET', 'session', undefined, forAnyone),
  forgottenPassword: (input: ForgottenPasswordInput) => send<void>('POST', 'forgotten-password', input, forAnyone),
  oneTimeLink: (token: string) =>
    send<OneTimeLinkJson>('POST', 'one-time-link', { token } satisfies TokenInput, forAnyone),
  resetPassword: (input: ResetPasswordInput) => send<{ signedIn: boolean }>('POST', 'reset-password', input, forAnyone),
  signInByLink: (token: string) => send<SignInJson>('POST', 'sign-in-link', { token } satisfies TokenInput, forAnyone),
  passkeyChallenge: () => send<unknown>('POST', 'passkeys/challenge', {}, forAnyone),
  signInWithPasskey: (input: SignInWithPasskeyInput) => send<SignInJson>('POST', 'passkeys/sign-in', input, forAnyone),
  changeName: (name: string) => send<void>('PATCH', 'you', { name } satisfies NameInput),
  changeEmail: (input: ChangeEmailInput) => send<void>('POST', 'email', input),
  confirmEmail: (token: string) =>
    send<ConfirmedEmailJson>('POST', 'confirm-email', { token } satisfies TokenInput, forAnyone),
  changePassword: (input: ChangePasswordInput) => send<void>('POST', 'password', input),

  children: (parent: number, after: number, limit = 200) =>
    send<PageChildrenJson>('GET', `pages?parent=${parent}&after=${after}&limit=${limit}`),
  searchPages: (text: string, signal?: AbortSignal) =>
    send<PageSearchJson>('GET', `pages/search?q=${encodeURIComponent(text)}`, undefined, { signal }),
  page: (id: number) => send<PageJson>('GET', `pages/${id}`),
  createPage: (input: CreatePageInput) => send<PageJson>('POST', 'pages', input),
  updatePage: (id: number, input: UpdatePageInput, ifMatch: number) =>
    send<PageChangeJson>('PATCH', `pages/${id}`, input, { ifMatch }),
  previewUpdate: (id: number, input: UpdatePageInput) =>
    send<UpdatePreviewJson>('PATCH', `pages/${id}`, { ...input, preview: true } satisfies UpdatePageInput),
  movePage: (id: number, input: MovePageInput) => send<PageChangeJson>('POST', `pages/${id}/move`, input),
  previewMove: (id: number, input: MovePageInput) =>
    send<Pick<PageChangeJson, 'changedAddresses'>>('POST', `pages/${id}/move`, {
      ...input,
      preview: true,
    } satisfies MovePageInput),
  duplicatePage: (id: number) => send<DuplicatedPageJson>('POST', `pages/${id}/duplicate`),
  deletePage: (id: number) => send<DeletedPageJson>('DELETE', `pages/${id}`),
  undo: (id: number) => send<UndoneJson>('POST', `undo/${id}`),
  saveDraft: (id: number, input: SaveDraftInput, keepalive = false) =>
    send<DraftJson>('PUT', `pages/${id}/draft`, input, { keepalive }),
  discardDraft: (id: number, draftAt: number | null) =>
    send<void>('DELETE', `pages/${id}/draft?draftAt=${draftAt ?? 0}`),
  publish: (id: number, input: PublishPageInput, ifMatch: number) =>
    send<PageChangeJson>('POST', `pages/${id}/publish`, input, { ifMatch }),
  revisions: (id: number, before?: number) =>
    send<RevisionsJson>('GET', `pages/${id}/revisions${before === undefined ? '' : `?before=${before}`}`),
  revision: (id: number) => send<WholeRevisionJson>('GET', `revisions/${id}`),
  restoreRevision: (id: number, ifMatch: number) =>
    send<PageChangeJson>('POST', `revisions/${id}/restore`, {}, { ifMatch }),
  preview: (body: string, bodyFormat: BodyFormat | '', signal?: AbortSignal) =>
    send<PreviewJson>('POST', 'preview', { body, bodyFormat } satisfies PreviewInput, { signal }),

  media: (before?: number) => send<MediaListJson>('GET', before === undefined ? 'media' : `media?before=${before}`),
  mediaUses: (id: number) => send<MediaUsesJson>('GET', `media/${id}/uses`),
  describeMedia: (id: number, alt: string | null) =>
    send<MediaJson>('PATCH', `media/${id}`, { alt } satisfies ChangeMediaInput),
  removeMedia: (id: number) => send<RemovedMediaJson>('DELETE', `media/${id}`),
  restoreMedia: (id: number) => send<MediaJson>('POST', `media/${id}/restore`),

  updateSettings: (input: SettingsInput) => send<AccountJson>('PATCH', 'settings', input),
  sessions: () => send<{ sessions: ListedSessionJson[] }>('GET', 'sessions'),
  endSession: (id: number) => send<void>('DELETE', `sessions/${id}`),
  startSecondFactor: (current: string) =>
    send<NewSecondFactorJson>('POST', 'second-factor', { current } satisfies CurrentPasswordInput),
  confirmSecondFactor: (code: string) =>
    send<RecoveryCodesJson>('POST', 'second-factor/confirm', { code } satisfies ConfirmSecondFactorInput),
  removeSecondFactor: (current: string) =>
    send<void>('POST', 'second-factor/remove', { current } satisfies CurrentPasswordInput),
  passkeys: () => send<PasskeysJson>('GET', 'passkeys'),
  beginPasskey: (current: string) =>
    send<unknown>('POST', 'passkeys/begin', { current } satisfies CurrentPasswordInput),
  addPasskey: (input: AddPasskeyInput) => send<{ id: number }>('POST', 'passkeys', input),
  renamePasskey: (id: number, name: string) => send<void>('PATCH', `passkeys/${id}`, { name } satisfies NameInput),
  removePasskey: (id: number) => send<void>('DELETE', `passkeys/${id}`),
  restorePasskey: (id: number) => send<void>('POST', `passkeys/${id}/restore`),
  users: () => send<{ users: UserJson[] }>('GET', 'users'),
  inviteUser: (input: InviteUserInput) => send<{ id: number }>('POST', 'users', input),
  inviteAgain: (id: number) => send<void>('POST', `users/${id}/invite`),
  updateUser: (id: number, input: ChangeUserInput) => send<void>('PATCH', `users/${id}`, input, { keepalive: true }),
  removeUser: (id: number) => send<void>('DELETE', `users/${id}`),
  restoreUser: (id: number) => send<void>('POST', `users/${id}/restore`),
  keys: () => send<{ keys: ApiKeyJson[] }>('GET', 'keys'),
  issueKey: (name: string) => send<IssuedKeyJson>('POST', 'keys', { name } satisfies IssueKeyInput),
  rotateKey: (id: number, overlapHours: number) =>
    send<IssuedKeyJson>('POST', `keys/${id}/rotate`, { overlapHours } satisfies RotateKeyInput),
  revokeKey: (id: number) => send<void>('DELETE', `keys/${id}`),
  restoreKey: (id: number) => send<void>('POST', `keys/${id}/restore`),
  domains: () => send<{ domains: DomainJson[] }>('GET', 'domains'),
  addDomain: (host: string) => send<DomainJson>('POST', 'domains', { host } satisfies AddDomainInput),
  verifyDomain: (id: number) => send<DomainJson>('POST', `domains/${id}/verify`),
  removeDomain: (id: number) => send<void>('DELETE', `domains/${id}`),
  restoreDomain: (id: number) => send<void>('POST', `domains/${id}/restore`),
  log: (by: AuditActorKind | undefined, before: number | undefined) => {
    const query = new URLSearchParams({ ...(by && { by }), ...(before && { before: String(before) }) });
    return send<{ entries: LogEntryJson[]; hasMore: boolean }>('GET', query.size === 0 ? 'log' : `log?${query}`);
  },
};

/** What went wrong, as the service says it; status 0 where it could not be reached at all. */
export class ApiError extends Error {
  readonly status: number;
  /** With 429: in how many seconds it may be tried again. */
  readonly retryAfter: number;
  readonly code: string;
  readonly fields: readonly FieldError[];
  /** Why it was refused, where the code alone does not tell. */
  readonly why: Reason | undefined;
  /** The whole answer: a conflict may bring the other version with it. */
  readonly answer: unknown;

  constructor(
    status: number,
    code: string,
    message: string,
    { fields = [], why }: { fields?: readonly FieldError[] | undefined; why?: Reason | undefined } = {},
    answer?: unknown,
    retryAfter = 0,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.why = why;
    this.answer = answer;
    this.retryAfter = retryAfter;
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface SendOptions {
  /** The version of the page that the change starts from. */
  readonly ifMatch?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Sends it even while the page is being closed; for short bodies. */
  readonly keepalive?: boolean;
  /** Whether it takes no session. */
  readonly isForAnyone?: boolean;
}

function send<T>(method: Method, path: string, body?: unknown, options: SendOptions = {}): Promise<T> {
  const ask = () => sendOnce<T>(method, path, body, options);
  return options.isForAnyone ? ask() : whileSignedIn(ask, isSignedOut);
}

/** Whether it was refused because nobody is signed in. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** Whether somebody else has changed the page in the meantime: the answer has its current state. */
export function isOutdated(error: unknown): error is ApiError & { readonly answer: OutdatedPageJson } {
  return error instanceof ApiError && error.status === 412;
}

/** Whether the service could not be reached at all. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0;
}

/** Returns the error that says so. */
export function unreachable(): ApiError {
  return new ApiError(0, 'offline', strings.errors.offline);
}

async function sendOnce<T>(method: Method, path: string, body: unknown, options: SendOptions): Promise<T> {
  const headers = options.isForAnyone ? {} : ownerHeader();
  if (method !== 'GET') headers['Content-Type'] = 'application/json';
  if (options.ifMatch !== undefined) headers['If-Match'] = `"${options.ifMatch}"`;
  let response: Response;
  try {
    const text = method === 'GET' ? undefined : JSON.stringify(body ?? {});
    response = await (takeAsked(`/admin/${path}`, text) ??
      fetch(`/admin/${path}`, {
        method,
        headers,
        credentials: 'same-origin',
        body: text ?? null,
        signal: options.signal ?? null,
        keepalive: options.keepalive ?? false,
      }));
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw unreachable();
  }
  if (response.status === 204) return undefined as T;
  const answer = await response.json().catch(() => undefined);
  if (response.ok) return answer as T;
  throw failureOf(response.status, answer, Number(response.headers.get('retry-after') ?? 0));
}

/** What an answer that is no success says; `retryAfter` in seconds. */
export function failureOf(status: number, answer: Partial<ErrorJson> | undefined, retryAfter = 0): ApiError {
  const { code = 'failed', message = '', ...details } = answer?.error ?? {};
  return new ApiError(status, code, message, details, answer, retryAfter);
}
