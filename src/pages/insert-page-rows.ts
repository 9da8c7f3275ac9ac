import { preparedInsertMany, preparedInsertManyForIds } from '../db/prepared-rows.ts';

const types = {
  account_id: 'bigint',
  parent_id: 'bigint',
  name: 'text',
  urlname: 'text',
  position: 'bigint',
  is_hidden: 'bigint',
  body: 'text',
  description: 'text',
  body_format: 'text',
  custom_date: 'bigint',
  created_at: 'bigint',
  created_by: 'bigint',
  updated_at: 'bigint',
  updated_by: 'bigint',
  version: 'bigint',
  status: 'text',
} as const;

/** Inserts many complete pages with one statement. */
export const insertPageRows = preparedInsertMany('pages', types);

/** Inserts many complete pages with one statement, and returns their ids in order. */
export const insertPageRowsForIds = preparedInsertManyForIds('pages', types);
