import { getAccountOperation } from '../account.ts';
import { deleteCustomerOperation, restoreCustomerOperation } from '../customer-changes.ts';
import { getCustomerOperation, listCustomersOperation } from '../customers.ts';
import { listPlansOperation } from '../list-plans.ts';
import { deletePageOperation, restorePageOperation } from '../page.ts';
import { getRevenueOperation } from '../revenue.ts';
import { listRevisionsOperation, restoreRevisionOperation } from '../revisions.ts';
import { createCustomerTool } from './create-customer-tool.ts';
import { operationTool } from './operation-tool.ts';
import { getPageTool, listPagesTool, searchPagesTool } from './page-tools.ts';
import type { Tool } from './tool.ts';
import { createPageTool, publishPageTool, saveDraftTool, undoTool } from './write-page-tools.ts';

/** All tools, in the order in which assistants see them. */
export const tools: readonly Tool[] = [
  listPagesTool,
  searchPagesTool,
  getPageTool,
  createPageTool,
  saveDraftTool,
  publishPageTool,
  undoTool,
  operationTool(deletePageOperation, { name: 'delete_page', effect: 'replaces', id: 'page_id' }),
  operationTool(restorePageOperation, { name: 'restore_page', effect: 'adds', id: 'page_id' }),
  operationTool(listRevisionsOperation, { name: 'list_revisions', effect: 'reads', id: 'page_id' }),
  operationTool(restoreRevisionOperation, { name: 'restore_revision', effect: 'replaces', id: 'revision_id' }),
  operationTool(listCustomersOperation, { name: 'list_customers', effect: 'reads' }),
  operationTool(getCustomerOperation, { name: 'get_customer', effect: 'reads', id: 'customer_id' }),
  createCustomerTool,
  operationTool(deleteCustomerOperation, { name: 'delete_customer', effect: 'replaces', id: 'customer_id' }),
  operationTool(restoreCustomerOperation, { name: 'restore_customer', effect: 'adds', id: 'customer_id' }),
  operationTool(listPlansOperation, { name: 'list_plans', effect: 'reads' }),
  operationTool(getAccountOperation, { name: 'get_account', effect: 'reads' }),
  operationTool(getRevenueOperation, { name: 'get_revenue', effect: 'reads' }),
];
