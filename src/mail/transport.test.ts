import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { anyText } from '../../test/any-text.ts';
import { openMailbox } from '../../test/mailbox.ts';
import { buildMimeMessage } from './build-mime-message.ts';
import { DeliveryError } from './delivery-error.ts';
import { loginInstructions } from './login-instructions.ts';
import { openTransport } from './open-transport.ts';
import type { OutboxRow } from './outbox.ts';
import { shortened } from './plain-words.ts';

const mailFrom = 'no-reply@freehold.test';
const settings = { mailFrom, publicUrl: 'https://example.com', sitesDomain: 'sites.example.com' };

function messageWith(values: Partial<OutboxRow>): OutboxRow {
  return {
    id: 1,
    account_id: 1,
    kind: null,
    message_id: '<11111111-2222-3333-4444-555555555555@freehold.test>',
    from_name: 'Agency',
    to_name: 'Carl',
    to_email: 'carl@example.com',
    reply_to: 'olivia@example.com',
    subject: 'Hello',
    text: 'Hello',
    html: '<p>Hello</p>',
    status: 'queued',
    attempts: 0,
    due_at: 0,
    claimed_by: null,
    last_error: null,
    created_at: Date.UTC(2026, 0, 2, 3, 4, 5),
    sent_at: null,
    secret: null,
    traceparent: null,
    ...values,
  };
}

/** Returns login instructions with the same text for every name. */
function instructionsNaming(name: string): OutboxRow {
  const message = loginInstructions({
    userName: name,
    userEmail: 'carl@example.com',
    accountName: name,
    senderName: name,
    siteUrl: 'https://carl.example.com/',
    signInUrl: 'https://carl.example.com/sign-in',
    token: 'secret',
    accent: '#1f5fbf',
    brand: null,
    replyTo: 'olivia@example.com',
  });
  return messageWith({
    from_name: message.fromName,
    to_name: message.toName,
    to_email: message.toEmail,
    reply_to: message.replyTo,
    subject: message.subject,
    text: message.text,
    html: message.html,
    secret: message.secret ?? null,
  });
}

const hostileNames = [
  'Carl\r\nBcc: victim@example.com',
  'Carl\r\n\r\n<script>alert(1)</script>',
  '"Carl" <victim@example.com>, Other',
  'victim@example.com',
  'Carl, victim@example.com; Group: other@example.com;',
  `<script>alert('"x"')</script>`,
  '"><img src=x onerror=alert(1)>',
  '=?utf-8?q?=0D=0ABcc:_victim@example.com?=',
  '=?utf-8?Q?=E2=80=AE?= =?utf-8?B?ZXZpbA==?=',
  'Zoë 👩‍👩‍👧‍👦 Ünïcode',
  'שלום עולם',
  'Carl \u202egro.live\u202c',
  'Carl\u2028Bcc: victim@example.com',
  'Carl\\',
  'x'.repeat(255),
  '漢'.repeat(255),
  '/etc/passwd',
];

const headerNames = [
  'auto-submitted',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'reply-to',
  'subject',
  'to',
  'x-auto-response-suppress',
];

for (const name of hostileNames) {
  test(`a name cannot become a header, a recipient or HTML: ${JSON.stringify(name.slice(0, 60))}`, async (t) => {
    const mailbox = await openMailbox(t);
    const transport = openTransport({ smtpUrl: mailbox.url, ...settings, dataDir: '' });
    t.after(() => transport.close());
    // Sends a message directly as well: the transport must not rely on the code that composed the message.
    await transport.send(messageWith({ from_name: name, to_name: name, subject: name }));
    await transport.send(instructionsNaming(name));
    const shown = name.replace(/[\u202a-\u202e]/g, '').replace(/[\r\n\u2028]+/g, ' ');
    for (const { email, to, from, raw } of await mailbox.received(2)) {
      assert.deepEqual(to, ['carl@example.com']);
      assert.equal(from, mailFrom);
      assert.deepEqual(email.headers.map(({ key }) => key).sort(), headerNames);
      assert.equal(email.to?.length, 1);
      assert.equal(email.to[0]!.address, 'carl@example.com');
      assert.equal(email.from?.address, mailFrom);
      assert.deepEqual(email.replyTo, [{ name: '', address: 'olivia@example.com' }]);
      // Login instructions contain a shortened name.
      const expected = email.subject!.startsWith('Your website') ? shortened(shown) : shown;
      assert.equal(email.to[0]!.name, expected.replaceAll('=?', '=\u200b?'));
      assert.doesNotMatch(email.html!, /<script|<img/);
      for (const line of raw.split('\r\n')) assert.ok(line.length <= 998);
    }
  });
}

