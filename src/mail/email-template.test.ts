import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contrast } from '../oklch.ts';
import { emailTemplate } from './email-template.ts';

const to = {
  accent: '#7a1fa2',
  brand: null,
  replyTo: 'olivia@example.com',
  userName: 'Carl',
  userEmail: 'carl@example.com',
  accountName: 'Shop',
};
const message = {
  fromName: 'Agency',
  heading: 'Hello',
  kind: 'confirm_email' as const,
  action: { label: 'Do it', path: '/' },
  facts: [{ label: 'Where', value: 'https://example.com/', isAddress: true }],
  footer: 'That is why.',
};

test("a message in the account's colour has legible contrast in light and dark mode for any colour", () => {
  assert.match(emailTemplate(to, message).html, /background:#7a1fa2;color:#ffffff/);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), (value) => {
      const { html } = emailTemplate({ ...to, accent: `#${value.toString(16).padStart(6, '0')}` }, message);
      const [sheet, body] = html.split('</style>') as [string, string];
      const inLight = (name: string) => new RegExp(`class="${name}"[^>]* style="([^"]*)"`).exec(body)![1]!;
      const inDark = (name: string) => new RegExp(`\\.${name}\\{([^}]*)\\}`).exec(sheet.split('(prefers')[1]!)![1]!;
      for (const style of [inLight, inDark]) {
        const colour = (name: string) => /(?:^|;)color:(#\w{6})/.exec(style(name))![1]!;
        const background = (name: string) => /background:(#\w{6})/.exec(style(name))![1]!;
        assert.ok(contrast(colour('button'), background('button')) >= 4.5);
        for (const name of ['link', 'heading', 'footer']) {
          assert.ok(contrast(colour(name), background('card')) >= 4.5, name);
        }
        assert.ok(contrast(colour('page'), background('card')) >= 7);
      }
    }),
    { numRuns: 500 },
  );
});

test('a message invites replies only if it has a reply address other than the recipient’s own', () => {
  const { replyTo, text, html } = emailTemplate(to, message);
  assert.equal(replyTo, 'olivia@example.com');
  for (const part of [text, html]) assert.match(part, /Just reply/);
  for (const nobody of [null, to.userEmail]) {
    const own = emailTemplate({ ...to, replyTo: nobody }, message);
    assert.equal(own.replyTo, null);
    for (const part of [own.text, own.html]) assert.doesNotMatch(part, /Just reply/);
  }
});
