import { getAccountOperation } from './account.ts';
import { createCustomerOperation } from './create-customer.ts';
import { createPageOperation } from './create-page.ts';
import {
  changeCustomerOperation,
  deleteCustomerOperation,
  resendInstructionsOperation,
  restoreCustomerOperation,
} from './customer-changes.ts';
import { getCustomerOperation, listCustomersOperation } from './customers.ts';
import {
  addDomainOperation,
  getDomainOperation,
  listDomainsOperation,
  removeDomainOperation,
  restoreDomainOperation,
  verifyDomainOperation,
} from './domains.ts';
import { changeDraftOperation, discardDraftOperation, getDraftOperation, publishPageOperation } from './drafts.ts';
import { listEventsOperation } from './events.ts';
import { getForecastOperation, listForecastChangesOperation } from './forecast.ts';
import {
  changeImageOperation,
  deleteImageOperation,
  getImageOperation,
  listImagesOperation,
  restoreImageOperation,
} from './images.ts';
import { importPagesOperation } from './import-pages.ts';
import { issueKeyOperation, revokeKeyOperation, rotateKeyOperation } from './keys.ts';
import { listKeysOperation } from './list-keys.ts';
import { listPagesOperation } from './list-pages.ts';
import { getPlanOperation, listPlansOperation } from './list-plans.ts';
import { getWebhookOperation, listDeliveriesOperation, listWebhooksOperation } from './list-webhooks.ts';
import type { Addressed, Operation } from './operation.ts';
import {
  changePageOperation,
  deletePageOperation,
  getPageOperation,
  restorePageOperation,
  undoPageChangeOperation,
} from './page.ts';
import { changeCurrencyOperation, changePlanOperation, createPlanOperation } from './plans.ts';
import {
  changePriceOperation,
  listPriceChangesOperation,
  previewPriceOperation,
  undoPriceChangeOperation,
} from './price-changes.ts';
import { addRedirectOperation, listRedirectsOperation, removeRedirectOperation } from './redirects.ts';
import { getRevenueOperation, listCohortsOperation, listPlanRevenueOperation } from './revenue.ts';
import { exportForecastOperation, exportRevenueCustomersOperation, exportRevenueOperation } from './revenue-csv.ts';
import { listRevenueCustomersOperation } from './revenue-customers.ts';
import { getRevisionOperation, listRevisionsOperation, restoreRevisionOperation } from './revisions.ts';
import { listScheduledChangesOperation } from './scheduled-changes.ts';
import { replayEventOperation, resendEventsOperation, testWebhookOperation } from './send-to-webhook.ts';
import { changeSettingsOperation, getSettingsOperation } from './settings.ts';
import { uploadImageOperation } from './upload-image.ts';
import {
  changeUserOperation,
  inviteUserAgainOperation,
  inviteUserOperation,
  listUsersOperation,
  removeUserOperation,
  restoreUserOperation,
} from './users.ts';
import {
  addWebhookOperation,
  changeWebhookOperation,
  removeWebhookOperation,
  restoreWebhookOperation,
  resumeWebhookOperation,
  rotateWebhookSecretOperation,
} from './webhooks.ts';

/** Every operation of the interface. The OpenAPI document has them in this order. */
export const operations: readonly Operation[] = [
  createCustomerOperation,
  listCustomersOperation,
  getCustomerOperation,
  changeCustomerOperation,
  deleteCustomerOperation,
  restoreCustomerOperation,
  resendInstructionsOperation,
  listScheduledChangesOperation,
  createPlanOperation,
  listPlansOperation,
  getPlanOperation,
  changePlanOperation,
  previewPriceOperation,
  changePriceOperation,
  listPriceChangesOperation,
  undoPriceChangeOperation,
  changeCurrencyOperation,
  createPageOperation,
  listPagesOperation,
  getPageOperation,
  changePageOperation,
  deletePageOperation,
  restorePageOperation,
  undoPageChangeOperation,
  importPagesOperation,
  changeDraftOperation,
  getDraftOperation,
  discardDraftOperation,
  publishPageOperation,
  listRevisionsOperation,
  getRevisionOperation,
  restoreRevisionOperation,
  addRedirectOperation,
  listRedirectsOperation,
  removeRedirectOperation,
  uploadImageOperation,
  listImagesOperation,
  getImageOperation,
  changeImageOperation,
  deleteImageOperation,
  restoreImageOperation,
  addDomainOperation,
  listDomainsOperation,
  getDomainOperation,
  verifyDomainOperation,
  removeDomainOperation,
  restoreDomainOperation,
  inviteUserOperation,
  listUsersOperation,
  inviteUserAgainOperation,
  changeUserOperation,
  removeUserOperation,
  restoreUserOperation,
  changeSettingsOperation,
  getSettingsOperation,
  listEventsOperation,
  addWebhookOperation,
  listWebhooksOperation,
  getWebhookOperation,
  changeWebhookOperation,
  testWebhookOperation,
  listDeliveriesOperation,
  resumeWebhookOperation,
  replayEventOperation,
  resendEventsOperation,
  rotateWebhookSecretOperation,
  removeWebhookOperation,
  restoreWebhookOperation,
  issueKeyOperation,
  listKeysOperation,
  rotateKeyOperation,
  revokeKeyOperation,
  getRevenueOperation,
  exportRevenueOperation,
  listPlanRevenueOperation,
  listCohortsOperation,
  listRevenueCustomersOperation,
  exportRevenueCustomersOperation,
  getForecastOperation,
  listForecastChangesOperation,
  exportForecastOperation,
  getAccountOperation,
];

/** The operations by their paths and methods. */
const byPath = new Map<string, Map<string, Operation>>();
for (const operation of operations) {
  const methods = byPath.getOrInsertComputed(operation.path, () => new Map());
  methods.set(operation.method, operation);
  if (operation.method === 'GET') methods.set('HEAD', operation);
}

interface Found {
  /** The path as the operations have it. */
  readonly path: string;
  readonly id: string;
  readonly methods: ReadonlyMap<string, Operation>;
}

/** Returns the operations at the path, by their methods. */
export function findPath(path: string): Found | undefined {
  const methods = byPath.get(path);
  if (methods) return { path, id: '', methods };
  // "/api/pages/page_12.json" and "/api/pages/page_12/restore.json"
  const [, start, id, end] =
    /^(\/api\/[a-z-]+\/)([a-z]{1,10}_\d{1,15}|\d{1,15})((?:\/[a-z]+)?\.json)$/.exec(path) ?? [];
  const pattern = `${start}{id}${end}`;
  const found = byPath.get(pattern);
  return found && { path: pattern, id: id!, methods: found };
}

/** Returns the operation of a request that there is one for. */
export function findOperation(method: string, path: string): Addressed | undefined {
  const found = findPath(path);
  const operation = found?.methods.get(method);
  return operation && { operation, id: found!.id };
}