test('no random name changes the headers or the HTML elements of a message', async () => {
  const shape = (html: string) => html.match(/<\/?[a-z!][a-z0-9]*/gi);
  const plain = shape(instructionsNaming('Carl').html);
  await fc.assert(
    fc.asyncProperty(anyText({ maxLength: 255 }), async (name) => {
      const email = await PostalMime.parse(buildMimeMessage(instructionsNaming(name), settings).raw);
      assert.deepEqual(email.headers.map(({ key }) => key).sort(), headerNames);
      assert.deepEqual(
        email.to?.map(({ address }) => address),
        ['carl@example.com'],
      );
      assert.equal(email.from?.address, mailFrom);
      assert.deepEqual(shape(email.html!), plain);
    }),
    { numRuns: 300 },
  );
});

test('a reply address that is not exactly one plain mail address is left out', async () => {
  const hostile = [
    'olivia@example.com\r\nBcc: victim@example.com',
    'olivia@example.com, victim@example.com',
    'olivia@example.com\n',
    '"olivia, victim@example.com"@example.com',
    'Olivia <olivia@example.com>',
    'group:victim@example.com;',
    'olivia@[192.0.2.1]',
    'olivia',
    'zoë@example.com',
    '',
  ];
  for (const address of hostile) {
    const email = await PostalMime.parse(buildMimeMessage(messageWith({ reply_to: address }), settings).raw);
    assert.equal(email.replyTo, undefined, address);
  }
  const pieces = fc.constantFrom('olivia', '@', 'example.com', ',', '\r\n', '<', '>', '"', ' ', ';', ':', '+', 'ü');
  const addresses = fc.oneof(
    anyText(),
    fc.array(pieces).map((all) => all.join('')),
  );
  await fc.assert(
    fc.asyncProperty(addresses, async (address) => {
      const message = messageWith({ reply_to: address });
      const email = await PostalMime.parse(buildMimeMessage(message, settings).raw);
      const names = email.headers.map(({ key }) => key).sort();
      assert.deepEqual(
        names.filter((name) => name !== 'reply-to'),
        headerNames.filter((name) => name !== 'reply-to'),
      );
      assert.ok((email.replyTo?.length ?? 0) <= 1);
      assert.deepEqual(email.to, [{ name: 'Carl', address: 'carl@example.com' }]);
    }),
    { numRuns: 1000 },
  );
  const international = buildMimeMessage(messageWith({ reply_to: 'olivia+shop@bücher.example' }), settings).raw;
  assert.match(international.toString(), /^Reply-To: olivia\+shop@xn--bcher-kva\.example\r$/m);
});

test('a body arrives unchanged, in lines of at most 76 ASCII characters', async () => {
  const boundary = '--=_11111111-2222-3333-4444-555555555555';
  const words = fc.oneof(anyText(), fc.constantFrom('\n', '=', ' \n', boundary, '.\n', '\t'));
  const bodies = fc.array(words, { maxLength: 60 }).map((all) => all.join('').replace(/[\r\0]/g, ''));
  await fc.assert(
    fc.asyncProperty(bodies, bodies, async (text, html) => {
      const { raw } = buildMimeMessage(messageWith({ text, html }), settings);
      assert.ok(raw.includes(`\r\n${boundary}\r\n`));
      const lines = raw.toString('latin1').split('\r\n');
      for (const line of lines) assert.match(line, /^[\t\x20-\x7e]{0,76}$/);
      const email = await PostalMime.parse(raw);
      assert.equal(email.text?.replace(/\n+$/, ''), text.replace(/\n+$/, '').toWellFormed());
      assert.equal(email.html?.replace(/\n+$/, ''), html.replace(/\n+$/, '').toWellFormed());
      // An author cannot know the id of the message.
      if ([text, html].some((body) => body.includes(boundary))) return;
      const asFile = await PostalMime.parse(buildMimeMessage(messageWith({ text, html }), settings, '8bit').raw);
      assert.deepEqual([asFile.text, asFile.html], [email.text, email.html]);
    }),
    { numRuns: 300 },
  );
});

test('a body that looks like a file or an address stays text', async (t) => {
  const mailbox = await openMailbox(t);
  const transport = openTransport({ smtpUrl: mailbox.url, ...settings, dataDir: '' });
  t.after(() => transport.close());
  await transport.send(messageWith({ text: '/etc/passwd', html: 'http://127.0.0.1/' }));
  const [message] = await mailbox.received(1);
  assert.equal(message!.email.text?.trim(), '/etc/passwd');
  assert.equal(message!.email.html?.trim(), 'http://127.0.0.1/');
});

