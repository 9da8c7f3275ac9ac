import { type Html, html } from './markup.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** A `<time>` in the words of the language; UTC, so that it is the same for everyone. */
export function dateOf(milliseconds: number, language: string): Html {
  const date = new Date(milliseconds);
  return html`<time datetime="${date.toISOString().slice(0, 10)}">${formatFor(language).format(date)}</time>`;
}

/** Making one costs a hundred times what using it does. There are as many as languages in use. */
function formatFor(language: string): Intl.DateTimeFormat {
  let format = formats.get(language);
  if (!format) {
    format = new Intl.DateTimeFormat(known(language), { dateStyle: 'long', timeZone: 'UTC' });
    formats.set(language, format);
  }
  return format;
}

function known(language: string): string {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(language)[0] ?? 'en';
  } catch {
    return 'en';
  }
}
