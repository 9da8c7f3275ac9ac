import { escapeHtml } from '../../escape-html.ts';

const tagSet = (list: string) => new Set(list.split(' '));

/** Elements that mark the text in them. Their nesting order does not matter. */
const marks = tagSet(
  'a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike strong sub sup time tt u var',
);
const sameAs: Readonly<Record<string, string>> = { b: 'strong', i: 'em', del: 's', strike: 's' };
/** Elements next to which white space is invisible. */
const blocks = tagSet(
  'p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre hr table thead tbody tfoot tr th td div section iframe br figure figcaption',
);
/** Elements in which loose text is a paragraph. If they are empty, they contain an empty paragraph. */
const flows = tagSet('body blockquote li td th');

/**
 * Returns a text that is equal for two bodies with the same meaning. Used only for comparison. It is HTML, except that marks
 * are not written as elements, as their nesting order does not matter: `<=em strong>` says which marks the text or tag after
 * it has, and `<=>` that it has none.
 */
export function canonicalForm(body: HTMLElement): string {
  const writer = new Writer();
  writer.flow(body);
  return writer.text;
}

class Writer {
  text = '';
  #marks: readonly string[] = [];
  /** The marks of the text written last. Text with the same marks continues its run. */
  #run: string | undefined;
  #isAfterSpace = true;
  #space: string | undefined;
  #isPreformatted = false;
  /** True while text is outside of any block and so starts a paragraph of its own. */
  #isLoose = false;
  #isInParagraph = false;

  /** Writes a container of blocks. */
  flow(parent: Element): void {
    this.#isLoose = true;
    this.#children(parent);
    this.#endLine();
    this.#isLoose = false;
  }

  #children(parent: Element): void {
    for (const child of parent.childNodes) {
      if (child instanceof Text) this.#text(child.data);
      else if (child instanceof Comment) this.#tag(`<!--${child.data}-->`);
      else if (child instanceof Element) this.#element(child);
    }
  }

  #element(element: Element): void {
    const name = sameAs[element.localName] ?? element.localName;
    const written = name + attributesOf(element);
    if (marks.has(element.localName) && !element.matches('sup.footnote-ref')) {
      // Editors write a code block as `<pre><code>`, so plain code in `pre` means nothing.
      if (written !== 'code' || !this.#isPreformatted) this.#marked(written, element);
      else this.#children(element);
    } else if (blocks.has(name) && name !== 'br') this.#block(name, written, element);
    else {
      if (name === 'br') this.#space = undefined;
      this.#tag(`<${written}>`);
      this.#children(element);
      this.#tag(`</${name}>`);
      this.#isAfterSpace = name === 'br';
    }
  }

  #marked(written: string, element: Element): void {
    const before = this.#marks;
    const { length } = this.text;
    this.#marks = [...new Set([...before, written])].sort();
    this.#children(element);
    // Marks nothing, but may be the target of a link.
    if (this.text.length === length && written.includes(' ')) this.#tag(`<${written}/>`);
    this.#marks = before;
  }

  #block(name: string, written: string, element: Element): void {
    const [isLoose, isPreformatted, marks] = [this.#isLoose, this.#isPreformatted, this.#marks];
    this.#endLine();
    const begin = this.text;
    this.text += `<${written}>`;
    const { length } = this.text;
    this.#isPreformatted = name === 'pre';
    if (flows.has(name)) this.flow(element);
    else {
      this.#isLoose = false;
      this.#children(element);
    }
    this.#endLine();
    if (flows.has(name) && this.text.length === length) this.text += '<p></p>';
    this.text += `</${name}>`;
    // An empty caption is invisible.
    if (name === 'figcaption' && this.text.length === length + `</${name}>`.length) this.text = begin;
    [this.#isLoose, this.#isPreformatted, this.#marks] = [isLoose, isPreformatted, marks];
  }

  #endLine(): void {
    if (this.#isInParagraph) this.text += '</p>';
    this.#isInParagraph = false;
    this.#space = undefined;
    this.#run = undefined;
    this.#isAfterSpace = true;
  }

  /** Writes text as a browser shows it: collapses white space, and drops it at the ends of a line. */
  #text(text: string): void {
    if (this.#isPreformatted) {
      this.#write(text);
      return;
    }
    for (const part of text.split(/([ \t\n\r\f]+)/)) {
      if (part === '') continue;
      if (/^[ \t\n\r\f]/.test(part)) this.#space ??= this.#isAfterSpace ? undefined : this.#key();
      else this.#write(part);
    }
  }

  #write(text: string): void {
    this.#beginLine();
    this.#flushSpace();
    this.#append(text, this.#key());
    this.#isAfterSpace = false;
  }

  /** Writes a tag within a line. */
  #tag(tag: string): void {
    this.#beginLine();
    this.#flushSpace();
    this.text += `<=${this.#key()}>${tag}`;
    this.#run = undefined;
    this.#isAfterSpace = false;
  }

  #beginLine(): void {
    if (!this.#isLoose || this.#isInParagraph) return;
    this.text += '<p>';
    this.#isInParagraph = true;
  }

  #flushSpace(): void {
    if (this.#space !== undefined) this.#append(' ', this.#space);
    this.#space = undefined;
  }

  #append(text: string, key: string): void {
    if (key !== this.#run) this.text += `<=${key}>`;
    this.#run = key;
    this.text += escapeHtml(text);
  }

  #key(): string {
    return this.#marks.join(' ');
  }
}

function attributesOf(element: Element): string {
  return [...element.attributes]
    .map(({ name, value }) => [name, name === 'style' ? styleOf(value) : value.trim()] as const)
    .filter(([name, value]) => value !== '' || !['class', 'style', 'id'].includes(name))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('');
}

function styleOf(value: string): string {
  return value
    .split(';')
    .map((declaration) => {
      const [name, ...rest] = declaration.trim().split(':');
      return rest.length === 0 ? name : `${name!.trimEnd()}:${rest.join(':').trimStart()}`;
    })
    .filter(Boolean)
    .join(';');
}
