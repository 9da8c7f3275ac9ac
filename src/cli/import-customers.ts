import { readFile } from 'node:fs/promises';
import { checkLines, type WrongLine } from '../customer-imports/check-lines.ts';
import { type ImportColumns, importFields, recognizeColumns, requireColumns } from '../customer-imports/columns.ts';
import { readCsv } from '../customer-imports/read-csv.ts';
import { inEnglish } from '../english.ts';
import { AppError } from '../errors.ts';
import { accountOption, command, OptionError, UsageError } from './command.ts';
import { findAccount } from './find-account.ts';

export const importCommand = command({
  about: 'Checks a CSV file of customers that an account is to have.',
  details:
    'The first line names the columns: account_name, account_subdomain, user_name, user_email, plan, language, or words like\n' +
    '"Company", "Subdomain", "Contact" and "E-mail". The last two may be missing.',
  positionals: ['FILE'],
  options: {
    account: accountOption,
    columns: {
      type: 'string',
      value: 'FIELD=COLUMN,…',
      about: 'The columns whose names are others: user_name=Chef,plan=Product.',
    },
    check: { type: 'boolean', about: 'Only check the file, and write nothing.' },
  },
  example: 'customers.csv --account acme --check',
  database: 'current',
  async run({ config, db, positionals: [name = ''], values }) {
    if (!values.check) throw new UsageError('Missing: --check.');
    const { id: seller } = await findAccount(db, values.account);
    const { header, lines } = await readCsv(await readImportFile(name));
    const columns = requireColumns(parseColumns(header, values.columns), header.length);
    const wrong = await checkLines(db, seller, { lines, columns }, config);
    return { ...checkResult(lines.length, wrong), exitCode: wrong.length === 0 ? 0 : 1 };
  },
});

async function readImportFile(name: string): Promise<Buffer> {
  try {
    return await readFile(name);
  } catch (error) {
    throw new AppError('not_found', `The file cannot be read: ${error instanceof Error ? error.message : error}.`);
  }
}

/** Returns the recognised columns, with those of the option in their place. */
function parseColumns(header: readonly string[], option: string | undefined): ImportColumns {
  const columns = { ...recognizeColumns(header) };
  for (const part of option?.split(',') ?? []) {
    const [fieldName, columnName] = part.split('=').map((text) => text.trim());
    const field = importFields.find((known) => known === fieldName);
    if (!field) throw new OptionError('columns', `has "${fieldName}", which is not one of ${importFields.join(', ')}`);
    const column = header.findIndex((cell) => cell.trim() === columnName);
    if (column < 0) throw new OptionError('columns', `has "${columnName}", and no column of the file has this name`);
    columns[field] = column;
  }
  return columns;
}

function checkResult(count: number, wrong: readonly WrongLine[]) {
  const lines = wrong.map(({ number, failures }) => ({
    line: number,
    fields: failures.map((broken) => ({ name: broken.field, message: inEnglish(broken) })),
  }));
  const sentences = lines.flatMap(({ line, fields }) =>
    fields.map(({ name, message }) => `Line ${line}: ${name} ${message}.`),
  );
  const summary = `${countLines(count)} checked: ${wrong.length === 0 ? 'all are right' : `${wrong.length} wrong`}.`;
  return {
    text: [...sentences, summary].join('\n'),
    json: { import: { lines: count, right: count - wrong.length, wrong: lines } },
  };
}

function countLines(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`;
}
