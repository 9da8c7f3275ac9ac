import { escapeHtml } from '../../html.ts';

/** HTML that is safe to use unescaped. Only `html` and `trusted` create it. */
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

/** A template tag that escapes values, unless they are `Html`. Lists are joined; undefined and false are omitted. */
export function html(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  let text = strings[0]!;
  for (let index = 0; index < values.length; index++) text += textOf(values[index]) + strings[index + 1]!;
  return new Html(text);
}

/** Marks text as safe HTML. Use it only for sanitized bodies and our own constants. */
export function trusted(text: string): Html {
  return new Html(text);
}

export const nothing: Html = new Html('');

/** Characters that HTML documents may not contain, but names may. */
const unknown = /[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]/;
const allUnknown = new RegExp(unknown, 'g');

function textOf(value: Part): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'string') return escapeHtml(unknown.test(value) ? value.replaceAll(allUnknown, '') : value);
  if (typeof value === 'number') return String(value);
  if (value === undefined || value === false) return '';
  return value.map(textOf).join('');
}
