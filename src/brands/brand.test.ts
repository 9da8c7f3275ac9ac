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
  test("customers and their customers see an account's brand, unless a nearer account has one; its users don't", async (t) => {
    const { db } = await open(t);
    const { accountId, chain } = await makeChain(db, 4);
    const seenBy = async (id: number) => (await findSender(db, id, 'invitation')).brand?.name;
    const [reseller, customer, below] = chain as [number, number, number];
    await change(db, accountId, { name: 'Acme' });
    assert.deepEqual(await Promise.all([accountId, ...chain].map(seenBy)), [undefined, 'Acme', 'Acme', 'Acme', 'Acme']);
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

  test('a brand is inherited for 20 levels and no further', async (t) => {
    const { db } = await open(t);
    const { accountId, chain } = await makeChain(db, 21);
    await change(db, accountId, { name: 'Acme' });
    assert.equal((await findSender(db, chain[19]!, 'invitation')).brand?.name, 'Acme');
    assert.equal((await findSender(db, chain[20]!, 'invitation')).brand, null);
  });

  test('a change of a brand keeps omitted fields, clears empty ones, and is refused for another version', async (t) => {
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
    assert.equal(
      (await change(db, accountId, { name: 'Acme' })).version,
      2,
      'a change without a difference must keep the version',
    );
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

  test('an invalid brand is refused with every wrong field, and nothing is stored', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    const input = {
      name: ' ',
      accent: 'red',
      supportEmail: 'help',
      supportUrl: 'javascript:alert(1)',
      legalNoticeUrl: 'https://u:p@acme.example',
      privacyUrl: 'acme.example',
      termsUrl: 'https://a b',
      senderName: 'x'.repeat(61),
      replyTo: 'a@b.example, c@d.example',
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

  test('the brand of a top-level account may have any reply address, and others only a proved one', async (t) => {
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

test('any brand colour is legible in the app', () => {
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

/** Creates a top-level account and a chain of customers, each a customer of the one before. */
async function makeChain(db: Db, length: number): Promise<{ accountId: number; chain: number[] }> {
  const { accountId } = await makeAccount(db);
  const chain: number[] = [];
  for (let n = 0; n < length; n++) chain.push(await makeCustomer(db, chain.at(-1) ?? accountId));
  return { accountId, chain };
}

function change(db: Db, accountId: number, input: ChangeBrandInput) {
  return db.transaction().execute((trx) => changeBrand(trx, accountId, input, operator));
}
