import { BRAND_IMAGE_PATH } from '../../brands/brand-image.ts';
import { escapeHtml } from '../../html.ts';
import { inScheme } from '../../mail/example-mail.ts';
import type { Message } from '../../mail/outbox.ts';

/** Returns the policy of a preview: no script, no origin, and nothing loaded but the brand's images. */
export function brandPreviewPolicy(publicUrl: string): string {
  const images = `img-src ${new URL(publicUrl).origin}${BRAND_IMAGE_PATH}`;
  return `sandbox; default-src 'none'; style-src 'unsafe-inline'; ${images}; form-action 'none'; frame-ancestors 'self'`;
}

/** Returns a message as a document for a frame, below its sender and subject. Its links do nothing. */
export function mailPreview(message: Message, scheme: 'light' | 'dark'): string {
  const html = inScheme(message.html, scheme).replaceAll(/<a href="[^"]*"/g, '<a');
  const head = headLines(message)
    .map((line) => `<div>${escapeHtml(line)}</div>`)
    .join('');
  return html.replace(/<body[^<>]*>/, (body) => `${body}<div style="margin:0 auto 20px;max-width:540px">${head}</div>`);
}

/** Returns the text of a message as a document. */
export function textPreview(message: Message, scheme: 'light' | 'dark'): string {
  const text = `${headLines(message).join('\n')}\n\n${message.text}`;
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(message.subject)}</title>
<style>:root{color-scheme:${scheme}}body{margin:24px}pre{white-space:pre-wrap;overflow-wrap:anywhere;font:14px/1.5 ui-monospace,monospace}</style></head>
<body><pre>${escapeHtml(text)}</pre></body>
</html>
`;
}

function headLines({ fromName, replyTo, subject }: Message): string[] {
  return [`From: ${fromName}`, ...(replyTo === null ? [] : [`Replies to: ${replyTo}`]), `Subject: ${subject}`];
}
