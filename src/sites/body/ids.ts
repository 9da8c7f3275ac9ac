import { normalForm } from '../../normal-form.ts';
import { headingText } from './headings.ts';
import { type Element, eachElement } from './node.ts';
import { headingNames } from './vocabulary.ts';

/** Ids that the template has or may come to have, so that no heading may get them. */
const reserved = words(
  'chapters content contents footer header main menu nav navigation page pegs search sidebar site skip sub-pages theme toc top works',
);

/**
 * Gives each heading an id made from its text, and prefixes all other ids with `c-`, so that they never clash with ids of the
 * template or a script. Makes the ids unique, and updates links within the page.
 */
export function assignIds(body: Element): void {
  const ids = new UniqueIds();
  const targets = new Map<string, string>();
  const addTarget = (written: string, id: string) => void (targets.has(written) || targets.set(written, id));
  const found = withIds(body);
  // Ids that already have the right form are reused: a page that is saved as it was shown keeps its ids.
  for (const { element, written } of found) {
    const isHeading = headingNames.has(element.name);
    const id = ids.take(isHeading ? headingId(element, written) : `c-${idOf((written ?? '').replace(/^c-/, ''))}`);
    const { id: _written, ...others } = element.attributes;
    element.attributes = { id, ...others };
    if (written) addTarget(written, id);
  }
  for (const { element } of found) {
    if (headingNames.has(element.name)) addTarget(commonSlug(headingText(element.children)), element.attributes.id!);
  }
  eachElement(body, ({ attributes }) => {
    if (!attributes.href?.startsWith('#')) return;
    const written = attributes.href.slice(1);
    const id = targets.get(written) ?? targets.get(decoded(written));
    if (id) attributes.href = `#${encodeURIComponent(id)}`;
  });
}

function withIds(body: Element): { element: Element; written: string | undefined }[] {
  const found: { element: Element; written: string | undefined }[] = [];
  eachElement(body, (element) => {
    const written = element.attributes.id;
    if (headingNames.has(element.name) || written !== undefined) found.push({ element, written });
  });
  return found;
}

/** Returns the author's id if it is valid; otherwise the text in lower case with hyphens. */
function headingId({ children }: Element, written: string | undefined): string {
  if (written && /^\p{L}[\p{L}\p{N}_-]{0,79}$/u.test(written)) return written;
  return idOf(normalForm(headingText(children).slice(0, 500), 'NFKC').toLowerCase());
}

/** Returns the text as an id of letters, digits and hyphens that begins with a letter. */
function idOf(text: string): string {
  const id = [...text.replace(/[^\p{L}\p{N}_]+/gu, '-').replace(/^-|-$/g, '')].slice(0, 80).join('');
  return /^\p{L}/u.test(id) ? id : `section${id === '' ? '' : `-${id}`}`;
}

/** Returns the id that other programs make from a heading's text, so that links written for them lead to the heading. */
function commonSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

class UniqueIds {
  private readonly ids = new Set(reserved);
  private readonly next = new Map<string, number>();

  take(wanted: string): string {
    let id = wanted;
    for (let number = this.next.get(wanted) ?? 2; this.ids.has(id); number++) {
      id = `${wanted}-${number}`;
      this.next.set(wanted, number + 1);
    }
    this.ids.add(id);
    return id;
  }
}

function words(text: string): string[] {
  return text.split(' ');
}
