import type { ImportField, ImportJson } from '../../../contract.ts';

const number = (count: number) => count.toLocaleString('en-GB');
const customers = (count: number) => (count === 1 ? '1 customer' : `${number(count)} customers`);
const lines = (count: number) => (count === 1 ? '1 line' : `${number(count)} lines`);

/** The allowed values, and the value that the line has. */
interface Choices {
  readonly values: readonly string[];
  readonly given?: string;
  /** How many allowed values are not listed. */
  readonly more?: number;
}

/** Lists the values in quotation marks, since a name may contain a comma. */
const list = ({ values, more = 0 }: Choices) =>
  values.map((value) => `“${value}”`).join(', ') + (more > 0 ? ` and ${number(more)} more` : '');

/** The texts of importing customers. */
export const words = {
  title: 'Import customers',
  back: 'All imports',
  choose: 'Choose a file',
  chooseOther: 'Choose another file',
  drop: 'Choose a CSV file, or drop it here',
  dropText:
    'Save your list of customers as CSV: a line with the names of the columns, and a line for each customer below it, up to 10,000. It needs the name of the customer, its subdomain, and the name and e-mail address of the person who looks after it. Nothing is created until you have seen what is in the file.',
  tooLarge: 'The file is larger than 5 MB. Split it into smaller files.',
  reading: 'The file is being checked…',

  columns: 'Columns',
  columnsText: 'Which column has what? The first customer helps you to check.',
  noColumn: 'None',
  required: 'required',
  fields: {
    account_name: 'Name of the customer',
    account_subdomain: 'Subdomain',
    user_name: 'Name of the person',
    user_email: 'E-mail address',
    plan: 'Plan',
    language: 'Language',
    template: 'Template',
  } satisfies Record<ImportField, string>,
  help: {
    plan: 'Without one, customers are put on the default plan.',
    language: 'Without one, the first pages are in the language of your own website.',
    template: 'Without one, customers start with default pages.',
  } as Partial<Record<ImportField, string>>,
  emptyColumn: (column: number) => `Column ${column + 1}`,
  sample: (text: string) => (text === '' ? 'Empty in the first line' : `First line: ${text}`),

  result: 'What will happen',
  missing: (fields: readonly ImportField[]) =>
    `Choose ${fields.length === 1 ? 'a column' : 'columns'} for: ${fields.map((field) => words.fields[field]).join(', ')}.`,
  allRight: (count: number) =>
    `${customers(count)} will be created, and their people are mailed links to choose passwords.`,
  someWrong: (wrong: number, count: number) =>
    wrong === count
      ? `No line can become a customer. Correct the file, and choose it again.`
      : `${customers(count - wrong)} will be created, and their people are mailed links to choose passwords. ${lines(wrong)} will be skipped: correct the file first, or import the skipped lines later.`,
  submit: (count: number) => `Create ${customers(count)}`,
  wrongLines: 'Lines with mistakes',
  line: (line: number) => `Line ${number(line)}`,
  more: (count: number) => `And ${number(count)} others.`,
  unknownPlan: ({ given = '', ...choices }: Choices) => `There is no plan “${given}”. Plans: ${list(choices)}.`,
  retiredPlan: 'The plan is retired.',
  unknownTemplate: ({ given = '', ...choices }: Choices) =>
    `There is no template “${given}”. ${choices.values.length === 0 ? 'You have no templates yet.' : `Templates: ${list(choices)}.`}`,
  retiredTemplate: 'The template is no longer offered.',
  copying: 'Customers that start from a template take longer: its pages and images are copied for each of them.',

  earlier: 'Earlier imports',
  startedBy: (by: string, when: string) => `${by}, ${when}`,
  summary: ({ state, createdCount, skippedCount, lineCount }: ImportJson) => {
    const left = lineCount - createdCount - skippedCount;
    const parts = [
      `${customers(createdCount)} created`,
      ...(skippedCount > 0 ? [`${lines(skippedCount)} skipped`] : []),
      ...(state === 'stopped' && left > 0 ? [`${lines(left)} left`] : []),
    ];
    return `${parts.join(', ')}.`;
  },
  states: { running: 'Running', stopped: 'Stopped', done: 'Done' } satisfies Record<ImportJson['state'], string>,
  progress: (done: number, count: number) => `${number(done)} of ${lines(count)}`,
  progressText: 'You can close this page: the import continues, and its result is shown here.',
  stop: 'Stop',
  resume: 'Continue',
  stoppedText: 'You stopped the import. The customers created so far stay. Continue to create the others.',
  skipped: 'Skipped lines',
  skippedText:
    'Save them as a file, correct them there, and import that file: its columns already have the right names.',
  saveSkipped: 'Save skipped lines as CSV',
  saveReport: 'Save report as CSV',
  toCustomers: 'See the customers',
};
