import * as v from 'valibot';
import { text } from '../schema.ts';
import type { FieldError } from './common.ts';

/*
 * Imports of customers from CSV files. The files are sent as text/csv, and are 5 MiB at most.
 */

/** The fields of a customer that a file can have. */
export type ImportField =
  | 'account_name'
  | 'account_subdomain'
  | 'user_name'
  | 'user_email'
  | 'plan'
  | 'language'
  | 'template';

/** A field's column, from 0; null for none. */
export type ImportColumnsJson = Record<ImportField, number | null>;

/**
 * POST /admin/imports/check → CheckedImportJson. Writes nothing. `columns` is JSON of `ImportColumnsJson`; without it, columns
 * are recognised by their names.
 */
export const checkImportQuery = v.object({ columns: v.optional(text) });

export interface CheckedImportJson {
  /** The cells of the first line. */
  header: string[];
  columns: ImportColumnsJson;
  /** The required fields without a column. Unless there are none, no line is checked. */
  missing: ImportField[];
  lineCount: number;
  /** The first lines. */
  sample: ImportLineJson[];
  wrongCount: number;
  /** The first lines that cannot become customers. */
  wrong: WrongLineJson[];
}

interface ImportLineJson {
  /** As spreadsheets number rows, from 1. */
  number: number;
  cells: string[];
}

export interface WrongLineJson {
  number: number;
  /** The customer's name in the line. */
  name: string;
  failures: readonly FieldError[];
}

/** POST /admin/imports → 201 ImportJson. Lines that are wrong are skipped. The service goes on without the app. */
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
  /** The name of the person who started it. */
  by: string;
  createdAt: number;
  /** When it was done or stopped. */
  endedAt: number | null;
}

/** GET /admin/imports/ID; POST /admin/imports/ID/stop and /resume answer with ImportJson. */
export interface ImportDetailsJson extends ImportJson {
  /** The first lines that were skipped. */
  skipped: WrongLineJson[];
}

/** GET /admin/imports/ID/report: what has become of each line, as CSV; with `skipped` only of those that were skipped. */
export const importReportQuery = v.object({ skipped: v.optional(text) });
