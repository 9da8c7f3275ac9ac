import { preparedInsertMany } from '../db/prepared-rows.ts';

/** Inserts whole pages, many with one statement, and returns their ids in order. */
export const insertPageRows = preparedInsertMany('pages', {
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
});
