import { readFile } from 'node:fs/promises';
import { operator } from '../audit/record-audit-event.ts';
import { changeMailWords, resetMailWords } from '../brands/change-mail-words.ts';
import { listMailWords, type StoredMailWords } from '../brands/list-mail-words.ts';
import { type MailKind, mailKinds, placeholdersOf } from '../mail/mail-words.ts';
import { command, UsageError } from './command.ts';
import { ACCOUNT, findAccount } from './find-account.ts';

const KIND = `KIND is one of ${mailKinds.join(', ')}.`;

export const words = command({
  about: "Shows the texts of the messages to an account's customers.",
  details: `${ACCOUNT} Names in braces are placeholders; {link} is the button.`,
  positionals: ['ACCOUNT'],
  example: 'acme',
  async run({ db, positionals }) {
    const { id } = await findAccount(db, positionals[0]!);
    const mails = await listMailWords(db, id);
    return { text: mails.map(inWords).join('\n\n'), json: { messages: mails.map(wordsJson) } };
  },
});

export const changeWords = command({
  about: "Changes the text of a kind of message to an account's customers.",
  details: `${ACCOUNT} ${KIND}\nThe text is read from a file; empty lines separate paragraphs. Options that are not given change nothing.`,
  positionals: ['ACCOUNT', 'KIND'],
  options: {
    subject: { type: 'string', value: 'TEXT', about: 'The subject.' },
    'text-file': { type: 'string', value: 'FILE', about: 'A file with the text.' },
  },
  example: "acme invitation --subject '{inviter} invites you'",
  async run({ db, positionals, values }) {
    const kind = kindOf(positionals[1]!);
    const { subject, 'text-file': file } = values;
    if (subject === undefined && file === undefined) throw new UsageError('Missing: --subject or --text-file.');
    const text = file === undefined ? undefined : await readText(file);
    const changed = await db.transaction().execute(async (trx) => {
      const { id } = await findAccount(trx, positionals[0]!);
      const before = (await listMailWords(trx, id)).find((mail) => mail.kind === kind)!;
      await changeMailWords(trx, id, { kind, subject: subject ?? before.subject, text: text ?? before.text }, operator);
      return (await listMailWords(trx, id)).find((mail) => mail.kind === kind)!;
    });
    return { text: inWords(changed), json: { message: wordsJson(changed) } };
  },
});

export const resetWords = command({
  about: "Restores the default text of a kind of message to an account's customers.",
  details: `${ACCOUNT} ${KIND}`,
  positionals: ['ACCOUNT', 'KIND'],
  example: 'acme invitation',
  async run({ db, positionals }) {
    const kind = kindOf(positionals[1]!);
    const mail = await db.transaction().execute(async (trx) => {
      const { id } = await findAccount(trx, positionals[0]!);
      await resetMailWords(trx, id, { kind }, operator);
      return (await listMailWords(trx, id)).find((one) => one.kind === kind)!;
    });
    return { text: inWords(mail), json: { message: wordsJson(mail) } };
  },
});

function kindOf(text: string): MailKind {
  const kind = mailKinds.find((one) => one === text);
  if (!kind) throw new UsageError(KIND);
  return kind;
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => {
    throw new UsageError(`The file "${file}" cannot be read.`);
  });
}

function inWords({ kind, subject, text, version }: StoredMailWords): string {
  return [`${kind}${version === 0 ? ' (default)' : ''}`, `Subject: ${subject}`, '', text].join('\n');
}

function wordsJson({ kind, subject, text, version }: StoredMailWords) {
  const { required, optional } = placeholdersOf[kind];
  return { kind, subject, text, is_default: version === 0, required, optional };
}
