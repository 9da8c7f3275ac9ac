import type * as contract from './contract.ts';
import { get, type SendOptions, send, sendFile } from './send.ts';

/* All calls of the app to the service. The contract describes them. */

/** For calls that need no session. All others wait for a new session if theirs has ended: see signed-in.ts. */
const withoutSession: SendOptions = { needsNoSession: true };

export const api = {
  signIn: (input: contract.SignInInput) => send<contract.SignInJson>('POST', 'sign-in', input, withoutSession),
  signOut: () => send<void>('POST', 'sign-out', {}, withoutSession),
  signOutEverywhere: () => send<void>('POST', 'sign-out-everywhere', {}),
  session: () => get<contract.SessionJson>('session'),
  /** Asks for the session without waiting for a new one if it has ended. */
  sessionNow: () => get<contract.SessionJson>('session', withoutSession),
  forgottenPassword: (input: contract.ForgottenPasswordInput) =>
    send<void>('POST', 'forgotten-password', input, withoutSession),
  oneTimeLink: (token: string) =>
    send<contract.OneTimeLinkJson>('POST', 'one-time-link', { token } satisfies contract.TokenInput, withoutSession),
  resetPassword: (input: contract.ResetPasswordInput) =>
    send<contract.SignedInJson | { signedIn: false }>('POST', 'reset-password', input, withoutSession),
  completeUser: (input: contract.CompleteUserInput) => send<void>('POST', 'welcome', input),
  signInByLink: (token: string) =>
    send<contract.SignInJson>('POST', 'sign-in-link', { token } satisfies contract.TokenInput, withoutSession),
  passkeyChallenge: () => send<unknown>('POST', 'passkeys/challenge', {}, withoutSession),
  signInWithPasskey: (input: contract.SignInWithPasskeyInput) =>
    send<contract.SignInJson>('POST', 'passkeys/sign-in', input, withoutSession),
  changeName: (name: string) => send<void>('PATCH', 'you', { name } satisfies contract.NameInput),
  changeEmail: (input: contract.ChangeEmailInput) => send<void>('POST', 'email', input),
  confirmEmail: (token: string) =>
    send<contract.ConfirmedEmailJson>('POST', 'confirm-email', { token } satisfies contract.TokenInput, withoutSession),
  changePassword: (input: contract.ChangePasswordInput) => send<void>('POST', 'password', input),

  overview: (signal?: AbortSignal) => get<contract.OverviewJson>('overview', { signal }),

  customers: (query: contract.CustomersQuery, signal?: AbortSignal) =>
    get<contract.CustomersJson>('customers', { query, signal }),
  customer: (id: number, signal?: AbortSignal) => get<contract.CustomerDetailsJson>(`customers/${id}`, { signal }),
  customerMessage: (id: number) => get<contract.CustomerMessageJson>(`customer-messages/${id}`),
  customerLog: (id: number, before?: number) =>
    get<contract.CustomerLogJson>(`customers/${id}/log`, { query: { before } }),
  createCustomer: (input: contract.CreateCustomerInput) =>
    send<contract.CreatedCustomerJson>('POST', 'customers', input),
  checkSubdomain: (subdomain: string, signal?: AbortSignal) =>
    get<contract.SubdomainJson>('customers/subdomain', { query: { subdomain }, signal }),
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
  imports: () => get<contract.ImportsJson>('imports'),
  import: (id: number, signal?: AbortSignal) => get<contract.ImportDetailsJson>(`imports/${id}`, { signal }),
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
  deletedCustomers: () => get<contract.DeletedCustomersJson>('customers/deleted'),

  signInAs: (personId: number, input: contract.SignInAsInput) =>
    send<void>('POST', `customer-people/${personId}/sign-in`, input),
  endImpersonation: () => send<contract.EndedImpersonationJson>('POST', 'impersonation/end', {}, withoutSession),
  agencyAccess: (before?: number) => get<contract.AgencyAccessJson>('agency-access', { query: { before } }),
  changeAgencyAccess: (input: contract.AgencyAccessInput) => send<void>('PATCH', 'agency-access', input),

  customerNotes: (id: number, signal?: AbortSignal) => get<contract.NotesJson>(`customers/${id}/notes`, { signal }),
  addNote: (customerId: number, input: contract.NoteInput) =>
    send<{ id: number }>('POST', `customers/${customerId}/notes`, input),
  changeNote: (id: number, input: contract.ChangeNoteInput) => send<void>('PATCH', `customer-notes/${id}`, input),
  deleteNote: (id: number) => send<void>('DELETE', `customer-notes/${id}`),
  restoreNote: (id: number) => send<void>('POST', `customer-notes/${id}/restore`),

  plans: () => get<contract.PlansJson>('plans'),
  createPlan: (input: contract.CreatePlanInput) => send<contract.PlanJson>('POST', 'plans', input),
  changePlan: (id: number, input: contract.ChangePlanInput) => send<contract.PlanJson>('PATCH', `plans/${id}`, input),
  makePlanDefault: (id: number) => send<contract.PlanJson>('POST', `plans/${id}/default`),
  retirePlan: (id: number) => send<contract.PlanJson>('POST', `plans/${id}/retire`),
  movePlan: (id: number, input: contract.MovePlanInput) => send<contract.PlansJson>('POST', `plans/${id}/move`, input),
  previewPriceChange: (id: number, price: string, signal?: AbortSignal) =>
    get<contract.PriceChangePreviewJson>(`plans/${id}/price-change`, { query: { price }, signal }),
  changePrice: (id: number, input: contract.ChangePriceInput) =>
    send<contract.ChangedPriceJson>('POST', `plans/${id}/price-change`, input),
  changeCurrency: (currency: string) => send<contract.CurrencyJson>('PUT', 'currency', { currency }),
  priceChanges: (signal?: AbortSignal) => get<contract.PriceChangesJson>('price-changes', { signal }),
  undoPriceChange: (id: number) => send<contract.PlansJson>('POST', `price-changes/${id}/undo`),
  restorePlan: (id: number) => send<contract.PlanJson>('POST', `plans/${id}/restore`),

  templates: (signal?: AbortSignal) => get<contract.TemplatesJson>('templates', { signal }),
  offerTemplate: (input: contract.OfferTemplateInput) => send<contract.TemplatesJson>('POST', 'templates', input),
  changeTemplate: (id: number, input: contract.ChangeTemplateInput) =>
    send<contract.TemplatesJson>('PATCH', `templates/${id}`, input),
  moveTemplate: (id: number, input: contract.MoveTemplateInput) =>
    send<contract.TemplatesJson>('POST', `templates/${id}/move`, input),
  retireTemplate: (id: number) => send<contract.TemplatesJson>('POST', `templates/${id}/retire`),
  restoreTemplate: (id: number) => send<contract.TemplatesJson>('POST', `templates/${id}/restore`),
  previewPush: (id: number, after: number, signal?: AbortSignal) =>
    get<contract.PushPreviewJson>(`templates/${id}/preview`, { query: { after }, signal }),
  comparePage: (site: number, source: number, signal?: AbortSignal) =>
    get<contract.ComparedPageJson>(`template-sites/${site}/page`, { query: { source }, signal }),
  pushes: (id: number, signal?: AbortSignal) => get<contract.PushesJson>(`templates/${id}/pushes`, { signal }),
  startPush: (id: number, input: contract.StartPushInput) =>
    send<contract.PushJson>('POST', `templates/${id}/pushes`, input),
  push: (id: number, signal?: AbortSignal) => get<contract.PushJson>(`template-pushes/${id}`, { signal }),
  pushSites: (id: number, after: number, only?: 'left', signal?: AbortSignal) =>
    get<contract.PushSitesJson>(`template-pushes/${id}/sites`, { query: { after, only }, signal }),
  stopPush: (id: number) => send<contract.PushJson>('POST', `template-pushes/${id}/stop`),
  undoPush: (id: number) => send<contract.PushJson>('POST', `template-pushes/${id}/undo`),

  brand: () => get<contract.BrandAnswerJson>('brand'),
  changeBrand: (input: contract.BrandInput) => send<{ brand: contract.BrandJson }>('PUT', 'brand', input),
  mailWords: () => get<contract.MailWordsAnswerJson>('mail-words'),
  changeMailWords: (input: contract.MailWordsInput) => send<contract.MailWordsAnswerJson>('PUT', 'mail-words', input),
  resetMailWords: (input: contract.ResetWordsInput) =>
    send<contract.MailWordsAnswerJson>('POST', 'mail-words/reset', input),
  removeBrand: () => send<{ brand: null }>('DELETE', 'brand'),

  revenue: (query: string, signal?: AbortSignal) =>
    get<contract.RevenueJson>(query === '' ? 'revenue' : `revenue?${query}`, { signal }),
  forecast: (signal?: AbortSignal) => get<contract.ForecastJson>('revenue/forecast', { signal }),
  forecastChanges: (month: string, after: string | undefined, signal?: AbortSignal) =>
    get<contract.ForecastChangesJson>('revenue/forecast/changes', { query: { month, after }, signal }),
  revenueCohorts: (query: string, signal?: AbortSignal) =>
    get<contract.CohortsJson>(`revenue/cohorts?${query}`, { signal }),
  revenueCustomers: (query: string, signal?: AbortSignal) =>
    get<contract.RevenueCustomersJson>(`revenue/customers?${query}`, { signal }),

  toDo: () => get<contract.ToDoJson>('to-do'),
  usage: () => get<contract.PlanUsageJson>('usage'),

  children: (parent: number, after: number, limit = 200) =>
    get<contract.PageChildrenJson>('pages', { query: { parent, after, limit } }),
  searchPages: (text: string, signal?: AbortSignal) =>
    get<contract.PageSearchJson>('pages/search', { query: { q: text }, signal }),
  page: (id: number) => get<contract.PageJson>(`pages/${id}`),
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
  subtree: (id: number) => get<contract.SubtreeJson>(`pages/${id}/subtree`),
  undo: (id: number) => send<contract.UndoneJson>('POST', `undo/${id}`),
  saveDraft: (id: number, input: contract.SaveDraftInput, keepalive = false) =>
    send<contract.DraftJson>('PUT', `pages/${id}/draft`, input, { keepalive }),
  discardDraft: (id: number, draftAt: number | null) =>
    send<void>('DELETE', `pages/${id}/draft?draftAt=${draftAt ?? 0}`),
  publish: (id: number, input: contract.PublishPageInput, ifMatch: number) =>
    send<contract.PageChangeJson>('POST', `pages/${id}/publish`, input, { ifMatch }),
  unpublish: (id: number) => send<contract.PageChangeJson>('POST', `pages/${id}/unpublish`),
  redirects: (id: number) => get<contract.RedirectsJson>(`pages/${id}/redirects`),
  addRedirect: (id: number, path: string) =>
    send<contract.AddedRedirectJson>('POST', `pages/${id}/redirects`, { path } satisfies contract.AddRedirectInput),
  removeRedirect: (id: number) => send<void>('DELETE', `redirects/${id}`),
  revisions: (id: number, before?: number) =>
    get<contract.RevisionsJson>(`pages/${id}/revisions`, { query: { before } }),
  revision: (id: number) => get<contract.WholeRevisionJson>(`revisions/${id}`),
  restoreRevision: (id: number, ifMatch: number) =>
    send<contract.PageChangeJson>('POST', `revisions/${id}/restore`, {}, { ifMatch }),
  preview: (body: string, bodyFormat: contract.BodyFormat | '', signal?: AbortSignal) =>
    send<contract.PreviewJson>('POST', 'preview', { body, bodyFormat } satisfies contract.PreviewInput, { signal }),

  media: (before?: number) => get<contract.MediaListJson>('media', { query: { before } }),
  mediaUses: (id: number) => get<contract.MediaUsesJson>(`media/${id}/uses`),
  describeMedia: (id: number, alt: string | null) =>
    send<contract.MediaJson>('PATCH', `media/${id}`, { alt } satisfies contract.ChangeMediaInput),
  removeMedia: (id: number) => send<contract.RemovedMediaJson>('DELETE', `media/${id}`),
  restoreMedia: (id: number) => send<contract.MediaJson>('POST', `media/${id}/restore`),

  deletions: (before?: number, page?: number) =>
    get<contract.DeletionsJson>('trash/pages', { query: { before, page } }),
  searchTrash: (text: string, signal?: AbortSignal) =>
    get<contract.DeletionSearchJson>('trash/pages/search', { query: { q: text }, signal }),
  changePageTrash: (input: contract.TrashChangesInput) =>
    send<contract.TrashChangesJson>('POST', 'trash/pages/changes', input),
  deletedChildren: (id: number, after: number) =>
    get<contract.DeletedChildrenJson>(`trash/pages/${id}/children`, { query: { after } }),
  restorePage: (id: number) => send<contract.RestoredPageJson>('POST', `trash/pages/${id}/restore`),
  discardPage: (id: number) => send<contract.DiscardedJson>('DELETE', `trash/pages/${id}`),
  emptyPageTrash: (upTo: number) => send<contract.DiscardedJson>('DELETE', `trash/pages?upTo=${upTo}`),
  removedMedia: (after?: contract.TrashedMediaJson) =>
    get<contract.RemovedMediaListJson>('trash/images', { query: { removedAt: after?.deletedAt, id: after?.id } }),
  searchRemovedMedia: (text: string, signal?: AbortSignal) =>
    get<contract.RemovedMediaListJson>('trash/images/search', { query: { q: text }, signal }),
  changeImageTrash: (input: contract.TrashChangesInput) =>
    send<contract.TrashChangesJson>('POST', 'trash/images/changes', input),
  discardMedia: (id: number) => send<void>('DELETE', `trash/images/${id}`),
  emptyMediaTrash: (upTo: number) => send<contract.DiscardedJson>('DELETE', `trash/images?upTo=${upTo}`),

  updateSettings: (input: contract.SettingsInput) => send<contract.AccountJson>('PATCH', 'settings', input),
  sessions: () => get<{ sessions: contract.ListedSessionJson[] }>('sessions'),
  endSession: (id: number) => send<void>('DELETE', `sessions/${id}`),
  startSecondFactor: (current: string) =>
    send<contract.NewSecondFactorJson>('POST', 'second-factor', { current } satisfies contract.CurrentPasswordInput),
  confirmSecondFactor: (code: string) =>
    send<contract.RecoveryCodesJson>('POST', 'second-factor/confirm', {
      code,
    } satisfies contract.ConfirmSecondFactorInput),
  removeSecondFactor: (current: string) =>
    send<void>('POST', 'second-factor/remove', { current } satisfies contract.CurrentPasswordInput),
  passkeys: () => get<contract.PasskeysJson>('passkeys'),
  beginPasskey: (current: string) =>
    send<unknown>('POST', 'passkeys/begin', { current } satisfies contract.CurrentPasswordInput),
  addPasskey: (input: contract.AddPasskeyInput) => send<{ id: number }>('POST', 'passkeys', input),
  renamePasskey: (id: number, name: string) =>
    send<void>('PATCH', `passkeys/${id}`, { name } satisfies contract.NameInput),
  removePasskey: (id: number) => send<void>('DELETE', `passkeys/${id}`),
  restorePasskey: (id: number) => send<void>('POST', `passkeys/${id}/restore`),
  users: () => get<{ users: contract.UserJson[] }>('users'),
  inviteUser: (input: contract.InviteUserInput) => send<{ id: number }>('POST', 'users', input),
  inviteAgain: (id: number) => send<void>('POST', `users/${id}/invite`),
  updateUser: (id: number, input: contract.ChangeUserInput) =>
    send<void>('PATCH', `users/${id}`, input, { keepalive: true }),
  removeUser: (id: number) => send<void>('DELETE', `users/${id}`),
  restoreUser: (id: number) => send<void>('POST', `users/${id}/restore`),
  keys: () => get<{ keys: contract.ApiKeyJson[] }>('keys'),
  authorization: (query: string) => get<contract.AuthorizationJson>(`authorization?${query}`),
  authorize: (input: contract.AuthorizeInput) => send<contract.AuthorizedJson>('POST', 'authorizations', input),
  issueKey: (name: string, scopes: string[] | null) =>
    send<contract.IssuedKeyJson>('POST', 'keys', { name, scopes } satisfies contract.IssueKeyInput),
  rotateKey: (id: number, overlapHours: number) =>
    send<contract.IssuedKeyJson>('POST', `keys/${id}/rotate`, { overlapHours } satisfies contract.RotateKeyInput),
  revokeKey: (id: number) => send<void>('DELETE', `keys/${id}`),
  revokeKeyAndIssued: (id: number) => send<void>('POST', `keys/${id}/revoke-with-issued`),
  restoreKey: (id: number) => send<void>('POST', `keys/${id}/restore`),
  archive: () => get<{ archive: contract.ArchiveJson | null }>('archive'),
  requestArchive: () => send<contract.ArchiveJson>('POST', 'archive'),
  webhooks: () => get<{ webhooks: contract.WebhookJson[] }>('webhooks'),
  addWebhook: (url: string, kinds: string[] | null) =>
    send<contract.AddedWebhookJson>('POST', 'webhooks', { url, kinds } satisfies contract.AddWebhookInput),
  changeWebhook: (id: number, input: contract.ChangeWebhookInput) => send<void>('PATCH', `webhooks/${id}`, input),
  webhookDeliveries: (id: number) => get<{ deliveries: contract.WebhookDeliveryJson[] }>(`webhooks/${id}/deliveries`),
  testWebhook: (id: number) => send<contract.WebhookAttemptJson>('POST', `webhooks/${id}/test`),
  changeWebhookSecret: (id: number) => send<contract.WebhookSecretJson>('POST', `webhooks/${id}/secret`),
  resumeWebhook: (id: number) => send<void>('POST', `webhooks/${id}/resume`),
  replayEvent: (id: number, event: number) =>
    send<contract.WebhookAttemptJson>('POST', `webhooks/${id}/replay`, { event } satisfies contract.ReplayEventInput),
  resendEvents: (id: number, from: number) =>
    send<void>('POST', `webhooks/${id}/resend`, { from } satisfies contract.ResendEventsInput),
  removeWebhook: (id: number) => send<void>('DELETE', `webhooks/${id}`),
  restoreWebhook: (id: number) => send<void>('POST', `webhooks/${id}/restore`),
  domains: () => get<{ domains: contract.DomainJson[] }>('domains'),
  addDomain: (host: string) => send<contract.DomainJson>('POST', 'domains', { host } satisfies contract.AddDomainInput),
  verifyDomain: (id: number, input: contract.VerifyDomainInput) =>
    send<contract.DomainJson>('POST', `domains/${id}/verify`, input),
  changeDomainUse: (id: number, input: contract.DomainUseInput) =>
    send<contract.DomainUseJson>('POST', `domains/${id}/use`, input),
  removeDomain: (id: number) => send<void>('DELETE', `domains/${id}`),
  restoreDomain: (id: number) => send<void>('POST', `domains/${id}/restore`),
  log: (by: contract.AuditActorKind | undefined, before: number | undefined) =>
    get<{ entries: contract.LogEntryJson[]; hasMore: boolean }>('log', { query: { by, before } }),
};
