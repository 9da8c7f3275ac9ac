import { getAccountOperation } from './account.ts';
import { createCustomerOperation } from './create-customer.ts';
import { createPageOperation } from './create-page.ts';
import * as customerChanges from './customer-changes.ts';
import * as customers from './customers.ts';
import * as domains from './domains.ts';
import * as drafts from './drafts.ts';
import { listEventsOperation } from './events.ts';
import * as forecast from './forecast.ts';
import * as images from './images.ts';
import { importPagesOperation } from './import-pages.ts';
import * as keys from './keys.ts';
import { listKeysOperation } from './list-keys.ts';
import { listPagesOperation } from './list-pages.ts';
import * as listPlans from './list-plans.ts';
import * as listWebhooks from './list-webhooks.ts';
import type { Addressed, Operation } from './operation.ts';
import * as page from './page.ts';
import * as plans from './plans.ts';
import * as priceChanges from './price-changes.ts';
import * as redirects from './redirects.ts';
import * as revenue from './revenue.ts';
import * as revenueCsv from './revenue-csv.ts';
import { listRevenueCustomersOperation } from './revenue-customers.ts';
import * as revisions from './revisions.ts';
import { listScheduledChangesOperation } from './scheduled-changes.ts';
import * as sendToWebhook from './send-to-webhook.ts';
import * as settings from './settings.ts';
import { uploadImageOperation } from './upload-image.ts';
import * as users from './users.ts';
import * as webhooks from './webhooks.ts';

/** All operations of the API, in the order of the OpenAPI document. */
export const operations: readonly Operation[] = [
  createCustomerOperation,
  customers.listCustomersOperation,
  customers.getCustomerOperation,
  customerChanges.changeCustomerOperation,
  customerChanges.deleteCustomerOperation,
  customerChanges.restoreCustomerOperation,
  customerChanges.resendInstructionsOperation,
  listScheduledChangesOperation,
  plans.createPlanOperation,
  listPlans.listPlansOperation,
  listPlans.getPlanOperation,
  plans.changePlanOperation,
  priceChanges.previewPriceOperation,
  priceChanges.changePriceOperation,
  priceChanges.listPriceChangesOperation,
  priceChanges.undoPriceChangeOperation,
  plans.changeCurrencyOperation,
  createPageOperation,
  listPagesOperation,
  page.getPageOperation,
  page.changePageOperation,
  page.deletePageOperation,
  page.restorePageOperation,
  page.undoPageChangeOperation,
  importPagesOperation,
  drafts.changeDraftOperation,
  drafts.getDraftOperation,
  drafts.discardDraftOperation,
  drafts.publishPageOperation,
  revisions.listRevisionsOperation,
  revisions.getRevisionOperation,
  revisions.restoreRevisionOperation,
  redirects.addRedirectOperation,
  redirects.listRedirectsOperation,
  redirects.removeRedirectOperation,
  uploadImageOperation,
  images.listImagesOperation,
  images.getImageOperation,
  images.changeImageOperation,
  images.deleteImageOperation,
  images.restoreImageOperation,
  domains.addDomainOperation,
  domains.listDomainsOperation,
  domains.getDomainOperation,
  domains.verifyDomainOperation,
  domains.removeDomainOperation,
  domains.restoreDomainOperation,
  users.inviteUserOperation,
  users.listUsersOperation,
  users.inviteUserAgainOperation,
  users.changeUserOperation,
  users.removeUserOperation,
  users.restoreUserOperation,
  settings.changeSettingsOperation,
  settings.getSettingsOperation,
  listEventsOperation,
  webhooks.addWebhookOperation,
  listWebhooks.listWebhooksOperation,
  listWebhooks.getWebhookOperation,
  webhooks.changeWebhookOperation,
  sendToWebhook.testWebhookOperation,
  listWebhooks.listDeliveriesOperation,
  webhooks.resumeWebhookOperation,
  sendToWebhook.replayEventOperation,
  sendToWebhook.resendEventsOperation,
  webhooks.rotateWebhookSecretOperation,
  webhooks.removeWebhookOperation,
  webhooks.restoreWebhookOperation,
  keys.issueKeyOperation,
  listKeysOperation,
  keys.rotateKeyOperation,
  keys.revokeKeyOperation,
  revenue.getRevenueOperation,
  revenueCsv.exportRevenueOperation,
  revenue.listPlanRevenueOperation,
  revenue.listCohortsOperation,
  listRevenueCustomersOperation,
  revenueCsv.exportRevenueCustomersOperation,
  forecast.getForecastOperation,
  forecast.listForecastChangesOperation,
  revenueCsv.exportForecastOperation,
  getAccountOperation,
];

/** The operations by path and method. */
const byPath = new Map<string, Map<string, Operation>>();
for (const operation of operations) {
  const methods = byPath.getOrInsertComputed(operation.path, () => new Map());
  methods.set(operation.method, operation);
  if (operation.method === 'GET') methods.set('HEAD', operation);
}

interface FoundPath {
  /** The path pattern of the operations. */
  readonly path: string;
  readonly id: string;
  readonly methods: ReadonlyMap<string, Operation>;
}

/** Returns the operations at the path by method, or undefined if there are none. */
export function findPath(path: string): FoundPath | undefined {
  const methods = byPath.get(path);
  if (methods) return { path, id: '', methods };
  // "/api/pages/page_12.json" and "/api/pages/page_12/restore.json"
  const [, start, id, end] =
    /^(\/api\/[a-z-]+\/)([a-z]{1,10}_\d{1,15}|\d{1,15})((?:\/[a-z]+)?\.json)$/.exec(path) ?? [];
  const pattern = `${start}{id}${end}`;
  const found = byPath.get(pattern);
  return found && { path: pattern, id: id!, methods: found };
}

/** Returns the existing path that is meant if the path lacks `.json`, is in upper case or ends with a slash. */
export function findSimilarPath(path: string): string | undefined {
  const start = (path.endsWith('/') ? path.slice(0, -1) : path).toLowerCase();
  return [start, `${start}.json`].find((similar) => findPath(similar));
}

/** Returns true if the path would exist with an id in place of another text, such as a subdomain. */
export function lacksId(path: string): boolean {
  const [, api, collection, text = '', ...rest] = path.split('/', 6);
  const id = text.endsWith('.json') ? '1.json' : '1';
  return findPath(['', api, collection, id, ...rest].join('/')) !== undefined;
}

/** Returns the operation for a request, or undefined if there is none. */
export function findOperation(method: string, path: string): Addressed | undefined {
  const found = findPath(path);
  const operation = found?.methods.get(method);
  return operation && { operation, id: found!.id };
}