test('the date of a message is when it was written', async (t) => {
  const mailbox = await openMailbox(t);
  const transport = openTransport({ smtpUrl: mailbox.url, ...settings, dataDir: '' });
  t.after(() => transport.close());
  await transport.send(messageWith({}));
  const [message] = await mailbox.received(1);
  assert.equal(message!.email.date, '2026-01-02T03:04:05.000Z');
});

test('STARTTLS is used if the server supports it', async (t) => {
  const mailbox = await openMailbox(t, { disabledCommands: ['AUTH'] });
  const transport = openTransport({ smtpUrl: mailbox.url, ...settings, dataDir: '' });
  t.after(() => transport.close());
  await transport.send(messageWith({}));
  const [message] = await mailbox.received(1);
  assert.equal(message!.secure, true);
});

test('options in SMTP_URL can require a valid certificate and TLS', async (t) => {
  const selfSigned = await openMailbox(t, { disabledCommands: ['AUTH'] });
  const plain = await openMailbox(t);
  for (const smtpUrl of [`${selfSigned.url}?tls.rejectUnauthorized=true`, `${plain.url}?requireTLS=true`]) {
    const transport = openTransport({ smtpUrl, ...settings, dataDir: '' });
    t.after(() => transport.close());
    await assert.rejects(transport.send(messageWith({})), (error: DeliveryError) => !error.isPermanent);
  }
  assert.deepEqual([...selfSigned.messages, ...plain.messages], []);
});

test('a failure because of smtp:// instead of smtps://, or the reverse, is explained', async (t) => {
  const plain = await openMailbox(t);
  const secure = await openMailbox(t, { secure: true });
  for (const [url, advice, timings] of [
    [plain.url.replace('smtp:', 'smtps:'), /^The server does not start with TLS on this port: .* smtp:\/\//, {}],
    // Both sides wait for the other to begin.
    [secure.url, /^Greeting never received.* smtps:\/\/$/, { greetingTimeout: 100 }],
  ] as const) {
    const transport = openTransport({ smtpUrl: url, ...settings, dataDir: '' }, timings);
    t.after(() => transport.close());
    await assert.rejects(transport.send(messageWith({})), { message: advice, isPermanent: false });
  }
  assert.deepEqual([...plain.messages, ...secure.messages], []);
});

test('the SMTP password is in no description and no error, even if the server repeats it', async (t) => {
  const password = 's3cret/päss word';
  const mailbox = await openMailbox(t, {
    disabledCommands: ['STARTTLS'],
    authOptional: false,
    onAuth: ({ username, password: given }, _session, answer) => {
      const base64 = Buffer.from(`\0${username}\0${given}`).toString('base64');
      answer(Object.assign(new Error(`no such user ${username} with ${given} (${base64})`), { responseCode: 535 }));
    },
  });
  const { port } = new URL(mailbox.url);
  const smtpUrl = `smtp://carl:${encodeURIComponent(password)}@127.0.0.1:${port}?debug=true&logger=true`;
  const transport = openTransport({ smtpUrl, ...settings, dataDir: '' });
  t.after(() => transport.close());
  assert.equal(transport.description, `the mail server 127.0.0.1:${port}`);
  const error = await transport.send(messageWith({})).then(
    () => assert.fail('signed in'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof DeliveryError);
  assert.equal(error.isPermanent, false, 'the operator can correct a wrong password');
  assert.equal(error.message, '535 no such user carl with *** (***)');
  assert.equal(error.cause, undefined);
});

test('an unusable SMTP_URL is refused at the start, and the error does not repeat it', () => {
  assert.throws(
    () => openTransport({ smtpUrl: 'smtp://carl:s3cret@bad%00host', ...settings, dataDir: '' }),
    (error: Error) => !/s3cret/.test(JSON.stringify(error) + error.message + String(error.cause)),
  );
});

test('a message whose sender address is refused is not failed for good', async (t) => {
  const mailbox = await openMailbox(t, {
    onMailFrom: (_address, _session, answer) => answer(Object.assign(new Error('not yours'), { responseCode: 553 })),
  });
  const transport = openTransport({ smtpUrl: mailbox.url, ...settings, dataDir: '' });
  t.after(() => transport.close());
  await assert.rejects(transport.send(messageWith({})), { message: '553 not yours', isPermanent: false });
});

test("a server's response is stored on one line and cut to 500 characters", () => {
  const error = new DeliveryError(`550 no\r\n\0${'x'.repeat(2000)}`, true);
  assert.match(error.message, /^550 no x+$/);
  assert.equal(error.message.length, 500);
});
