import type * as contract from './contract.ts';
import { type SendOptions, send, sendFile } from './send.ts';

/* Every call the app makes, one line each. What they mean is in the contract. */

/** For calls that take no session. All others wait for one if it has ended: see signed-in.ts. */
const forAnyone: SendOptions = { isForAnyone: true };

export const api = {
  signIn: (input: contract.SignInInput) => send<contract.SignInJson>('POST', 'sign-in', input, forAnyone),
  signOut: () => send<void>('POST', 'sign-out', {}, forAnyone),
  signOutEverywhere: () => send<void>('POST', 'sign-out-everywhere', {}),
  session: () => send<contract.SessionJson>('GET', 'session'),
  /** Without waiting for anybody to sign in again. */
  sessionNow: () => send<contract.SessionJson>('GET', 'session', undefined, forAnyone),
  forgottenPassword: (input: contract.ForgottenPasswordInput) =>
    send<void>('POST', 'forgotten-password', input, forAnyone),
  oneTimeLink: (token: string) =>
    send<contract.OneTimeLinkJson>('POST', 'one-time-link', { token } satisfies contract.TokenInput, forAnyone),
  resetPassword: (input: contract.ResetPasswordInput) =>
    send<contract.SignedInJson | { signedIn: false }>('POST', 'reset-password', input, forAnyone),
  completeUser: (input: contract.CompleteUserInput) => send<void>('POST', 'welcome', input),
  signInByLink: (token: string) =>
    send<contract.SignInJson>('POST', 'sign-in-link', { token } satisfies contract.TokenInput, forAnyone),
  passkeyChallenge: () => send<unknown>('POST', 'passkeys/challenge', {}, forAnyone),
  signInWithPasskey: (input: contract.SignInWithPasskeyInput) =>
    send<contract.SignInJson>('POST', 'passkeys/sign-in', input, forAnyone),
  changeName: (name: string) => send<void>('PATCH', 'you', { name } satisfies contract.NameInput),
  changeEmail: (input: contract.ChangeEmailInput) => send<void>('POST', 'email', input),
  confirmEmail: (token: string) =>
    send<contract.ConfirmedEmailJson>('POST', 'confirm-email', { token } satisfies contract.TokenInput, forAnyone),
  changePassword: (input: contract.ChangePasswordInput) => send<void>('POST', 'password', input),

  overview: (signal?: AbortSignal) => send<contract.OverviewJson>('GET', 'overview', undefined, { signal }),

  customers: (asked: contract.CustomersQuery, signal?: AbortSignal) => {
    const query = new URLSearchParams(asked);
    return send<contract.CustomersJson>('GET', query.size === 0 ? 'customers' : `customers?${query}`, undefined, {
      signal,
    });
  },
  customer: (id: number, signal?: AbortSignal) =>
    send<contract.CustomerDetailsJson>('GET', `customers/${id}`, undefined, { signal }),
  customerMessage: (id: number) => send<contract.CustomerMessageJson>('GET', `customer-messages/${id}`),
  customerLog: (id: number, before?: number) =>
    send<contract.CustomerLogJson>(
      'GET',
      before === undefined ? `customers/${id}/log` : `customers/${id}/log?before=${before}`,
    ),
  createCustomer: (input: contract.CreateCustomerInput) =>
    send<contract.CreatedCustomerJson>('POST', 'customers', input),
  checkSubdomain: (subdomain: string, signal?: AbortSignal) =>
    send<contract.SubdomainJson>('GET', `customers/subdomain?${new URLSearchParams({ subdomain })}`, undefined, {
      signal,
    }),
  resendInstructions: (id: number, input: contract.ResendInput) =>
    send<contract.ResentJson>('POST', `customers/${id}/instructions`, input),

  checkImport: (file: Blob, columns: contract.ImportColumnsJson | undefined, signal: AbortSignal) => {
    const query = new URLSearchParams({ ...(columns && { columns: JSON.stringify(columns) }) });
    return sendFile<contract.CheckedImportJson>(`imports/check?${query}`, file, signal);
  },
  startImport: (file: File, columns: contract.ImportColumnsJson) =>
    sendFile<contract.ImportJson>(
      `imports?${new URLSearchParams({ name: file.name, columns: JSON.stringify(columns) })}`,
      file,
    ),
  imports: () => send<contract.ImportsJson>('GET', 'imports'),
  import: (id: number, signal?: AbortSignal) =>
    send<contract.ImportDetailsJson>('GET', `imports/${id}`, undefined, { signal }),
  stopImport: (id: number) => send<contract.ImportJson>('POST', `imports/${id}/stop`),
  resumeImport: (id: number) => send<contract.ImportJson>('POST', `imports/${id}/resume`),

  changeCustomers: (changes: contract.CustomerChange[]) =>
    send<contract.CustomerChangesJson>('POST', 'customers/changes', { changes }),
  changeCustomerPlan: (id: number, input: contract.CustomerPlanInput) =>
    send<contract.CustomerChangeJson>('POST', `customers/${id}/plan`, input),
  schedulePlan: (id: number, input: contract.ScheduleInput) =>
    send<contract.CustomerChangeJson>('PUT', `customers/${id}/scheduled-change`, input),
  cancelScheduled: (id: number, input: contract.CancelScheduledInput) =>
    send<contract.CustomerChangeJson>('POST', `customers/${id}/scheduled-change/cancel`, input),
  restoreScheduled: (id: number, input: contract.RestoreScheduledInput) =>
    send<contract.CustomerChangeJson>('POST', `customers/${id}/scheduled-change/restore`, input),
  suspendCustomer: (id: number, input: contract.SuspendCustomerInput) =>
    send<contract.CustomerChangeJson>('POST', `customers/${id}/suspend`, input),
  restoreCustomer: (id: number, input: contract.RestoreCustomerInput) =>
    send<contract.CustomerChangeJson>('POST', `customers/${id}/restore`, input),
  deleteCustomer: (id: number) => send<contract.CustomerChangeJson>('DELETE', `customers/${id}`),
  undeleteCustomer: (id: number) => send<contract.CustomerChangeJson>('POST', `customers/${id}/undelete`),
  deletedCustomers: () => send<contract.DeletedCustomersJson>('GET', 'customers/deleted'),

  signInAs: (personId: number, input: contract.SignInAsInput) =>
    send<void>('POST', `customer-people/${personId}/sign-in`, input),
  endImpersonation: () => send<contract.EndedImpersonationJson>('POST', 'impersonation/end', {}, forAnyone),
  agencyAccess: (before?: number) =>
    send<contract.AgencyAccessJson>('GET', before === undefined ? 'agency-access' : `agency-access?before=${before}`),
  changeAgencyAccess: (input: contract.AgencyAccessInput) => send<void>('PATCH', 'agency-access', input),

  customerNotes: (id: number, signal?: AbortSignal) =>
    send<contract.NotesJson>('GET', `customers/${id}/notes`, undefined, { signal }),
  addNote: (customerId: number, input: contract.NoteInput) =>
    send<{ id: number }>('POST', `customers/${customerId}/notes`, input),
  changeNote: (id: number, input: contract.ChangeNoteInput) => send<void>('PATCH', `customer-notes/${id}`, input),
  deleteNote: (id: number) => send<void>('DELETE', `customer-notes/${id}`),
  restoreNote: (id: number) => send<void>('POST', `customer-notes/${id}/restore`),

  plans: () => send<contract.PlansJson>('GET', 'plans'),
  createPlan: (input: contract.CreatePlanInput) => send<contract.PlanJson>('POST', 'plans', input),
  changePlan: (id: number, input: contract.ChangePlanInput) => send<contract.PlanJson>('PATCH', `plans/${id}`, input),
  makePlanDefault: (id: number) => send<contract.PlanJson>('POST', `plans/${id}/default`),
  retirePlan: (id: number) => send<contract.PlanJson>('POST', `plans/${id}/retire`),
  movePlan: (id: number, input: contract.MovePlanInput) => send<contract.PlansJson>('POST', `plans/${id}/move`, input),
  previewPriceChange: (id: number, price: string, signal?: AbortSignal) =>
    send<contract.PriceChangePreviewJson>(
      'GET',
      `plans/${id}/price-change?${new URLSearchParams({ price })}`,
      undefined,
      { signal },
    ),
  changePrice: (id: number, input: contract.ChangePriceInput) =>
    send<contract.ChangedPriceJson>('POST', `plans/${id}/price-change`, input),
  changeCurrency: (currency: string) => send<contract.CurrencyJson>('PUT', 'currency', { currency }),
  priceChanges: (signal?: AbortSignal) =>
    send<contract.PriceChangesJson>('GET', 'price-changes', undefined, { signal }),
  undoPriceChange: (id: number) => send<contract.PlansJson>('POST', `price-changes/${id}/undo`),
  restorePlan: (id: number) => send<contract.PlanJson>('POST', `plans/${id}/restore`),

  templates: (signal?: AbortSignal) => send<contract.TemplatesJson>('GET', 'templates', undefined, { signal }),
  offerTemplate: (input: contract.OfferTemplateInput) => send<contract.TemplatesJson>('POST', 'templates', input),
  changeTemplate: (id: number, input: contract.ChangeTemplateInput) =>
    send<contract.TemplatesJson>('PATCH', `templates/${id}`, input),
  moveTemplate: (id: number, input: contract.MoveTemplateInput) =>
    send<contract.TemplatesJson>('POST', `templates/${id}/move`, input),
  retireTemplate: (id: number) => send<contract.TemplatesJson>('POST', `templates/${id}/retire`),
  restoreTemplate: (id: number) => send<contract.TemplatesJson>('POST', `templates/${id}/restore`),
  previewPush: (id: number, after: number, signal?: AbortSignal) =>
    send<contract.PushPreviewJson>('GET', `templates/${id}/preview?after=${after}`, undefined, { signal }),
  comparePage: (site: number, source: number, signal?: AbortSignal) =>
    send<contract.ComparedPageJson>('GET', `template-sites/${site}/page?source=${source}`, undefined, { signal }),
  pushes: (id: number, signal?: AbortSignal) =>
    send<contract.PushesJson>('GET', `templates/${id}/pushes`, undefined, { signal }),
  startPush: (id: number, input: contract.StartPushInput) =>
    send<contract.PushJson>('POST', `templates/${id}/pushes`, input),
  push: (id: number, signal?: AbortSignal) =>
    send<contract.PushJson>('GET', `template-pushes/${id}`, undefined, { signal }),
  pushSites: (id: number, after: number, only?: 'left', signal?: AbortSignal) => {
    const query = `after=${after}${only ? `&only=${only}` : ''}`;
    return send<contract.PushSitesJson>('GET', `template-pushes/${id}/sites?${query}`, undefined, { signal });
  },
  stopPush: (id: number) => send<contract.PushJson>('POST', `template-pushes/${id}/stop`),
  undoPush: (id: number) => send<contract.PushJson>('POST', `template-pushes/${id}/undo`),

  brand: () => send<contract.BrandAnswerJson>('GET', 'brand'),
  changeBrand: (input: contract.BrandInput) => send<{ brand: contract.BrandJson }>('PUT', 'brand', input),
  mailWords: () => send<contract.MailWordsAnswerJson>('GET', 'mail-words'),
  changeMailWords: (input: contract.MailWordsInput) => send<contract.MailWordsAnswerJson>('PUT', 'mail-words', input),
  resetMailWords: (input: contract.ResetWordsInput) =>
    send<contract.MailWordsAnswerJson>('POST', 'mail-words/reset', input),
  removeBrand: () => send<{ brand: null }>('DELETE', 'brand'),

  revenue: (query: string, signal?: AbortSignal) =>
    send<contract.RevenueJson>('GET', query === '' ? 'revenue' : `revenue?${query}`, undefined, { signal }),
  forecast: (signal?: AbortSignal) => send<contract.ForecastJson>('GET', 'revenue/forecast', undefined, { signal }),
  forecastChanges: (month: string, after: string | undefined, signal?: AbortSignal) =>
    send<contract.ForecastChangesJson>(
      'GET',
      `revenue/forecast/changes?${new URLSearchParams({ month, ...(after !== undefined && { after }) })}`,
      undefined,
      { signal },
    ),
  revenueCohorts: (query: string, signal?: AbortSignal) =>
    send<contract.CohortsJson>('GET', `revenue/cohorts?${query}`, undefined, { signal }),
  revenueCustomers: (query: string, signal?: AbortSignal) =>
    send<contract.RevenueCustomersJson>('GET', `revenue/customers?${query}`, undefined, { signal }),

  toDo: () => send<contract.ToDoJson>('GET', 'to-do'),
  usage: () => send<contract.PlanUsageJson>('GET', 'usage'),

  children: (parent: number, after: number, limit = 200) =>
    send<contract.PageChildrenJson>('GET', `pages?parent=${parent}&after=${after}&limit=${limit}`),
  searchPages: (text: string, signal?: AbortSignal) =>
    send<contract.PageSearchJson>('GET', `pages/search?q=${encodeURIComponent(text)}`, undefined, { signal }),
  page: (id: number) => send<contract.PageJson>('GET', `pages/${id}`),
  createPage: (input: contract.CreatePageInput) => send<contract.PageJson>('POST', 'pages', input),
  updatePage: (id: number, input: contract.UpdatePageInput, ifMatch: number) =>
    send<contract.PageChangeJson>('PATCH', `pages/${id}`, input, { ifMatch }),
  previewUpdate: (id: number, input: contract.UpdatePageInput) =>
    send<contract.UpdatePreviewJson>('PATCH', `pages/${id}`, {
      ...input,
      preview: true,
    } satisfies contract.UpdatePageInput),
  movePage: (id: number, input: contract.MovePageInput) =>
    send<contract.PageChangeJson>('POST', `pages/${id}/move`, input),
  previewMove: (id: number, input: contract.MovePageInput) =>
    send<Pick<contract.PageChangeJson, 'changedAddresses'>>('POST', `pages/${id}/move`, {
      ...input,
      preview: true,
    } satisfies contract.MovePageInput),
  duplicatePage: (id: number) => send<contract.DuplicatedPageJson>('POST', `pages/${id}/duplicate`),
  deletePage: (id: number) => send<contract.DeletedPageJson>('DELETE', `pages/${id}`),
  subtree: (id: number) => send<contract.SubtreeJson>('GET', `pages/${id}/subtree`),
  undo: (id: number) => send<contract.UndoneJson>('POST', `undo/${id}`),
  saveDraft: (id: number, input: contract.SaveDraftInput, keepalive = false) =>
    send<contract.DraftJson>('PUT', `pages/${id}/draft`, input, { keepalive }),
  discardDraft: (id: number, draftAt: number | null) =>
    send<void>('DELETE', `pages/${id}/draft?draftAt=${draftAt ?? 0}`),
  publish: (id: number, input: contract.PublishPageInput, ifMatch: number) =>
    send<contract.PageChangeJson>('POST', `pages/${id}/publish`, input, { ifMatch }),
  unpublish: (id: number) => send<contract.PageChangeJson>('POST', `pages/${id}/unpublish`),
  redirects: (id: number) => send<contract.RedirectsJson>('GET', `pages/${id}/redirects`),
  addRedirect: (id: number, path: string) =>
    send<contract.AddedRedirectJson>('POST', `pages/${id}/redirects`, { path } satisfies contract.AddRedirectInput),
  removeRedirect: (id: number) => send<void>('DELETE', `redirects/${id}`),
  revisions: (id: number, before?: number) =>
    send<contract.RevisionsJson>('GET', `pages/${id}/revisions${before === undefined ? '' : `?before=${before}`}`),
  revision: (id: number) => send<contract.WholeRevisionJson>('GET', `revisions/${id}`),
  restoreRevision: (id: number, ifMatch: number) =>
    send<contract.PageChangeJson>('POST', `revisions/${id}/restore`, {}, { ifMatch }),
  preview: (body: string, bodyFormat: contract.BodyFormat | '', signal?: AbortSignal) =>
    send<contract.PreviewJson>('POST', 'preview', { body, bodyFormat } satisfies contract.PreviewInput, { signal }),

  media: (before?: number) =>
    send<contract.MediaListJson>('GET', before === undefined ? 'media' : `media?before=${before}`),
  mediaUses: (id: number) => send<contract.MediaUsesJson>('GET', `media/${id}/uses`),
  describeMedia: (id: number, alt: string | null) =>
    send<contract.MediaJson>('PATCH', `media/${id}`, { alt } satisfies contract.ChangeMediaInput),
  removeMedia: (id: number) => send<contract.RemovedMediaJson>('DELETE', `media/${id}`),
  restoreMedia: (id: number) => send<contract.MediaJson>('POST', `media/${id}/restore`),

  deletions: (before?: number, page?: number) => {
    const query = new URLSearchParams({
      ...(before && { before: String(before) }),
      ...(page && { page: String(page) }),
    });
    return send<contract.DeletionsJson>('GET', query.size === 0 ? 'trash/pages' : `trash/pages?${query}`);
  },
  searchTrash: (text: string, signal?: AbortSignal) =>
    send<contract.DeletionSearchJson>('GET', `trash/pages/search?q=${encodeURIComponent(text)}`, undefined, { signal }),
  changePageTrash: (input: contract.TrashChangesInput) =>
    send<contract.TrashChangesJson>('POST', 'trash/pages/changes', input),
  deletedChildren: (id: number, after: number) =>
    send<contract.DeletedChildrenJson>('GET', `trash/pages/${id}/children?after=${after}`),
  restorePage: (id: number) => send<contract.RestoredPageJson>('POST', `trash/pages/${id}/restore`),
  discardPage: (id: number) => send<contract.DiscardedJson>('DELETE', `trash/pages/${id}`),
  emptyPageTrash: (upTo: number) => send<contract.DiscardedJson>('DELETE', `trash/pages?upTo=${upTo}`),
  removedMedia: (after?: contract.TrashedMediaJson) =>
    send<contract.RemovedMediaListJson>(
      'GET',
      after ? `trash/images?removedAt=${after.deletedAt}&id=${after.id}` : 'trash/images',
    ),
  searchRemovedMedia: (text: string, signal?: AbortSignal) =>
    send<contract.RemovedMediaListJson>('GET', `trash/images/search?q=${encodeURIComponent(text)}`, undefined, {
      signal,
    }),
  changeImageTrash: (input: contract.TrashChangesInput) =>
    send<contract.TrashChangesJson>('POST', 'trash/images/changes', input),
  discardMedia: (id: number) => send<void>('DELETE', `trash/images/${id}`),
  emptyMediaTrash: (upTo: number) => send<contract.DiscardedJson>('DELETE', `trash/images?upTo=${upTo}`),

  updateSettings: (input: contract.SettingsInput) => send<contract.AccountJson>('PATCH', 'settings', input),
  sessions: () => send<{ sessions: contract.ListedSessionJson[] }>('GET', 'sessions'),
  endSession: (id: number) => send<void>('DELETE', `sessions/${id}`),
  startSecondFactor: (current: string) =>
    send<contract.NewSecondFactorJson>('POST', 'second-factor', { current } satisfies contract.CurrentPasswordInput),
  confirmSecondFactor: (code: string) =>
    send<contract.RecoveryCodesJson>('POST', 'second-factor/confirm', {
      code,
    } satisfies contract.ConfirmSecondFactorInput),
  removeSecondFactor: (current: string) =>
    send<void>('POST', 'second-factor/remove', { current } satisfies contract.CurrentPasswordInput),
  passkeys: () => send<contract.PasskeysJson>('GET', 'passkeys'),
  beginPasskey: (current: string) =>
    send<unknown>('POST', 'passkeys/begin', { current } satisfies contract.CurrentPasswordInput),
  addPasskey: (input: contract.AddPasskeyInput) => send<{ id: number }>('POST', 'passkeys', input),
  renamePasskey: (id: number, name: string) =>
    send<void>('PATCH', `passkeys/${id}`, { name } satisfies contract.NameInput),
  removePasskey: (id: number) => send<void>('DELETE', `passkeys/${id}`),
  restorePasskey: (id: number) => send<void>('POST', `passkeys/${id}/restore`),
  users: () => send<{ users: contract.UserJson[] }>('GET', 'users'),
  inviteUser: (input: contract.InviteUserInput) => send<{ id: number }>('POST', 'users', input),
  inviteAgain: (id: number) => send<void>('POST', `users/${id}/invite`),
  updateUser: (id: number, input: contract.ChangeUserInput) =>
    send<void>('PATCH', `users/${id}`, input, { keepalive: true }),
  removeUser: (id: number) => send<void>('DELETE', `users/${id}`),
  restoreUser: (id: number) => send<void>('POST', `users/${id}/restore`),
  keys: () => send<{ keys: contract.ApiKeyJson[] }>('GET', 'keys'),
  authorization: (query: string) => send<contract.AuthorizationJson>('GET', `authorization?${query}`),
  authorize: (input: contract.AuthorizeInput) => send<contract.AuthorizedJson>('POST', 'authorizations', input),
  issueKey: (name: string, scopes: string[] | null) =>
    send<contract.IssuedKeyJson>('POST', 'keys', { name, scopes } satisfies contract.IssueKeyInput),
  rotateKey: (id: number, overlapHours: number) =>
    send<contract.IssuedKeyJson>('POST', `keys/${id}/rotate`, { overlapHours } satisfies contract.RotateKeyInput),
  revokeKey: (id: number) => send<void>('DELETE', `keys/${id}`),
  revokeKeyAndIssued: (id: number) => send<void>('POST', `keys/${id}/revoke-with-issued`),
  restoreKey: (id: number) => send<void>('POST', `keys/${id}/restore`),
  archive: () => send<{ archive: contract.ArchiveJson | null }>('GET', 'archive'),
  requestArchive: () => send<contract.ArchiveJson>('POST', 'archive'),
  webhooks: () => send<{ webhooks: contract.WebhookJson[] }>('GET', 'webhooks'),
  addWebhook: (url: string, kinds: string[] | null) =>
    send<contract.AddedWebhookJson>('POST', 'webhooks', { url, kinds } satisfies contract.AddWebhookInput),
  changeWebhook: (id: number, input: contract.ChangeWebhookInput) => send<void>('PATCH', `webhooks/${id}`, input),
  webhookDeliveries: (id: number) =>
    send<{ deliveries: contract.WebhookDeliveryJson[] }>('GET', `webhooks/${id}/deliveries`),
  testWebhook: (id: number) => send<contract.WebhookAttemptJson>('POST', `webhooks/${id}/test`),
  changeWebhookSecret: (id: number) => send<contract.WebhookSecretJson>('POST', `webhooks/${id}/secret`),
  resumeWebhook: (id: number) => send<void>('POST', `webhooks/${id}/resume`),
  replayEvent: (id: number, event: number) =>
    send<contract.WebhookAttemptJson>('POST', `webhooks/${id}/replay`, { event } satisfies contract.ReplayEventInput),
  resendEvents: (id: number, from: number) =>
    send<void>('POST', `webhooks/${id}/resend`, { from } satisfies contract.ResendEventsInput),
  removeWebhook: (id: number) => send<void>('DELETE', `webhooks/${id}`),
  restoreWebhook: (id: number) => send<void>('POST', `webhooks/${id}/restore`),
  domains: () => send<{ domains: contract.DomainJson[] }>('GET', 'domains'),
  addDomain: (host: string) => send<contract.DomainJson>('POST', 'domains', { host } satisfies contract.AddDomainInput),
  verifyDomain: (id: number, input: contract.VerifyDomainInput) =>
    send<contract.DomainJson>('POST', `domains/${id}/verify`, input),
  changeDomainUse: (id: number, input: contract.DomainUseInput) =>
    send<contract.DomainUseJson>('POST', `domains/${id}/use`, input),
  removeDomain: (id: number) => send<void>('DELETE', `domains/${id}`),
  restoreDomain: (id: number) => send<void>('POST', `domains/${id}/restore`),
  log: (by: contract.AuditActorKind | undefined, before: number | undefined) => {
    const query = new URLSearchParams({ ...(by && { by }), ...(before && { before: String(before) }) });
    return send<{ entries: contract.LogEntryJson[]; hasMore: boolean }>(
      'GET',
      query.size === 0 ? 'log' : `log?${query}`,
    );
  },
};
