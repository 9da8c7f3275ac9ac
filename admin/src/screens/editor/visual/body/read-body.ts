import { getSchema, type JSONContent } from '@tiptap/core';
import { DOMParser, type Node, type Schema } from '@tiptap/pm/model';
import { TableMap } from '@tiptap/pm/tables';
import { parseHtml } from '../../../../parts/parse-html.ts';
import { visualExtensions } from '../extensions.ts';
import { canonicalForm } from './canonical-form.ts';
import { canonicalHtml } from './canonical-html.ts';
import { type SourceBlock, splitBlocks } from './split-blocks.ts';

/** A body in the form that the visual editor opens. */
export interface ReadBody {
  readonly content: JSONContent;
  readonly sources: readonly string[];
}

let schema: Schema | undefined;

/** Reads a body for the visual editor. A block that the editor would not preserve becomes an HTML block. */
export function readBody(html: string): ReadBody {
  schema ??= getSchema(visualExtensions);
  const blocks = splitBlocks(html);
  // Nothing in the body is visible: an empty paragraph keeps the source in its `lead`.
  if (blocks.length === 0) {
    const paragraph = { type: 'paragraph', attrs: { lead: html.trim() === '' ? '' : html } };
    return { content: { type: 'doc', content: [paragraph] }, sources: [''] };
  }
  const nodes = blocks.map((block) => readBlock(block, schema!));
  return {
    content: { type: 'doc', content: nodes.map((node) => node.toJSON()) },
    sources: blocks.map(({ source }) => source),
  };
}

function readBlock({ lead, source, trail }: SourceBlock, schema: Schema): Node {
  const around = { lead, trail: trail || null };
  const known = knownBlock(source, schema);
  return known
    ? known.type.create({ ...known.attrs, ...around }, known.content)
    : schema.nodes.htmlBlock!.create({ html: source, ...around });
}

/** Returns the block as a node, or undefined if the visual editor would change its meaning. */
function knownBlock(source: string, schema: Schema): Node | undefined {
  try {
    const { childCount, firstChild } = DOMParser.fromSchema(schema).parse(parseHtml(source));
    if (childCount !== 1 || !firstChild || hasUnevenTable(firstChild)) return undefined;
    const isSame = canonicalForm(parseHtml(source)) === canonicalForm(parseHtml(canonicalHtml(firstChild)));
    return isSame ? firstChild : undefined;
  } catch {
    return undefined;
  }
}

/** True if the node contains a table whose rows have different lengths. The editor would fill them up. */
function hasUnevenTable(node: Node): boolean {
  let isUneven = node.type.name === 'table' && TableMap.get(node).problems !== null;
  node.descendants((child) => {
    isUneven ||= child.type.name === 'table' && TableMap.get(child).problems !== null;
    return !isUneven;
  });
  return isUneven;
}
