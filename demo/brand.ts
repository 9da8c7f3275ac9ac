import sharp from 'sharp';
import { changeBrand } from '../src/brands/change-brand.ts';
import { changeMailWords } from '../src/brands/change-mail-words.ts';
import { storeBrandImage } from '../src/brands/upload-brand-image.ts';
import type { Trx } from '../src/db/database.ts';
import { defaultWords } from '../src/mail/mail-words.ts';
import type { ActingUser } from '../src/users/roles.ts';

/** Draws the agency's icon: a north light, which is a roof window, below a star. */
export async function drawIcon(): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="192" height="192">
<rect width="64" height="64" rx="15" fill="#5b4bb7"/>
<path d="M12 50V34l18-14v14l18-14v30z" fill="#fff"/><path d="M17 45v-8l9-7v15zm18 0v-8l9-7v15z" fill="#b9aef0"/>
<path d="M16 8l2 5 5 2-5 2-2 5-2-5-5-2 5-2z" fill="#ffd166"/></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

/** Adds the brand that the agency's customers see, with its own text for the first message. */
export async function addBrand(trx: Trx, accountId: number, icon: Buffer, by: ActingUser): Promise<void> {
  const name = await storeBrandImage(trx, accountId, { png: icon, width: 192, height: 192 }, by);
  const site = 'https://northlight.example';
  const links = { supportUrl: `${site}/contact`, legalNoticeUrl: `${site}/legal`, privacyUrl: `${site}/privacy` };
  const brand = { name: 'Northlight Studio', accent: '#5b4bb7', supportEmail: 'hello@northlight.example', ...links };
  await changeBrand(trx, accountId, { ...brand, icon: name }, by);
  const { text } = defaultWords.login_instructions;
  const ending = '\n\nSee you soon,\nMaya and Jonas, Northlight Studio';
  const words = { subject: '{site} is ready: come in and look', text: text + ending };
  await changeMailWords(trx, accountId, { kind: 'login_instructions', ...words }, by);
}
