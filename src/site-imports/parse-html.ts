import { DomHandler, Parser } from 'htmlparser2';

export type Node = DomHandler['root']['children'][number];

/** No editor nests deeper. The parser searches all open elements at each tag: of a text that opens a million, it never ends. */
export const MAX_OPEN_ELEMENTS = 100;

/** Far longer than a page that anybody reads: its nodes take a hundred times as much memory. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

class TooDeep extends Error {}

class ShallowHandler extends DomHandler {
  override onopentag(name: string, attributes: Record<string, string>): void {
    // The document itself is below them.
    if (this.tagStack.length > MAX_OPEN_ELEMENTS) throw new TooDeep();
    super.onopentag(name, attributes);
  }
}

/** Returns the nodes of a piece of HTML; undefined if it is too long, or nests deeper than any editor does. */
export function parseHtml(html: string): Node[] | undefined {
  if (html.length > MAX_CHARACTERS) return undefined;
  const handler = new ShallowHandler();
  try {
    new Parser(handler).end(html);
    return handler.root.children;
  } catch (error) {
    if (error instanceof TooDeep) return undefined;
    throw error;
  }
}
