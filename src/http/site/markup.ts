import { escapeHtml } from '../../html.ts';

/** HTML that is safe as it stands. Only `html` and `trusted` make it. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

type Part = Html | string | number | undefined | false | readonly Part[];

/** A template whose values are escaped, unless they are HTML already. Lists are joined; undefined and false are nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  let text = strings[0]!;
  for (let index = 0; index < values.length; index++) text += textOf(values[index]) + strings[index + 1]!;
  return new Html(text);
}

/** Marks text as safe HTML: a sanitised body, or our own constants. Never anything else. */
export function trusted(text: string): Html {
  return new Html(text);
}

export const nothing: Html = new Html('');

/** No HTML document may contain these characters, and names can. */
const unknown = /[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]/;
const allUnknown = new RegExp(unknown, 'g');

function textOf(value: Part): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'string') return escapeHtml(unknown.test(value) ? value.replaceAll(allUnknown, '') : value);
  if (typeof value === 'number') return String(value);
  if (value === undefined || value === false) return '';
  return value.map(textOf).join('');
}
