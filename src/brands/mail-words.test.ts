import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount, makeCustomer } from '../../test/factories.ts';
import { operator } from '../audit/record-audit-event.ts';
import type { Db } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { exampleMail } from '../mail/example-mail.ts';
import { findSender } from '../mail/find-sender.ts';
import { invitation } from '../mail/invitation.ts';
import { defaultWords, fillIn, mailKinds, placeholdersIn, placeholdersOf } from '../mail/mail-words.ts';
import { changeBrand } from './change-brand.ts';
import { changeMailWords, resetMailWords } from './change-mail-words.ts';
import { listMailWords } from './list-mail-words.ts';

const kind = 'invitation';
const TEXT = 'Dear {name},\n\nplease come to\n{site}.\n\n{link}\n\nYours,\nAcme';

onEachDatabase('the words of messages', (open) => {
  test("an account's words are in messages to its customers and theirs, unless a nearer account has a brand", async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    const reseller = await makeCustomer(db, accountId);
    const customer = await makeCustomer(db, reseller);
    await brand(db, accountId, 'Acme');
    await change(db, accountId, { subject: '{inviter} & {site}', text: TEXT });
    const { subject, text, html } = await invite(db, customer);
    assert.equal(subject, 'Bob & Shop');
    assert.match(
      text,
      /^Dear Ann,\n\nplease come to\nShop\.\n\nAccept the invitation:\n\S+#token=\S+\n\nYours,\nAcme\n\nYou get/,
    );
    assert.match(html, /<p[^>]*>please come to<br>Shop\.<\/p>/);
    assert.match(html, /<h1[^>]*>Bob &amp; Shop<\/h1>/);
    // Other kinds have their own words.
    assert.equal((await findSender(db, customer, 'confirm_email')).brand?.words, null);
    await brand(db, reseller, 'Nearer');
    await assert.rejects(change(db, reseller, { subject: 'Hello', text: '{link}' }), { code: 'conflict' });
    assert.equal((await invite(db, customer)).subject, 'Bob has invited you to Shop');
  });

  test('invalid words are refused with every problem, and words require a brand', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    await assert.rejects(change(db, accountId, { subject: 'Hello', text: '{link}' }), { code: 'conflict' });
    await brand(db, accountId, 'Acme');
    const wrong = async (subject: string, text: string) => {
      const error = await change(db, accountId, { subject, text }).catch((error: unknown) => error);
      assert(error instanceof ValidationError);
      return error.fields.map(({ field, code, params }) => [field, code, params && Object.values(params)[0]]);
    };
    assert.deepEqual(await wrong(' ', 'Hello'), [
      ['subject', 'blank', undefined],
      ['text', 'placeholders_missing', ['link']],
    ]);
    assert.deepEqual(await wrong('{link}', '{Name} {link}'), [
      ['subject', 'placeholder_unknown', 'link'],
      ['text', 'placeholder_unknown', 'Name'],
    ]);
    assert.deepEqual(await wrong('a\nBcc: b@c.example', `${'x'.repeat(5000)}{link}`), [
      ['subject', 'control_character', undefined],
      ['text', 'too_long', 5000],
    ]);
    assert.deepEqual(await wrong('{ name }', '{link} {\u0000}'), [
      ['subject', 'placeholder_unknown', ' name '],
      ['text', 'control_character', undefined],
    ]);
    assert.equal(
      (await listMailWords(db, accountId)).every(({ version }) => version === 0),
      true,
    );
  });

  test('words can be reset to the default, and a change of an outdated version is refused', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    await brand(db, accountId, 'Acme');
    const seen = async () => (await listMailWords(db, accountId)).find((words) => words.kind === kind)!;
    await change(db, accountId, { subject: 'Hello', text: '{link}', seenVersion: 0 });
    await assert.rejects(change(db, accountId, { subject: 'Hi', text: '{link}', seenVersion: 0 }), {
      code: 'conflict',
    });
    await change(db, accountId, { subject: 'Hi', text: ' {link}\r\nBye ', seenVersion: 1 });
    assert.deepEqual(await seen(), { kind, subject: 'Hi', text: '{link}\nBye', version: 2 });
    const reset = (seenVersion: number) =>
      db.transaction().execute((trx) => resetMailWords(trx, accountId, { kind, seenVersion }, operator));
    await assert.rejects(reset(1), { code: 'conflict' });
    await reset(2);
    assert.deepEqual(await seen(), { kind, ...defaultWords[kind], version: 0 });
    // Entering the default words is a reset.
    await change(db, accountId, defaultWords[kind]);
    assert.equal((await seen()).version, 0);
    const events = await db.selectFrom('audit_log').select('action').where('action', 'like', 'brand.words%').execute();
    assert.deepEqual(
      events.map(({ action }) => action),
      ['brand.words_changed', 'brand.words_changed', 'brand.words_reset'],
    );
  });

  async function invite(db: Db, accountId: number) {
    const sender = await findSender(db, accountId, kind);
    const person = { userName: 'Ann', userEmail: 'ann@example.com', inviterName: 'Bob', token: 'secret' };
    return invitation({ ...sender, ...person, accountName: 'Shop' });
  }
});

