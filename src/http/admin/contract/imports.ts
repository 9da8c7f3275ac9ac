import * as v from 'valibot';
import { text } from '../schema.ts';
import type { FieldError } from './common.ts';

/* Imports of customers from CSV files, which are sent as text/csv. The limit is 5 MiB. */

/** The fields of a customer that a file can contain. */
export type ImportField =
  | 'account_name'
  | 'account_subdomain'
  | 'user_name'
  | 'user_email'
  | 'plan'
  | 'language'
  | 'template';

/** The column of each field, counted from 0; null for none. */
export type ImportColumnsJson = Record<ImportField, number | null>;

/**
 * POST /admin/imports/check → CheckedImportJson. Checks a file and imports nothing. `columns` is an `ImportColumnsJson` as JSON;
 * without it, columns are recognized by their names.
 */
export const checkImportQuery = v.object({ columns: v.optional(text) });

export interface CheckedImportJson {
  /** The cells of the first line. */
  header: string[];
  columns: ImportColumnsJson;
  /** The required fields without a column. If there are any, no line is checked. */
  missing: ImportField[];
  lineCount: number;
  /** The first lines. */
  sample: ImportLineJson[];
  wrongCount: number;
  /** The first lines that cannot become customers. */
  wrong: WrongLineJson[];
}

interface ImportLineJson {
  /** The row number in a spreadsheet, from 1. */
  number: number;
  cells: string[];
}

export interface WrongLineJson {
  number: number;
  /** The customer's name in the line. */
  name: string;
  failures: readonly FieldError[];
}

/** POST /admin/imports → 201 ImportJson. Skips wrong lines. The import goes on if the app is closed. */
export const startImportQuery = v.object({ name: text, columns: v.optional(text) });

/** GET /admin/imports: the last 20, the latest first. */
export interface ImportsJson {
  imports: ImportJson[];
}

export interface ImportJson {
  id: number;
  fileName: string;
  state: 'running' | 'stopped' | 'done';
  lineCount: number;
  createdCount: number;
  skippedCount: number;
  /** The name of the person who started the import. */
  by: string;
  createdAt: number;
  /** When the import was done or stopped. */
  endedAt: number | null;
}

/** GET /admin/imports/ID; POST /admin/imports/ID/stop and /resume answer with ImportJson. */
export interface ImportDetailsJson extends ImportJson {
  /** The first skipped lines. */
  skipped: WrongLineJson[];
}

/** GET /admin/imports/ID/report: the result of each line, as CSV; with `skipped`, only of skipped lines. */
export const importReportQuery = v.object({ skipped: v.optional(text) });
