import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDemo } from '../demo/start.ts';
import type { Received } from '../test/mailbox.ts';
import { Person } from '../test/person.ts';
import { Service } from '../test/service.ts';

test('the demo shows an agency with customers, plans, past revenue and sites with images', async (t) => {
  const received = Promise.withResolvers<Received>();
  const demo = await startDemo({ customers: 4, onMail: received.resolve });
  const service = new Service(demo.port, [], demo.stop);
  t.after(() => service.stop());
  const maya = new Person(service, undefined, { Origin: demo.url });
  const { account, email, password } = demo;
  assert.equal((await maya.post('sign-in', { account, email, password })).status, 200);

  const { customers } = (await maya.get('customers')).json;
  assert.equal(customers.length, 4);
  const { plans } = (await maya.get('plans')).json;
  assert.deepEqual(
    plans.map(({ name, limits }: { name: string; limits: { pages: number | null } }) => [name, limits.pages]),
    [
      ...[['Community', 12] as const, ['Shop window', 8] as const, ['Starter', 12] as const],
      ...[['Business', 40] as const, ['Business, yearly', 40] as const, ['Premium', null] as const],
    ],
  );
  const { templates } = (await maya.get('templates')).json;
  assert.ok(templates.length > 0);
  const today = new Date().toISOString().slice(0, 10);
  const past = new Date(Date.now() - 30 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  const { end } = (await maya.get(`revenue?from=${past}&to=${today}`)).json;
  assert.equal(end.paying, 4);
  const firsts = customers.map(({ createdAt }: { createdAt: number }) => createdAt);
  assert.ok(
    Math.min(...firsts) < Date.now() - 365 * 24 * 60 * 60 * 1000,
    'the revenue history starts more than a year ago',
  );

  assert.equal((await maya.get('overview')).json.isMailKept, false);
  await new Person(service, undefined, { Origin: demo.url }).post('forgotten-password', { account, email });
  const { to, email: mail } = await received.promise;
  assert.deepEqual(to, [email]);
  assert.match(mail.text!, /\/reset-password#token=/, 'no message about past events is sent');

  const customer = new Person(service, undefined, { Origin: demo.url });
  assert.equal((await customer.post('sign-in', { ...demo.customer, password })).status, 200);
  const { brand } = (await customer.get('session')).json.account;
  assert.deepEqual([brand.name, brand.icon.width], ['Northlight Studio', 192]);

  for (const { subdomain } of customers) {
    const headers = { Host: `${subdomain}.localhost:${demo.port}` };
    const home = await service.request('GET', '/', { headers });
    const [image] = /\/media\/[^" ]+\.webp/.exec(home.text) ?? [];
    assert.ok(image, `${subdomain} shows an image`);
    assert.equal((await service.request('GET', image, { headers })).headers['content-type'], 'image/webp');
  }
});
