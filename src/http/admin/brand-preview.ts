import { appColours } from '../../brands/app-style.ts';
import { type BrandImage, brandImage, shownSize } from '../../brands/brand-image.ts';
import { findMailWords } from '../../brands/list-mail-words.ts';
import { parseColour } from '../../colour.ts';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/database.ts';
import { escapeHtml } from '../../html.ts';
import { exampleMail } from '../../mail/example-mail.ts';
import { replyAddressOfOwner } from '../../mail/reply-address.ts';
import { isTopLevel } from '../../tenancy/is-top-level.ts';
import type { BrandPreviewInput } from './contract.ts';
import { mailPreview } from './mail-preview.ts';

/** The fields as typed, with a valid colour. */
interface PreviewedBrand extends BrandPreviewInput {
  readonly accent: string;
}

/** Returns an HTML document: the sign-in page or a message, with the brand as typed into the form. Its links do nothing. */
export async function previewBrand(
  db: Db,
  config: Config,
  accountId: number,
  input: BrandPreviewInput,
): Promise<string> {
  const brand = { ...input, accent: parseColour(input.accent) ?? '#1f5f56' };
  if (input.of === 'sign-in') return signInPage(brand, config);
  const replyTo = brand.replyTo.trim() || (await replyAddressOfOwner(db, accountId));
  const name = brand.name.trim();
  const words = (await findMailWords(db, accountId, 'login_instructions')) ?? null;
  // Messages of other accounts show no logo: see mail/find-sender.ts.
  const mayShowLogo = await isTopLevel(db, accountId);
  const mailBrand = {
    name,
    accent: brand.accent,
    senderName: brand.senderName.trim() || name,
    subdomain: 'bakery',
    appHost: null,
    words,
    ...(mayShowLogo ? imagesOf(brand) : { logo: null, logoDark: null }),
  };
  const sender = { accent: brand.accent, replyTo, brand: mailBrand, senderName: name };
  return mailPreview(exampleMail('login_instructions', sender, config), brand.scheme);
}

function imagesOf({ logo, logoDark }: PreviewedBrand) {
  return { logo: brandImage(logo), logoDark: brandImage(logoDark) };
}

/** The size of the logo on the sign-in page. */
const LOGO_BOX = { width: 180, height: 36 };

function logoOf(logo: BrandImage, name: string, publicUrl: string): string {
  const { width, height } = shownSize(logo, LOGO_BOX);
  const src = `${new URL(publicUrl).origin}${logo.src}`;
  return `<p><img src="${src}" alt="${escapeHtml(name)}" width="${width}" height="${height}"></p>`;
}

/** The colours of the admin app: see admin/src/theme.ts. */
const schemes = {
  light: { page: '#fbfaf7', card: '#ffffff', line: '#e4e1d9', text: '#000000', quiet: '#5b625f' },
  dark: { page: '#151817', card: '#1d2120', line: '#343a38', text: '#dde3e0', quiet: '#a3aca8' },
};

/** Imitates the sign-in page. The real page needs its scripts, which the preview's policy forbids. */
function signInPage(brand: PreviewedBrand, { publicUrl }: Config): string {
  const { name, accent, scheme } = brand;
  const { page, card, line, text, quiet } = schemes[scheme];
  const colours = appColours(accent, scheme);
  const images = imagesOf(brand);
  const logo = (scheme === 'dark' && images.logoDark) || images.logo;
  const links = [
    brand.supportUrl && `Help from ${name}`,
    brand.supportEmail,
    brand.legalNoticeUrl && 'Legal notice',
    brand.privacyUrl && 'Privacy policy',
    brand.termsUrl && 'Terms of service',
  ];
  const field = (label: string) => `<p class="label">${label}</p><div class="field"></div>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Sign in · ${escapeHtml(name)}</title>
<style>
:root{color-scheme:${scheme}}
body{margin:0;padding:32px 20px;background:radial-gradient(60rem 30rem at 85% -10%,${colours.accentSoft},transparent 70%),${page};color:${text};font:16px/1.5 Inter,system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:400px;margin:0 auto}
.name{margin:0 0 20px;font-size:18px;font-weight:650}
.card{padding:28px;border:1px solid ${line};border-radius:16px;background:${card};box-shadow:0 20px 50px -30px rgb(0 0 0/35%)}
h1{margin:0 0 20px;font-size:26px;line-height:1.3}
.label{margin:0 0 4px;font-size:14px;font-weight:500}
.field{height:36px;margin-bottom:16px;border:1px solid ${line};border-radius:8px}
.button{padding:10px;border-radius:8px;background:${colours.accent};color:${colours.onAccent};font-weight:600;text-align:center}
a{color:${colours.accentText};font-size:14px;text-decoration:underline}
.forgotten{margin:16px 0 0}
footer{display:flex;flex-wrap:wrap;gap:6px 16px;margin-top:20px;color:${quiet}}
</style>
</head>
<body>
<main>
${logo ? logoOf(logo, name, publicUrl) : `<p class="name">${escapeHtml(name)}</p>`}
<div class="card">
<h1>Sign in</h1>
${field('E-mail address')}${field('Password')}
<div class="button">Sign in</div>
<p class="forgotten"><a>Forgotten your password?</a></p>
</div>
<footer>${links.map((link) => (link ? `<a>${escapeHtml(link)}</a>` : '')).join('')}</footer>
</main>
</body>
</html>
`;
}
