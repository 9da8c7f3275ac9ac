import { imageSources, imageUrl, isExternal, linkUrl } from './addresses.ts';
import { type Attributes, addClass } from './node.ts';
import { blockNames, classNames, editorClasses, replacements } from './vocabulary.ts';

type Raw = ReadonlyMap<string, string>;

/**
 * Returns the attributes that an element keeps: safe, valid and meaningful ones. No value is copied unchecked. Ids are
 * left as written; see `ids.ts`.
 */
export function cleanAttributes(name: string, raw: Raw): Attributes {
  const attributes: Attributes = {};
  if (raw.size === 0) return attributes;
  const id = raw.get('id') || (name === 'a' ? raw.get('name') : undefined);
  if (id && id.length <= 200) attributes.id = id;
  copy(raw, attributes, 'title', (title) => title.trim() || undefined);
  copy(raw, attributes, 'lang', language);
  copy(raw, attributes, 'dir', oneOf('ltr', 'rtl', 'auto'));
  setClasses(name, raw, attributes);
  setOwn[name]?.(raw, attributes);
  return attributes;
}

/** Returns the name of the element that a tag becomes: its modern replacement, or the emphasis that its style expresses. */
export function elementName(tag: string, raw: Raw): string {
  const name = replacements.get(tag) ?? tag;
  const styles = (name === 'span' || name === 'b') && raw.has('style') ? stylesOf(raw) : undefined;
  if (!styles) return name;
  // Word processors write emphasis as styles, and wrap everything they paste into a <b> that is not bold.
  const weight = styles.get('font-weight') ?? '';
  if (name === 'b') return /^(?:normal|400)$/.test(weight) ? 'span' : 'b';
  if (/^(?:bold|bolder|[6-9]00)$/.test(weight)) return 'strong';
  return styles.get('font-style') === 'italic' ? 'em' : 'span';
}

/** Returns the declarations of a `style` attribute, in lower case. */
function stylesOf(raw: Raw): Map<string, string> {
  const text = raw.get('style');
  if (!text) return new Map();
  const declarations = text.slice(0, 2000).toLowerCase().split(';');
  return new Map(
    declarations.map((declaration): [string, string] => {
      const colon = declaration.indexOf(':');
      return [declaration.slice(0, Math.max(0, colon)).trim(), declaration.slice(colon + 1).trim()];
    }),
  );
}

const setOwn: Readonly<Record<string, (raw: Raw, attributes: Attributes) => void>> = {
  a: setLink,
  bdo: (_raw, attributes) => {
    attributes.dir ??= 'auto';
  },
  blockquote: setCite,
  del: setCite,
  details: (raw, attributes) => setFlag(raw, attributes, 'open'),
  img: setImage,
  input: (raw, attributes) => {
    Object.assign(attributes, { type: 'checkbox', disabled: '' });
    setFlag(raw, attributes, 'checked');
  },
  ins: setCite,
  li: (raw, attributes) => copy(raw, attributes, 'value', integer(-99_999, 99_999)),
  ol: (raw, attributes) => {
    copy(raw, attributes, 'start', integer(-99_999, 99_999));
    copy(raw, attributes, 'type', (type) => (/^[1aAiI]$/.test(type) ? type : undefined));
    setFlag(raw, attributes, 'reversed');
  },
  q: setCite,
  td: setSpans,
  th: setSpans,
  time: (raw, attributes) => copy(raw, attributes, 'datetime', time),
};

function setLink(raw: Raw, attributes: Attributes): void {
  copy(raw, attributes, 'href', linkUrl);
  if (attributes.href === undefined) return;
  const allowed = ['me', 'nofollow', 'sponsored', 'ugc', 'noreferrer', 'license'];
  const rel = new Set(
    (raw.get('rel') ?? '')
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => allowed.includes(word)),
  );
  if (raw.get('target')?.toLowerCase() === '_blank') attributes.target = '_blank';
  if (attributes.target || isExternal(attributes.href)) rel.add('noopener');
  if (rel.size > 0) attributes.rel = [...rel].join(' ');
}

