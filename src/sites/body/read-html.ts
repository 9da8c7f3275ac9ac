import { Tokenizer } from 'htmlparser2';
import type { Element } from './node.ts';
import { TreeBuilder } from './tree-builder.ts';

/**
 * Parses HTML into a tree in which every element is allowed where it stands. It accepts any text in linear time; what
 * has no place on a site is left out.
 */
export function readHtml(source: string): Element {
  const html = withoutInvalid(source);
  const builder = new TreeBuilder();
  const text = (from: number, to: number) => html.slice(from, to);
  let tag = '';
  let attributes = new Map<string, string>();
  let name = '';
  let value = '';
  const open = () => builder.open(tag, attributes);
  const tokenizer = new Tokenizer(
    {},
    {
      ontext: (from, to) => builder.text(text(from, to)),
      ontextentity: (code) => builder.text(withoutInvalid(String.fromCodePoint(code))),
      onopentagname: (from, to) => {
        tag = text(from, to).toLowerCase();
        attributes = new Map();
      },
      onattribname: (from, to) => {
        name = text(from, to).toLowerCase();
        value = '';
      },
      onattribdata: (from, to) => {
        value += text(from, to);
      },
      onattribentity: (code) => {
        value += withoutInvalid(String.fromCodePoint(code));
      },
      onattribend: () => {
        // As in browsers, the first attribute of a name counts.
        if (!attributes.has(name)) attributes.set(name, value);
      },
      onopentagend: open,
      onselfclosingtag: open,
      onclosetag: (from, to) => builder.close(text(from, to).trim().toLowerCase()),
      oncdata: () => {},
      oncomment: () => {},
      ondeclaration: () => {},
      onprocessinginstruction: () => {},
      onend: () => {},
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return builder.root;
}

const invalid = /[\0-\x08\x0b\x0d-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]/;
const allInvalid = /[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]/g;

/** Without the characters that no HTML document may contain; lines end in one way. */
function withoutInvalid(text: string): string {
  return invalid.test(text) ? text.toWellFormed().replace(/\r\n?/g, '\n').replace(allInvalid, '') : text;
}