test('the default words of each kind are valid, and its example fills in every placeholder', () => {
  const addresses = { publicUrl: 'https://app.example', sitesDomain: 'sites.example' };
  for (const each of mailKinds) {
    const { required, optional } = placeholdersOf[each];
    const { subject, text } = defaultWords[each];
    assert.deepEqual(
      required.filter((name) => !placeholdersIn(text).includes(name)),
      [],
    );
    assert.deepEqual(
      [...placeholdersIn(subject), ...placeholdersIn(text)].filter(
        (name) => ![...required, ...optional].includes(name),
      ),
      [],
    );
    const words = {
      subject: optional.map((name) => `{${name}}`).join(' '),
      text: `${text} ${optional.map((name) => `{${name}}`)}`,
    };
    const brand = {
      name: 'Acme',
      accent: '#123456',
      senderName: 'Acme',
      subdomain: 'a',
      appHost: null,
      logo: null,
      logoDark: null,
      words,
    };
    const message = exampleMail(each, { accent: '#123456', replyTo: null, brand, senderName: 'Acme' }, addresses);
    assert.doesNotMatch(message.subject + message.text + message.html.split('</style>')[1], /[{}\ue000]/, each);
  }
});

test('values and words cannot add placeholders, headers, links or HTML to a message', () => {
  assert.equal(fillIn('{a} {b}', { a: '{b}', b: '{a}' }), '{b} {a}');
  const words = { subject: 'Hi {name}', text: '<b>{name}</b> http://evil.example {link}' };
  const brand = {
    name: 'A',
    accent: '#123456',
    senderName: 'A',
    subdomain: 'a',
    appHost: null,
    logo: null,
    logoDark: null,
    words,
  };
  const userName = 'Ann\r\nBcc: x@y.example {link} <i>';
  const sender = { accent: '#123456', replyTo: null, brand, accountName: 'Shop' };
  const { subject, text, html } = invitation({
    ...sender,
    userName,
    userEmail: 'a@b.example',
    inviterName: 'Bob',
    token: 'secret',
  });
  assert.equal(subject, 'Hi Ann Bcc: x@y.example {link} <i>');
  assert.equal(text.split('#token=').length, 2);
  assert.doesNotMatch(html, /<b>|<i>|http:\/\/evil/);
});

function brand(db: Db, accountId: number, name: string) {
  return db.transaction().execute((trx) => changeBrand(trx, accountId, { name }, operator));
}

function change(db: Db, accountId: number, input: { subject: string; text: string; seenVersion?: number }) {
  return db.transaction().execute((trx) => changeMailWords(trx, accountId, { kind, ...input }, operator));
}