function setImage(raw: Raw, attributes: Attributes): void {
  copy(raw, attributes, 'src', (src) => imageUrl(src) || undefined);
  attributes.alt = raw.get('alt')?.trim() ?? '';
  const styles = stylesOf(raw);
  for (const side of ['width', 'height']) {
    const pixels = /^(\d{1,5})(?:\.\d+)?(?:px)?$/.exec(styles.get(side) ?? raw.get(side)?.trim() ?? '');
    if (pixels && Number(pixels[1]) > 0) attributes[side] = String(Number(pixels[1]));
  }
  if (raw.has('srcset')) Object.assign(attributes, imageSources(raw.get('srcset')!, raw.get('sizes')));
}

function setSpans(raw: Raw, attributes: Attributes): void {
  copy(raw, attributes, 'colspan', integer(2, 100));
  copy(raw, attributes, 'rowspan', integer(2, 1000));
}

function setCite(raw: Raw, attributes: Attributes): void {
  copy(raw, attributes, 'cite', (cite) => linkUrl(cite) || undefined);
}

/** Sets the known classes, and the classes that replace older ways of aligning and floating. */
function setClasses(name: string, raw: Raw, attributes: Attributes): void {
  for (const className of (raw.get('class') ?? '').slice(0, 1000).split(/\s+/)) {
    const isLanguage = name === 'code' && /^language-[\w+#.-]{1,30}$/.test(className);
    const known = isLanguage || classNames.has(className) ? className : editorClasses.get(className);
    // These two classes belong to containers; `tidy.ts` checks whether the element is one.
    const isContainer = known === 'embed' || known === 'table-scroll';
    const isSize = known?.startsWith('image-');
    if (known && (name === 'div' || !isContainer) && (name === 'figure' || !isSize)) addClass(attributes, known);
  }
  // Inline elements cannot be aligned.
  if (name !== 'img' && !blockNames.has(name)) return;
  const styles = stylesOf(raw);
  const side = raw.get('align')?.toLowerCase();
  const floats = name === 'img' || name === 'table' || name === 'figure';
  const float = /^(?:left|right)$/.exec(styles.get('float') ?? (floats ? (side ?? '') : ''))?.[0];
  if (float && floats) addClass(attributes, `float-${float}`);
  const isCentred = name === 'img' && styles.get('margin-left') === 'auto' && styles.get('margin-right') === 'auto';
  const align = isCentred ? 'center' : (styles.get('text-align') ?? (raw.has('align') && !float ? side : undefined));
  if (align && /^(?:left|right|center|justify)$/.test(align)) addClass(attributes, `align-${align}`);
}

function copy(raw: Raw, to: Attributes, name: string, clean: (value: string) => string | undefined): void {
  const value = raw.get(name);
  const cleaned = value === undefined ? undefined : clean(value);
  if (cleaned !== undefined) to[name] = cleaned;
}

function setFlag(raw: Raw, attributes: Attributes, name: string): void {
  if (raw.has(name)) attributes[name] = '';
}

function oneOf(...values: string[]): (value: string) => string | undefined {
  return (value) => values.find((one) => one === value.toLowerCase());
}

function integer(least: number, most: number): (value: string) => string | undefined {
  return (value) => {
    const number = /^\s*-?\d{1,9}\s*$/.test(value) ? Number(value) : Number.NaN;
    return number >= least && number <= most ? String(number) : undefined;
  };
}

const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

function language(tag: string): string | undefined {
  try {
    const [canonical] = Intl.getCanonicalLocales(tag.trim().replaceAll('_', '-'));
    return canonical && languages.of(canonical.split('-')[0]!) ? canonical : undefined;
  } catch {
    return undefined;
  }
}

function time(value: string): string | undefined {
  const form = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?)?$/;
  return form.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;
}
