import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeCustomer } from '../../../test/factories.ts';
import { signedInAs } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';

onEachDatabase('the overview', (open) => {
  test('the overview shows the steps to the first customer, until a customer has signed in', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const owner = await signedInAs(service, db, accountId);
    const steps = async () => (await owner.get('overview')).json.steps;
    assert.deepEqual(await steps(), { hasPlan: false, hasCustomer: false });
    await owner.post('plans', { name: 'Business', price: '49', interval: 'month' });
    assert.deepEqual(await steps(), { hasPlan: true, hasCustomer: false });
    const id = await makeCustomer(db, accountId);
    assert.deepEqual(await steps(), { hasPlan: true, hasCustomer: true });
    const accountant = await signedInAs(service, db, accountId, 'accountant');
    assert.equal((await accountant.get('overview')).json.steps, null, 'accountants may not create customers');
    await signedInAs(service, db, id);
    assert.equal(await steps(), null);
  });

  test('the overview tells whether mail is sent or only written to files', async (t) => {
    const isMailKept = async (options: Readonly<Record<string, string>>) => {
      const { service, db, accountId } = await startWithAccount(t, open, options);
      const owner = await signedInAs(service, db, accountId);
      return (await owner.get('overview')).json.isMailKept;
    };
    assert.deepEqual(
      [await isMailKept({}), await isMailKept({ SMTP_URL: 'smtp://mail.example' })],
      [true, false],
      'without a mail server, and with one',
    );
  });

  test('the overview has the customers and the revenue of today, and what needs attention', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const owner = await signedInAs(service, db, accountId);
    const { json: plan } = await owner.post('plans', { name: 'Business', price: '49', interval: 'month' });
    await owner.post(`plans/${plan.id}/default`);
    const ids = [await makeCustomer(db, accountId), await makeCustomer(db, accountId)];
    await owner.post(`customers/${ids[1]}/suspend`, { reason: 'Unpaid' });
    await owner.post('domains', { host: 'www.agency.example' });
    const { json } = await owner.get('overview');
    assert.deepEqual(json.customers, { active: 1, change: 1 });
    const { months, ...revenue } = json.revenue;
    const none = { annualCents: 0, count: 0 };
    const year = 12 * 4900;
    assert.deepEqual(revenue, {
      mrr: '49.00',
      changeCents: year,
      movements: {
        expansion: none,
        contraction: none,
        reactivation: none,
        new: { annualCents: 2 * year, count: 2 },
        churn: { annualCents: year, count: 1 },
      },
    });
    assert.deepEqual([months.length, months[10].annualCents, months[11].annualCents], [12, 0, year]);
    assert.deepEqual(
      json.attention.map(({ kind, first }: { kind: string; first: { name: string }[] }) => [kind, first[0]!.name]),
      [['own_domains_failing', 'www.agency.example']],
    );
    const accountant = await signedInAs(service, db, accountId, 'accountant');
    assert.deepEqual((await accountant.get('overview')).json, { ...json, attention: [], steps: null });
  });
});
