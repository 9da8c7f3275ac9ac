import { operator } from '../audit/record-audit-event.ts';
import { checkCopies } from '../customer-imports/check-copies.ts';
import { checkLines, type WrongLine } from '../customer-imports/check-lines.ts';
import { type ImportColumns, importFields, recognizeColumns, requireColumns } from '../customer-imports/columns.ts';
import { findUnfinishedImport, type ImportRow, listSkippedLines } from '../customer-imports/imports.ts';
import { readCsv } from '../customer-imports/read-csv.ts';
import { hashFile, startImport } from '../customer-imports/start-import.ts';
import { resumeImport } from '../customer-imports/stop-import.ts';
import type { Db } from '../db/database.ts';
import { inEnglish } from '../english.ts';
import { openMediaStore } from '../media/open-store.ts';
import { commandOfAccount, OptionError, type Output } from './command.ts';
import { followImport } from './follow-import.ts';
import { counted } from './output.ts';
import { readNamedFile } from './read-named-file.ts';

export const importCommand = commandOfAccount({
  about: 'Creates customers from a CSV file, and mails their first users links to choose passwords.',
  details:
    'The first line names the columns: account_name, account_subdomain, user_name, user_email, plan, language, template, or\n' +
    'words like "Company", "Subdomain", "Contact" and "E-mail". Plan, language and template are optional. A customer with a\n' +
    'template starts from its pages, which takes longer than default pages.\n' +
    'To continue an interrupted import, run the command again. A running service continues it, too.',
  positionals: ['FILE'],
  options: {
    columns: {
      type: 'string',
      value: 'FIELD=COLUMN,…',
      about: 'The columns with other names: user_name=Chef,plan=Product.',
    },
    check: { type: 'boolean', about: 'Only check the file, and write nothing.' },
    'skip-wrong': { type: 'boolean', about: 'Create the customers of the right lines although others are wrong.' },
  },
  example: 'customers.csv --account acme --check',
  async run({ config, db, account: { id: seller }, positionals: [name = ''], values, report }) {
    const bytes = await readNamedFile(name);
    const { header, lines } = await readCsv(bytes);
    const columns = requireColumns(parseColumns(header, values.columns), header.length);
    const fileHash = hashFile(bytes);
    const unfinished = values.check ? undefined : await findUnfinishedImport(db, seller, fileHash);
    if (!unfinished) {
      await checkCopies(db, seller, { lines, columns });
      const wrong = await checkLines(db, seller, { lines, columns }, config);
      if (values.check || (wrong.length > 0 && !values['skip-wrong'])) {
        const { text, json } = checkResult(lines.length, wrong);
        const advice = values.check ? [] : ['No customer was created. Correct the file, or use --skip-wrong.'];
        return { text: [text, ...advice].join('\n'), json, exitCode: wrong.length === 0 ? 0 : 1 };
      }
    }
    const id = await db.transaction().execute(async (trx) => {
      const input = { fileName: name.split('/').at(-1)!, fileHash, lines, columns };
      if (!unfinished) return startImport(trx, seller, input, operator);
      return (await resumeImport(trx, seller, unfinished.id, operator)).id;
    });
    return importResult(
      db,
      await followImport({ db, store: openMediaStore(config), config }, { accountId: seller, importId: id }, report),
    );
  },
});

/** Returns the recognized columns, overridden by those of the option. */
function parseColumns(header: readonly string[], option: string | undefined): ImportColumns {
  const columns = { ...recognizeColumns(header) };
  for (const part of option?.split(',') ?? []) {
    const [fieldName, columnName] = part.split('=').map((text) => text.trim());
    const field = importFields.find((known) => known === fieldName);
    if (!field) throw new OptionError('columns', `has "${fieldName}", which is not one of ${importFields.join(', ')}`);
    const column = header.findIndex((cell) => cell.trim() === columnName);
    if (column < 0) throw new OptionError('columns', `has "${columnName}", but no column of the file has this name`);
    columns[field] = column;
  }
  return columns;
}

function checkResult(count: number, wrong: readonly WrongLine[]): Pick<Output, 'json'> & { text: string } {
  const summary = `${counted(count, 'line')} checked: ${wrong.length === 0 ? 'no errors' : `${wrong.length} wrong`}.`;
  return {
    text: [...sentencesOf(wrong), summary].join('\n'),
    json: { import: { lines: count, right: count - wrong.length, wrong: wrong.map(wrongLineJson) } },
  };
}

/** How many skipped lines are printed. The admin app has a report of all. */
const MAX_SKIPPED_LINES = 500;

async function importResult(db: Db, { id, account_id: accountId, ...done }: ImportRow): Promise<Output> {
  const skipped = await listSkippedLines(db, accountId, { importId: id, limit: MAX_SKIPPED_LINES });
  const left = done.line_count - done.created_count - done.skipped_count;
  const created = done.created_count === 1 ? '1 customer is' : `${done.created_count} customers are`;
  const summary = [
    `${created} created.`,
    ...(done.skipped_count > 0 ? [`${counted(done.skipped_count, 'line')} skipped.`] : []),
    ...(left > 0 ? [`The import was stopped: ${counted(left, 'line')} left. Run the command again to continue.`] : []),
  ];
  return {
    text: [...sentencesOf(skipped), summary.join(' ')].join('\n'),
    json: {
      import: {
        lines: done.line_count,
        created: done.created_count,
        skipped: done.skipped_count,
        left,
        wrong: skipped.map(wrongLineJson),
      },
    },
    exitCode: left > 0 ? 1 : 0,
  };
}

function sentencesOf(lines: readonly WrongLine[]): string[] {
  return lines.flatMap(({ number, failures }) =>
    failures.map((broken) => `Line ${number}: ${broken.field} ${inEnglish(broken)}.`),
  );
}

function wrongLineJson({ number, failures }: WrongLine) {
  return {
    line: number,
    fields: failures.map((broken) => ({ name: broken.field, message: inEnglish(broken) })),
  };
}
