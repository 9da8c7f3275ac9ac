import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeCustomer } from '../../../test/factories.ts';
import { photo, picture } from '../../../test/images.ts';
import { makeUser, Person, signedInAs } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';
import { findSender } from '../../mail/find-sender.ts';

const html = { Host: 'localhost', Accept: 'text/html' };

onEachDatabase('the brand of an agency', (open) => {
  async function start(t: Parameters<typeof open>[0]) {
    const started = await startWithAccount(t, open);
    const { service, db, accountId } = started;
    const agency = await signedInAs(service, db, accountId, 'admin');
    const customerId = await makeCustomer(db, accountId, 'bakery');
    const { brand } = (
      await agency.put('brand', {
        name: 'Acme & <Sons>',
        accent: '#0a7d4f',
        supportUrl: 'https://acme.example/help',
        seenVersion: 0,
        senderName: 'Acme Desk',
        replyTo: 'desk@acme.example',
      })
    ).json;
    return { ...started, agency, customerId, brand };
  }

  test("customers' users get the brand with their session, the agency's own users do not, until it is removed", async (t) => {
    const { service, db, agency, customerId, brand } = await start(t);
    assert.deepEqual((await agency.get('brand')).json.brand, brand);
    const customer = await signedInAs(service, db, customerId, 'viewer');
    const seen = async (person: Person) => (await person.get('session')).json.account.brand;
    const { style, ...shown } = await seen(customer);
    assert.deepEqual(shown, {
      name: 'Acme & <Sons>',
      supportEmail: null,
      supportUrl: 'https://acme.example/help',
      legalNoticeUrl: null,
      privacyUrl: null,
      termsUrl: null,
      logo: null,
      logoDark: null,
      icon: null,
    });
    assert.match(style, /--mantine-color-ink-filled:#0a7d4f/);
    assert.equal(await seen(agency), null);
    const { status, json } = await agency.put('brand', { name: 'Other', seenVersion: 0 });
    assert.deepEqual([status, json.error.why], [409, { reason: 'brand_changed' }]);
    assert.deepEqual((await agency.delete('brand')).json, { brand: null });
    assert.equal(await seen(customer), null);
  });

  test("a sign-in page whose URL names a customer shows the brand, and any other the product's name", async (t) => {
    const { service, agency } = await start(t);
    const page = async (path: string) => (await service.request('GET', path, { headers: html })).text;
    for (const path of ['/sign-in?account=bakery', '/forgotten-password?account=BAKERY']) {
      const text = await page(path);
      assert.match(text, /<title>[^<]* · Acme &amp; &lt;Sons&gt;<\/title>/);
      assert.doesNotMatch(text, /Freehold|icon\.svg/);
      const [, content] = /<meta name="brand" content="([^"]*)">/.exec(text)!;
      const brand = JSON.parse(
        content!.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
      );
      assert.equal(brand.name, 'Acme & <Sons>');
      assert.ok(text.includes(`">${brand.style}</style>`));
    }
    for (const path of ['/sign-in', '/sign-in?account=nobody', '/sign-in?account=%00', '/sign-in?account=a%27b']) {
      assert.match(await page(path), /<title>[^<]* · Freehold<\/title>/);
    }
    await agency.put('brand', { name: 'New name' });
    assert.match(await page('/sign-in?account=bakery'), /New name<\/title>/);
  });

  test("pages of a customer's user show the brand, and so does the sign-in page after the session", async (t) => {
    const { service, db, agency, customerId } = await start(t);
    const customer = await signedInAs(service, db, customerId, 'viewer');
    const page = async (Cookie: string) =>
      (await service.request('GET', '/pages', { headers: { ...html, Cookie } })).text;
    assert.match(await page(customer.cookie), /<title>[^<]* · Acme &amp; &lt;Sons&gt;<\/title>/);
    assert.doesNotMatch(await page(agency.cookie), /Acme/);
    const [cookie] = (await customer.get('session')).headers['set-cookie']!;
    assert.equal(cookie, 'site=bakery; Path=/; HttpOnly; SameSite=Lax; Max-Age=34560000');
    const signIn = await service.request('GET', '/sign-in', { headers: { ...html, Cookie: 'site=bakery' } });
    assert.match(signIn.text, / · Acme &amp; &lt;Sons&gt;<\/title>/);
    // A user without a brand signs in with this browser.
    const answer = await agency.get('session', { Cookie: `${agency.cookie}; site=bakery` });
    assert.deepEqual(answer.headers['set-cookie'], ['site=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0']);
  });

  test("messages to customers have the brand's name, colour and reply address", async (t) => {
    const { service, db, agency, accountId, customerId } = await start(t);
    const owner = await makeUser(db, customerId, { email: 'olga@bakery.example' });
    const person = await signedInAs(service, db, customerId, 'owner');
    await agency.post(`customers/${customerId}/instructions`, {});
    await person.post('users', { name: 'Ed', email: 'ed@bakery.example', role: 'editor' });
    const visitor = new Person(service);
    await visitor.post('forgotten-password', { email: owner.email });
    // Stopping waits for the message, which is queued after the response.
    await service.stop();
    const messages = await db
      .selectFrom('outbox')
      .selectAll()
      .where('account_id', '=', customerId)
      .orderBy('id')
      .execute();
    assert.deepEqual(
      messages.slice(-3).map(({ from_name, reply_to }) => [from_name, reply_to]),
      [
        ['Acme Desk', 'desk@acme.example'],
        ['Acme Desk', null],
        ['Acme Desk', 'desk@acme.example'],
      ],
    );
    for (const { html } of messages.slice(-3)) {
      assert.match(html, /background:#0a7d4f/);
      assert.match(html, /reset-password\?account=bakery#token=/);
    }
    assert.match(messages.at(-3)!.text, /Acme & <Sons> has set up a website for you/);
    const own = await db.selectFrom('outbox').select('id').where('account_id', '=', accountId).execute();
    assert.deepEqual(own, []);
  });

  test("the sign-in page, the app and messages show the brand's logo and icon", async (t) => {
    const { service, db, agency, customerId } = await start(t);
    const upload = (bytes: Uint8Array, kind: string) =>
      agency
        .uploadTo(`brand/images?kind=${kind}`, bytes)
        .then(({ status, json }) => [status, json.name ?? json.error.why]);
    const [, logo] = await upload(await picture(900, 300).png().toBuffer(), 'logo');
    const [, logoDark] = await upload(await picture(300, 100).png().toBuffer(), 'logo');
    const [status, icon] = await upload(await photo(400, 400), 'icon');
    assert.equal(status, 201);
    assert.match(`${logo} ${logoDark} ${icon}`, /^\S{32}-480x160 \S{32}-300x100 \S{32}-192x192$/);
    assert.deepEqual(await upload(Buffer.from('<svg></svg>'), 'logo'), [422, { reason: 'svg_image' }]);

    const image = await service.request('GET', `/-/brand/${icon}.png`, { headers: { Host: 'localhost' } });
    assert.deepEqual([image.status, image.headers['content-type']], [200, 'image/png']);
    assert.equal(image.headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal((await sharp(image.bytes).metadata()).width, 192);
    for (const missing of [`${'0'.repeat(32)}-1x1`, 'a', '..%2f']) {
      const { status } = await service.request('GET', `/-/brand/${missing}.png`, { headers: { Host: 'localhost' } });
      assert.equal(status, 404);
    }

    const saved = await agency.put('brand', { logo, logoDark, icon });
    assert.deepEqual([saved.json.brand.logo, saved.json.brand.icon], [logo, icon]);
    const customer = await signedInAs(service, db, customerId, 'owner');
    const { brand } = (await customer.get('session')).json.account;
    assert.deepEqual(brand.logo, { src: `/-/brand/${logo}.png`, width: 480, height: 160 });
    const page = (await service.request('GET', '/sign-in?account=bakery', { headers: html })).text;
    assert.match(page, new RegExp(`<link rel="icon" href="/-/brand/${icon}\\.png">`));
    assert.match(
      page,
      new RegExp(`<img data-brand-logo="light" src="/-/brand/${logo}\\.png" alt="Acme &amp; &lt;Sons&gt;"`),
    );
    assert.match(page, new RegExp(`<img data-brand-logo="dark" src="/-/brand/${logoDark}\\.png"`));

    await agency.post(`customers/${customerId}/instructions`, {});
    const message = await db.selectFrom('outbox').select('html').orderBy('id', 'desc').executeTakeFirstOrThrow();
    assert.match(
      message.html,
      new RegExp(`<img class="logo" src="[^"]*/-/brand/${logo}\\.png" alt="Acme &amp; &lt;Sons&gt;"`),
    );

    // Strangers can sign up as customers that have customers themselves: messages of these brands have no logo.
    const below = await makeCustomer(db, customerId, 'below');
    await customer.put('brand', { name: 'Big Bank' });
    const own = (await customer.uploadTo('brand/images?kind=logo', await photo(20, 20))).json.name;
    assert.equal((await customer.put('brand', { logo: own })).status, 200);
    assert.equal((await findSender(db, below, 'invitation')).brand?.logo, null);

    // An account cannot use images of another account.
    const stranger = await signedInAs(service, db, customerId, 'owner');
    const refused = await stranger.put('brand', { name: 'Bob', logo });
    assert.deepEqual([refused.status, refused.json.error.fields[0].code], [422, 'not_included']);
    assert.equal((await agency.put('brand', { logo: '' })).json.brand.logo, null);
  });

  test('previews show the brand as typed, in light and dark, without links and with escaped HTML', async (t) => {
    const { agency, brand } = await start(t);
    const { version: _, changedAt: __, ...fields } = brand;
    const typed = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value ?? '']));
    const shown = async (input: object) => {
      const { status, text, headers } = await agency.post('brand/preview', { ...typed, ...input });
      assert.equal(status, 200);
      assert.match(headers['content-security-policy'] as string, /^sandbox; default-src 'none'/);
      assert.doesNotMatch(text, /href=|<Sons>|Freehold/);
      return text;
    };
    for (const scheme of ['light', 'dark']) {
      const page = await shown({ of: 'sign-in', scheme, accent: '0a7d4f' });
      assert.match(page, new RegExp(`color-scheme:${scheme}[^]*Help from Acme &amp; &lt;Sons&gt;`));
      assert.doesNotMatch(page, /Terms of service/);
    }
    const mail = await shown({ of: 'mail', scheme: 'dark' });
    assert.match(mail, /From: Acme Desk<\/div><div>Replies to: desk@acme\.example/);
    assert.match(mail, /@media all\{/);
    // Without sender name and reply address, and with an incomplete colour.
    const unfinished = await shown({ of: 'mail', scheme: 'light', accent: '0a', senderName: '', replyTo: '' });
    assert.match(unfinished, /From: Acme &amp; &lt;Sons&gt;<\/div><div>Replies to: [^@]+@/);
    assert.match(unfinished, /@media not all\{/);
  });
});
