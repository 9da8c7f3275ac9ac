import type { IncomingMessage } from 'node:http';
import { checkCopies } from '../../customer-imports/check-copies.ts';
import { checkLines } from '../../customer-imports/check-lines.ts';
import {
  findMissingColumns,
  type ImportColumns,
  importFields,
  recognizeColumns,
  requireColumns,
} from '../../customer-imports/columns.ts';
import { importReport } from '../../customer-imports/import-report.ts';
import { getImport, type ImportRow, listImports, listSkippedLines } from '../../customer-imports/imports.ts';
import { type CsvFile, MAX_IMPORT_BYTES, readCsv } from '../../customer-imports/read-csv.ts';
import { hashFile, startImport } from '../../customer-imports/start-import.ts';
import { resumeImport, stopImport } from '../../customer-imports/stop-import.ts';
import type { Db } from '../../db/database.ts';
import { inEnglish } from '../../english.ts';
import { AppError } from '../../errors.ts';
import { holderFinder } from '../../tenancy/holder.ts';
import { queueLarge, withBody } from '../body.ts';
import { checkImportQuery, importReportQuery, startImportQuery } from './contract/imports.ts';
import type { CheckedImportJson, ImportColumnsJson, ImportDetailsJson, ImportJson, ImportsJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { csvResponse, jsonResponse } from './responses.ts';
import { type AdminRoute, type NoInput, route, type SignedInRequest } from './route.ts';
import { assertStillAdmitted } from './signed-in.ts';

/** The maximum number of wrong lines in a response, and the number of lines in the sample. */
const MAX_SHOWN_LINES = 100;
const SAMPLE_LINES = 5;

/** Returns the routes for imports of customers from files. */
export function importRoutes(dependencies: RouteDependencies): AdminRoute[] {
  const { db, onImportStarted } = dependencies;
  return [
    route('POST /admin/imports/check', {
      takes: 'file',
      needs: 'manage_customers',
      query: checkImportQuery,
      handle: (request) => check(dependencies, request),
    }),
    route('POST /admin/imports', {
      takes: 'file',
      needs: 'manage_customers',
      query: startImportQuery,
      handle: (request) => start(dependencies, request),
    }),
    route('GET /admin/imports', {
      needs: 'manage_customers',
      handle: async ({ sessionOwner: { accountId } }) => {
        const imports = await listImports(db, accountId);
        return jsonResponse(200, { imports: imports.map(importJson) } satisfies ImportsJson);
      },
    }),
    route('GET /admin/imports/:id', {
      needs: 'manage_customers',
      handle: async ({ sessionOwner: { accountId }, id: importId }) => {
        const found = await getImport(db, accountId, importId);
        const input = { importId, limit: MAX_SHOWN_LINES };
        const skipped = found.skipped_count === 0 ? [] : await listSkippedLines(db, accountId, input);
        return jsonResponse(200, {
          ...importJson(found),
          skipped: skipped.map(({ number, cells: [name = ''], failures }) => ({ number, name, failures })),
        } satisfies ImportDetailsJson);
      },
    }),
    route('GET /admin/imports/:id/report', {
      needs: 'manage_customers',
      query: importReportQuery,
      handle: async ({ sessionOwner, id: importId, query }) => {
        const { accountId } = sessionOwner;
        await getImport(db, accountId, importId);
        const onlySkipped = query.skipped !== undefined;
        const lines = importReport(db, accountId, { importId, onlySkipped, explain: inEnglish });
        return csvResponse({ db, sessionOwner }, `import-${importId}${onlySkipped ? '-skipped' : ''}.csv`, lines);
      },
    }),
    route('POST /admin/imports/:id/stop', {
      needs: 'manage_customers',
      handle: async ({ sessionOwner: { accountId }, id, actor, change }) =>
        jsonResponse(200, importJson(await change((trx) => stopImport(trx, accountId, id, actor)))),
    }),
    route('POST /admin/imports/:id/resume', {
      needs: 'manage_customers',
      handle: async ({ sessionOwner: { accountId }, id, actor, change }) => {
        const resumed = await change((trx) => resumeImport(trx, accountId, id, actor));
        onImportStarted();
        return jsonResponse(200, importJson(resumed));
      },
    }),
  ];
}

function check(
  { db, config }: RouteDependencies,
  { sessionOwner, ctx, query }: SignedInRequest<NoInput, typeof checkImportQuery>,
) {
  const { accountId } = sessionOwner;
  return withFile(db, ctx.request, accountId, async ({ header, lines }) => {
    // The file may have taken minutes to arrive.
    await assertStillAdmitted(db, sessionOwner);
    const columns = chosenColumns(query.columns, header);
    const missing = findMissingColumns(columns, header.length);
    if (missing.length === 0) await checkCopies(db, accountId, { lines, columns });
    const wrong = missing.length > 0 ? [] : await checkLines(db, accountId, { lines, columns }, config);
    const byNumber = new Map(lines.map((line) => [line.number, line]));
    return jsonResponse(200, {
      header,
      columns: Object.fromEntries(importFields.map((field) => [field, columns[field] ?? null])) as ImportColumnsJson,
      missing,
      lineCount: lines.length,
      sample: lines.slice(0, SAMPLE_LINES),
      wrongCount: wrong.length,
      wrong: wrong.slice(0, MAX_SHOWN_LINES).map(({ number, failures }) => {
        return { number, name: byNumber.get(number)?.cells[columns.account_name ?? -1] ?? '', failures };
      }),
    } satisfies CheckedImportJson);
  });
}

async function start(
  { db, onImportStarted }: RouteDependencies,
  { sessionOwner: { accountId }, ctx, query, actor, change }: SignedInRequest<NoInput, typeof startImportQuery>,
) {
  const input = await withFile(db, ctx.request, accountId, async ({ header, lines, fileHash }) => {
    const columns = requireColumns(chosenColumns(query.columns, header), header.length);
    await checkCopies(db, accountId, { lines, columns });
    return { fileName: query.name, fileHash, lines, columns };
  });
  const started = await change(async (trx) =>
    getImport(trx, accountId, await startImport(trx, accountId, input, actor)),
  );
  onImportStarted();
  return jsonResponse(201, importJson(started));
}

/**
 * Runs `work` on the file while no other large input is processed. Even a small file may have ten thousand lines: checking many
 * files at once would keep the event loop busy and delay all other requests.
 * @throws AppError `malformed` for a type that a form of another site could send; ValidationError for the field `file`
 */
function withFile<T>(
  db: Db,
  request: IncomingMessage,
  accountId: number,
  work: (file: CsvFile & { fileHash: string }) => Promise<T>,
): Promise<T> {
  if (request.headers['content-type'] !== 'text/csv') throw new AppError('malformed', 'The body must be text/csv.');
  const findHolder = holderFinder(db, accountId);
  return withBody(request, { limit: MAX_IMPORT_BYTES, findHolder, hasOwnQueue: true }, (bytes) =>
    queueLarge(findHolder, async () => work({ ...(await readCsv(bytes)), fileHash: hashFile(bytes) })),
  );
}

/** @throws AppError `malformed` */
function chosenColumns(json: string | undefined, header: readonly string[]): ImportColumns {
  if (json === undefined) return recognizeColumns(header);
  const columns: { -readonly [F in keyof ImportColumns]: ImportColumns[F] } = {};
  try {
    const chosen: Record<string, unknown> = JSON.parse(json);
    for (const field of importFields) {
      const column = chosen[field] ?? undefined;
      if (column !== undefined && !Number.isSafeInteger(column)) throw new Error(field);
      columns[field] = column as number | undefined;
    }
  } catch {
    throw new AppError('malformed', '"columns" must be an object with a column for each field.');
  }
  return columns;
}

function importJson(row: ImportRow): ImportJson {
  return {
    id: row.id,
    fileName: row.file_name,
    state: row.state,
    lineCount: row.line_count,
    createdCount: row.created_count,
    skippedCount: row.skipped_count,
    by: row.actor,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  };
}
