import { type AccentTokens, accentTokens } from '../accent-tokens.ts';
import { type BrandImage, shownSize } from '../brands/brand-image.ts';
import { escapeHtml } from '../html.ts';
import { defaultWords, fillIn, type MailKind, type MailWords } from './mail-words.ts';
import { oneLine } from './one-line.ts';
import type { Message } from './outbox.ts';
import { appUrlPlaceholder, PUBLIC_URL, withoutPlaceholders } from './placeholders.ts';
import { withoutLinks } from './plain-words.ts';

/** The sender of a message: its colour and brand, and the address for replies. */
export interface Sender {
  /** The account's colour, `#rrggbb`. */
  accent: string;
  replyTo: string | null;
  /** The brand that the account's users see. */
  brand: MailBrand | null;
}

/** A brand as messages use it. Its colour and sender name replace those of the account. */
interface MailBrand {
  name: string;
  accent: string;
  senderName: string;
  /** The subdomain of the recipient's account. In links, it makes the page show the brand. */
  subdomain: string;
  /** The brand's own host of the admin app; null for PUBLIC_URL. */
  appHost: string | null;
  logo: BrandImage | null;
  logoDark: BrandImage | null;
  /** The agency's own words for this kind of message; null for the default words. */
  words: MailWords | null;
}

/** The recipient of a message, a user of an account, and its sender. */
export interface Addressed extends Sender {
  userName: string;
  userEmail: string;
  accountName: string;
}

/** The contents of a short message with one action. */
interface EmailTemplateInput {
  kind: MailKind;
  /** The account's name by default. */
  fromName?: string;
  heading: string;
  /** The values of the placeholders in the words of this kind. `name` and `site` are added. `{link}` becomes the button. */
  values?: Readonly<Record<string, string>>;
  /** The button. The path is one of the admin app. */
  action: { label: string; path: string };
  /** Further facts. With `isAddress` the value is one of our own URLs: it may contain placeholders, and becomes a link. */
  facts?: ReadonlyArray<{ label: string; value: string; isAddress?: boolean }>;
  /** Why the recipient gets the message, and what to do if they did not ask for it. */
  footer: string;
  /** See `Message`. */
  secret?: string;
}

