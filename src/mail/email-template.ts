import { escapeHtml } from '../html.ts';
import { oneLine } from './one-line.ts';
import type { Message } from './outbox.ts';
import { withoutPlaceholders } from './placeholders.ts';
import { withoutLinks } from './plain-words.ts';

/** A short message with one thing to do, in plain words. */
interface EmailTemplateInput {
  fromName: string;
  toName: string;
  toEmail: string;
  subject: string;
  heading: string;
  paragraphs: readonly string[];
  action: { label: string; url: string };
  /**
   * Further facts. With `isAddress` the value is an address of ours: it may contain placeholders, and becomes a link.
   */
  facts?: ReadonlyArray<{ label: string; value: string; isAddress?: boolean }>;
  /** Why the recipient gets it, and what to do if they did not ask for it. */
  footer: string;
  /** See `Message`. */
  secret?: string;
}

/** Renders the email as text and as HTML. Names in it may contain anything, and nothing in them becomes a link. */
export function emailTemplate(input: EmailTemplateInput): Message {
  const { action, secret } = input;
  const [fromName, toName, subject, heading, footer] = [
    input.fromName,
    input.toName,
    input.subject,
    input.heading,
    input.footer,
  ].map(words) as [string, string, string, string, string];
  const paragraphs = input.paragraphs.map((paragraph) => withoutLinks(words(paragraph)));
  const [hello, end] = [withoutLinks(`Hello ${toName},`), withoutLinks(footer)];
  const facts = (input.facts ?? []).map((fact) => ({
    ...fact,
    value: fact.isAddress ? fact.value : words(fact.value),
  }));
  const told = facts.map(({ label, value }) => `${label}: ${value}`).join('\n');
  const parts = [hello, ...paragraphs, `${action.label}:\n${action.url}`, ...(told ? [told] : []), end];
  const text = `${parts.join('\n\n')}\n`;
  const url = escapeHtml(action.url);
  const rows = facts.map(({ label, value, isAddress }) => {
    const shown = isAddress
      ? `<a href="${escapeHtml(value)}" style="color:#1d4ed8">${escapeHtml(value)}</a>`
      : `<strong>${escapeHtml(value)}</strong>`;
    return `<p style="margin:0 0 4px">${escapeHtml(label)}: ${shown}</p>\n`;
  });
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:32px 16px;background:#f3f4f6;color:#1f2937;font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<table role="presentation" align="center" width="100%" cellpadding="0" cellspacing="0" style="max-width:540px;margin:0 auto;background:#ffffff;border-radius:12px">
<tr><td style="padding:32px;overflow-wrap:anywhere">
<h1 style="margin:0 0 20px;font-size:22px;line-height:1.3;color:#111827">${escapeHtml(heading)}</h1>
<p style="margin:0 0 16px">${escapeHtml(hello)}</p>
${paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${escapeHtml(paragraph)}</p>`).join('\n')}
<p style="margin:8px 0 24px"><a href="${url}" style="display:inline-block;padding:12px 22px;border-radius:8px;background:#1d4ed8;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(action.label)}</a></p>
${rows.join('')}<p style="margin:${rows.length > 0 ? 24 : 0}px 0 0;padding-top:20px;border-top:1px solid #e5e7eb;font-size:13px;color:#6b7280">${escapeHtml(end)} If the button does not work, open ${url}</p>
</td></tr>
</table>
</body>
</html>
`;
  return { fromName, toName, toEmail: input.toEmail, subject, text, html, ...(secret !== undefined && { secret }) };
}

function words(text: string): string {
  return oneLine(withoutPlaceholders(text));
}
