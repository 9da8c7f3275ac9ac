import { messageInEnglish } from '../refusal-words.ts';
import type { SiteReport } from './prepare-site.ts';
import type { ImportNote } from './site-to-import.ts';

const sentences: Readonly<Record<ImportNote['code'], (value: string) => string>> = {
  not_imported_type: (type) => `Content of the type "${type}" is not imported`,
  in_trash: () => 'It is in the trash of the old site: it is not imported',
  password: () => 'It has a password, which pages here cannot have: it is not published',
  members_only: () => 'Only members could see it: it is not published',
  no_html: () => 'The export does not contain its text',
  block: (name) => `The block "${name}" was left out: WordPress fills it only when it shows the page`,
  shortcode: (name) => `The shortcode [${name}] does not work here, and is shown as text`,
  form_or_script: (element) => `<${element}> was left out`,
  old_link: (address) => `It links to ${address}, which has no counterpart here`,
  more: () => 'There are more differences',
  kept_as_html: () => 'Its HTML is too long or nested too deeply to be cleaned up, and was left as it is',
};

/** Returns the sentence for something that could not be imported unchanged. */
export function noteInWords({ code, page, value, count }: ImportNote): string {
  const times = count === 1 ? '' : ` (${count} times)`;
  return `${page === undefined ? '' : `"${page}": `}${sentences[code](value)}${times}.`;
}

/** Returns the sentences for everything that differs from the old site. */
export function reportInWords({ notes, failedImages, renamed }: SiteReport): string[] {
  return [
    ...notes.map(noteInWords),
    ...failedImages.map(({ address, error }) => `${address} is not copied. ${messageInEnglish(error)}`),
    ...renamed.map(({ from, to }) => `"${from}" becomes "${to}", because another page has that name.`),
  ];
}
