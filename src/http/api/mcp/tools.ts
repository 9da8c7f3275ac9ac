import { getAccountOperation } from '../account.ts';
import { getCustomerOperation, listCustomersOperation } from '../customers.ts';
import { listPlansOperation } from '../plans.ts';
import { listRevisionsOperation } from '../revisions.ts';
import { operationTool } from './operation-tool.ts';
import { getPageTool, listPagesTool, searchPagesTool } from './page-tools.ts';
import { getRevenueTool } from './revenue-tool.ts';
import type { Tool } from './tool.ts';

/** Every tool, in the order in which assistants get them. */
export const tools: readonly Tool[] = [
  listPagesTool,
  searchPagesTool,
  getPageTool,
  operationTool(listRevisionsOperation, { name: 'list_revisions', effect: 'reads', id: 'page_id' }),
  operationTool(listCustomersOperation, { name: 'list_customers', effect: 'reads' }),
  operationTool(getCustomerOperation, { name: 'get_customer', effect: 'reads', id: 'customer_id' }),
  operationTool(listPlansOperation, { name: 'list_plans', effect: 'reads' }),
  operationTool(getAccountOperation, { name: 'get_account', effect: 'reads' }),
  getRevenueTool,
];
