import { normalForm } from '../../../../normal-form.ts';
import type { PagePicture } from '../../../../sites/page-pictures.ts';
import { type Html, html } from '../../markup.ts';
import { pagePicture } from '../../parts/page-picture.ts';

interface Work {
  name: string;
  path: string;
  description?: string;
  picture?: PagePicture | undefined;
}

/** Full width on phones, and up to seven of twelve columns on other screens. */
const PLATE = { className: 'plate', width: '(min-width: 44rem) 58vw, 100vw' };

/**
 * Returns a grid of plates, one for each page. A page without a picture gets its initial, set like a poster. The style sheet
 * varies colours and sizes.
 */
export function plates(works: readonly Work[]): Html {
  return html`<ul class="plates">
${works.map(plate)}</ul>`;
}

function plate({ name, path, description, picture }: Work): Html {
  return html`<li><h3><a href="${path}">${name}</a></h3>
${description && html`<p>${description}</p>\n`}${picture ? pagePicture(picture, PLATE) : letter(name)}</li>
`;
}

function letter(name: string): Html {
  const initial = initialOf(name);
  return html`<span class="plate${isTall(initial) && ' tall'}" aria-hidden="true" data-initial="${initial}"></span>`;
}

/** Returns whether a letter has marks above it, which its plate must not cut off, like `Ö` in contrast to `O`. */
function isTall(letter: string): boolean {
  return /\p{M}/u.test(normalForm(letter, 'NFD'));
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Returns the first letter or digit of a name, as graphemes, or its first character if it has neither. */
function initialOf(name: string): string {
  // Skip the Arabic article, with which half of all Arabic names begin.
  const signs = [...segmenter.segment(name.replace(/^ال(?=\p{L}{2})/u, ''))].map(({ segment }) => segment);
  return (signs.find((sign) => /[\p{L}\p{N}]/u.test(sign)) ?? signs[0] ?? '').toUpperCase();
}