/** Renders the message as text and as HTML. Names may contain anything, and nothing in them becomes a link. */
export function emailTemplate(to: Addressed, input: EmailTemplateInput): Message {
  const { userName, userEmail: toEmail, accountName, brand } = to;
  const { kind, secret } = input;
  const values = { ...input.values, name: userName, site: accountName };
  const action = { label: input.action.label, url: appLink(brand, input.action.path) };
  const colour = brand?.accent ?? to.accent;
  const chosen = brand?.words ?? defaultWords[kind];
  const subject = singleLine(fillIn(chosen.subject, values));
  // The heading goes only with the default words.
  const heading = brand?.words ? withoutLinks(subject) : singleLine(input.heading);
  const fromName = singleLine(brand?.senderName ?? input.fromName ?? accountName);
  const toName = singleLine(userName);
  // Leaves out a reply address that is the recipient's own.
  const replyTo = to.replyTo === toEmail ? null : to.replyTo;
  const blocks = blocksOf(chosen.text, values);
  const invitation = replyTo === null ? [] : ['Any questions? Just reply to this message.'];
  const footer = withoutLinks(singleLine(input.footer));
  const facts = (input.facts ?? []).map((fact) => ({
    ...fact,
    value: fact.isAddress ? fact.value : singleLine(fact.value),
  }));
  const factLines = facts.map(({ label, value }) => `${label}: ${value}`).join('\n');
  const body = blocks.map((block) => (block === BUTTON ? `${action.label}:\n${action.url}` : block.join('\n')));
  const parts = [...body, ...(factLines ? [factLines] : []), ...invitation, footer];
  const text = `${parts.join('\n\n')}\n`;
  const url = escapeHtml(action.url);
  const { light, stylesheet } = styleOf(colour);
  const rows = facts.map(({ label, value, isAddress }) => {
    const shown = isAddress
      ? `<a href="${escapeHtml(value)}" class="link" style="color:${light.accentText}">${escapeHtml(value)}</a>`
      : `<strong>${escapeHtml(value)}</strong>`;
    return `<p style="margin:0 0 4px">${escapeHtml(label)}: ${shown}</p>\n`;
  });
  const button = `<p style="margin:8px 0 24px"><a href="${url}" class="button" style="display:inline-block;padding:12px 22px;border-radius:8px;background:${light.accent};color:${light.onAccent};font-weight:600;text-decoration:none">${escapeHtml(action.label)}</a></p>`;
  const last = [
    ...(rows.length > 0 ? [`<div style="margin:0 0 20px">\n${rows.join('')}</div>`] : []),
    ...invitation.map((text) => paragraph(text)),
  ];
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${stylesheet}${logoStyle(brand)}</style>
</head>
<body class="page" style="margin:0;padding:32px 16px;background:#f3f4f6;color:#1f2937;font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<table class="card" role="presentation" align="center" width="100%" cellpadding="0" cellspacing="0" style="max-width:540px;margin:0 auto;background:${LIGHT_CARD};border-radius:12px">
<tr><td class="content" style="padding:32px;overflow-wrap:anywhere">
<p class="link" style="margin:0 0 20px;font-weight:600;color:${light.accentText}">${logos(brand) || escapeHtml(withoutLinks(fromName))}</p>
<h1 class="heading" style="margin:0 0 20px;font-size:22px;line-height:1.3;color:#111827">${escapeHtml(heading)}</h1>
${blocks.map((block) => (block === BUTTON ? button : paragraph(...block))).join('\n')}
${last.join('\n')}
<p class="footer" style="margin:24px 0 0;padding-top:20px;border-top:1px solid #e5e7eb;font-size:13px;color:#5f6673">${escapeHtml(footer)} If the button does not work, open ${url}</p>
</td></tr>
</table>
</body>
</html>
`;
  return { kind, fromName, toName, toEmail, replyTo, subject, text, html, ...(secret !== undefined && { secret }) };
}

/** Returns the URL of a path of the admin app. The path may end with a fragment. Links of a brand name the account. */
export function appLink(brand: MailBrand | null, path: string): string {
  const account = brand ? `?account=${encodeURIComponent(brand.subdomain)}` : '';
  return appBase(brand) + path.replace(/(?=#)|$/, () => account);
}

function appBase(brand: MailBrand | null): string {
  return brand?.appHost ? appUrlPlaceholder(brand.appHost) : PUBLIC_URL;
}

const LIGHT_CARD = '#ffffff';
const DARK_CARD = '#1d2129';

interface MailStyle {
  light: AccentTokens;
  stylesheet: string;
}

/** A cache of styles by colour: finding legible colours takes longer than all other work for a message. */
const styles = new Map<string, MailStyle>();
const MAX_STYLES = 100;

function styleOf(colour: string): MailStyle {
  if (styles.size >= MAX_STYLES) styles.clear();
  return styles.getOrInsertComputed(colour, () => ({
    light: accentTokens(colour, [LIGHT_CARD]),
    stylesheet: stylesheetFor(colour),
  }));
}

/**
 * Returns the style sheet, for mail programs that support one. All others show the inline colours, which are those of light
 * mode.
 */
function stylesheetFor(accent: string): string {
  const dark = accentTokens(accent, [DARK_CARD]);
  const rules = {
    '.page': 'background:#111318!important;color:#d6d9e0!important',
    '.card': `background:${DARK_CARD}!important`,
    '.heading': 'color:#f5f6f8!important',
    '.link': `color:${dark.accentText}!important`,
    '.button': `background:${dark.accent}!important;color:${dark.onAccent}!important`,
    '.footer': 'color:#a3a9b5!important;border-color:#373d49!important',
  };
  const inDark = Object.entries(rules).map(([selector, declarations]) => `${selector}{${declarations}}`);
  return `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (max-width:480px){.page{padding:12px 8px!important}.content{padding:24px 20px!important}}
@media (prefers-color-scheme:dark){${inDark.join('')}}`;
}

/** Returns the rules that show the dark logo in dark mode, if there are two logos. */
function logoStyle(brand: MailBrand | null): string {
  if (!brand?.logo || !brand.logoDark) return '';
  const rules = '.logo{display:none!important}.logo-dark{display:block!important}';
  return `\n@media (prefers-color-scheme:dark){${rules}}`;
}

/** The largest size of a logo, in pixels. */
const LOGO_BOX = { width: 220, height: 48 };

/** Returns the brand's logos as HTML, with the brand's name for programs that load no images; empty if there is no logo. */
function logos(brand: MailBrand | null): string {
  if (!brand?.logo) return '';
  const image = (logo: BrandImage, name: string, style: string) => {
    const { width, height } = shownSize(logo, LOGO_BOX);
    return `<img class="${name}" src="${appBase(brand)}${logo.src}" alt="${escapeHtml(withoutLinks(singleLine(brand.name)))}" width="${width}" height="${height}" style="border:0;${style}">`;
  };
  const dark = brand.logoDark ? image(brand.logoDark, 'logo-dark', 'display:none;mso-hide:all') : '';
  return image(brand.logo, 'logo', 'display:block') + dark;
}

/** Marks the position of the button among the paragraphs. */
const BUTTON = 'button';

/**
 * Returns the paragraphs of a text, each as a list of lines, with `BUTTON` in place of `{link}`. Nothing in them becomes a
 * link.
 */
function blocksOf(text: string, values: Readonly<Record<string, string>>): Array<readonly string[] | typeof BUTTON> {
  const blocks: Array<readonly string[] | typeof BUTTON> = [];
  for (const [index, part] of text.split('{link}').entries()) {
    if (index > 0) blocks.push(BUTTON);
    for (const paragraph of part.split(/\n[^\S\n]*\n/)) {
      const lines = paragraph.split('\n').map((line) => withoutLinks(singleLine(fillIn(line, values))));
      const filled = lines.filter((line) => line !== '');
      if (filled.length > 0) blocks.push(filled);
    }
  }
  return blocks;
}

function paragraph(...lines: readonly string[]): string {
  return `<p style="margin:0 0 16px">${lines.map(escapeHtml).join('<br>')}</p>`;
}

function singleLine(text: string): string {
  return oneLine(withoutPlaceholders(text));
}
