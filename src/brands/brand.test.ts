import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount, makeCustomer } from '../../test/factories.ts';
import { operator } from '../audit/record-audit-event.ts';
import type { Db } from '../db/database.ts';
import { ValidationError } from '../errors.ts';
import { findSender } from '../mail/find-sender.ts';
import { contrast } from '../oklch.ts';
import { appStyle } from './app-style.ts';
import { findOwnBrand } from './brand.ts';
import { type ChangeBrandInput, changeBrand, removeBrand } from './change-brand.ts';
import { brandFinder } from './shown-brand.ts';

onEachDatabase('the brand of an account', (open) => {
  test('is seen by its customers and their customers, unless a nearer account has a brand, and not by its own people', async (t) => {
    const { db } = await open(t);
    const { accountId, line } = await makeLine(db, 4);
    const seenBy = async (id: number) => (await findSender(db, id, 'invitation')).brand?.name;
    const [reseller, customer, below] = line as [number, number, number];
    await change(db, accountId, { name: 'Acme' });
    assert.deepEqual(await Promise.all([accountId, ...line].map(seenBy)), [undefined, 'Acme', 'Acme', 'Acme', 'Acme']);
    await change(db, customer, { name: 'Nearer' });
    assert.deepEqual(await Promise.all([reseller, customer, below].map(seenBy)), ['Acme', 'Acme', 'Nearer']);
    const { subdomain } = await db
      .selectFrom('accounts')
      .select('subdomain')
      .where('id', '=', below)
      .executeTakeFirstOrThrow();
    const find = brandFinder(db);
    assert.equal((await find(subdomain))?.name, 'Nearer');
    await db.transaction().execute((trx) => removeBrand(trx, customer, operator));
    assert.equal((await find(subdomain))?.name, 'Acme');
    assert.equal(await find('nobody'), undefined);
  });

  test('passes down 20 levels and no further, so that reading it takes few rows', async (t) => {
    const { db } = await open(t);
    const { accountId, line } = await makeLine(db, 21);
    await change(db, accountId, { name: 'Acme' });
    assert.equal((await findSender(db, line[19]!, 'invitation')).brand?.name, 'Acme');
    assert.equal((await findSender(db, line[20]!, 'invitation')).brand, null);
  });

  test('keeps omitted fields, clears empty ones, and refuses a change that is based on another version', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    await change(db, accountId, {
      name: ' Acme ',
      accent: 'F80',
      supportUrl: 'https://acme.example/help',
      seenVersion: 0,
    });
    const brand = await change(db, accountId, { supportEmail: 'help@acme.example', supportUrl: '', seenVersion: 1 });
    const { name, accent, support_email, support_url, version } = brand;
    assert.deepEqual(
      [name, accent, support_email, support_url, version],
      ['Acme', '#ff8800', 'help@acme.example', null, 2],
    );
    for (const seenVersion of [0, 1]) {
      await assert.rejects(change(db, accountId, { name: 'Other', seenVersion }), { code: 'conflict' });
    }
    assert.equal((await change(db, accountId, { name: 'Acme' })).version, 2, 'nothing is different');
    const events = await db
      .selectFrom('audit_log')
      .select(['action', 'details'])
      .where('action', 'like', 'brand.%')
      .execute();
    assert.deepEqual(
      events.map(({ details }) => JSON.parse(details)),
      [
        { name: 'Acme', accent: '#ff8800', support_url: 'https://acme.example/help' },
        { name: 'Acme', support_email: 'help@acme.example', support_url: null },
      ],
    );
  });

  test('is refused with everything that is wrong, and nothing is stored', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    const input = {
      ...{ name: ' ', accent: 'red', supportEmail: 'help', supportUrl: 'javascript:alert(1)' },
      ...{ legalNoticeUrl: 'https://u:p@acme.example', privacyUrl: 'acme.example', termsUrl: 'https://a b' },
      ...{ senderName: 'x'.repeat(61), replyTo: 'a@b.example, c@d.example' },
    };
    await assert.rejects(change(db, accountId, input), (error) => {
      assert(error instanceof ValidationError);
      assert.deepEqual(
        error.fields.map(({ field, code }) => `${field} ${code}`),
        [
          ...['name blank', 'accent not_a_colour', 'supportEmail not_a_mail_address', 'supportUrl not_a_url'],
          ...['legalNoticeUrl not_a_url', 'privacyUrl not_a_url', 'termsUrl not_a_url'],
          ...['senderName too_long', 'replyTo not_a_mail_address'],
        ],
      );
      return true;
    });
    await assert.rejects(change(db, accountId, { accent: '#123456' }), /name: blank/);
    assert.equal(await findOwnBrand(db, accountId), undefined);
  });

  test("directs replies to any address of a top-level account's, and of others to one that its people have proved", async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    const reseller = await makeCustomer(db, accountId);
    const customer = await makeCustomer(db, reseller);
    await change(db, accountId, { name: 'Acme', replyTo: 'desk@acme.example', senderName: 'Acme Desk' });
    assert.deepEqual((await findSender(db, reseller, 'invitation')).replyTo, 'desk@acme.example');
    assert.deepEqual((await findSender(db, reseller, 'invitation')).brand?.senderName, 'Acme Desk');
    const replies = { name: 'Bob', replyTo: 'carl@example.com' };
    await assert.rejects(change(db, reseller, replies), /replyTo: not_proved/);
    await db
      .transaction()
      .execute((trx) =>
        trx.updateTable('users').set({ address_proved_at: 1 }).where('account_id', '=', reseller).execute(),
      );
    await change(db, reseller, replies);
    assert.equal((await findSender(db, customer, 'invitation')).replyTo, 'carl@example.com');
  });
});

test("a brand's colour is legible in the app, whatever it is", () => {
  for (const accent of ['#ffff00', '#000000', '#ffffff', '#ff8800', '#1f5fbf', '#7fffd4']) {
    const style = appStyle({ accent, logo: null, logoDark: null });
    const [light, dark] = ['light', 'dark'].map((scheme) => {
      const rules = style.split(`scheme=${scheme}]{`)[1]!.split('}')[0]!;
      return (name: string) => rules.split(`${name}:`)[1]!.split(';')[0]!;
    }) as [(name: string) => string, (name: string) => string];
    for (const [read, page] of [
      [light, '#fbfaf7'],
      [dark, '#151817'],
    ] as const) {
      assert(contrast(read('--mantine-color-anchor'), page) >= 4.5, `links in ${accent}`);
      assert(contrast(read('--app-on-primary'), read('--mantine-color-ink-filled')) >= 4.5, `buttons in ${accent}`);
    }
  }
});

/** Makes a top-level account, its customer, that one's customer, and so on. */
async function makeLine(db: Db, length: number): Promise<{ accountId: number; line: number[] }> {
  const { accountId } = await makeAccount(db);
  const line: number[] = [];
  for (let n = 0; n < length; n++) line.push(await makeCustomer(db, line.at(-1) ?? accountId));
  return { accountId, line };
}

function change(db: Db, accountId: number, input: ChangeBrandInput) {
  return db.transaction().execute((trx) => changeBrand(trx, accountId, input, operator));
}
