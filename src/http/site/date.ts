import { type Html, html } from './markup.ts';
import type { SiteView } from './view.ts';

interface Formats {
  readonly shown: Intl.DateTimeFormat;
  readonly machine: Intl.DateTimeFormat;
}

/** Formatters by language and time zone. Making a formatter takes a hundred times as long as using it. */
const formatsCache = new Map<string, Formats>();

/** Enough for all combinations of language and zone in use. */
const MAX_CACHED_FORMATS = 200;

/** Returns a `<time>` in the site's language, with the day in the site's time zone. */
export function dateOf(milliseconds: number, { language, timeZone }: Pick<SiteView, 'language' | 'timeZone'>): Html {
  const { shown, machine } = formatsFor(language, timeZone);
  return html`<time datetime="${machine.format(milliseconds)}">${shown.format(milliseconds)}</time>`;
}

function formatsFor(language: string, timeZone: string): Formats {
  const key = `${language} ${timeZone}`;
  let formats = formatsCache.get(key);
  if (!formats) {
    const zone = { timeZone: knownZone(timeZone) };
    formats = {
      shown: new Intl.DateTimeFormat(knownLanguage(language), { dateStyle: 'long', ...zone }),
      // Swedish dates have the machine-readable format.
      machine: new Intl.DateTimeFormat('sv', { dateStyle: 'short', ...zone }),
    };
    if (formatsCache.size >= MAX_CACHED_FORMATS) formatsCache.clear();
    formatsCache.set(key, formats);
  }
  return formats;
}

function knownLanguage(language: string): string {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(language)[0] ?? 'en';
  } catch {
    return 'en';
  }
}

/** Returns the time zone, or UTC if this version of Node.js does not know it: a site must not fail because of it. */
function knownZone(timeZone: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return timeZone;
  } catch {
    return 'UTC';
  }
}
