import { Tokenizer } from 'htmlparser2';
import type { Element } from './node.ts';
import { TreeBuilder } from './tree-builder.ts';

/**
 * Parses HTML into a tree in which every element is allowed at its place. Accepts any text in linear time, and drops
 * elements that have no place on a site.
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
        // As in browsers, only the first of several attributes with one name counts.
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

/** Returns the text without the characters that no HTML document may contain, and with line feeds as line ends. */
function withoutInvalid(text: string): string {
  return invalid.test(text) ? text.toWellFormed().replace(/\r\n?/g, '\n').replace(allInvalid, '') : text;
}
