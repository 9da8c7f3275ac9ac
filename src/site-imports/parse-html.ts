import { DomHandler, Parser } from 'htmlparser2';

export type Node = DomHandler['root']['children'][number];
export type Element = Extract<Node, { attribs: unknown }>;

/** No editor nests deeper. The parser searches all open elements at each tag: of a text that opens a million, it never ends. */
export const MAX_OPEN_ELEMENTS = 100;

/** Far longer than a page that anybody reads: its nodes take a hundred times as much memory. */
const MAX_CHARACTERS = 1024 * 1024;

/** Elements and texts, each of which takes half a kilobyte. */
const MAX_NODES = 100_000;

class TooMuch extends Error {}

class BoundedHandler extends DomHandler {
  #nodes = 0;

  override onopentag(name: string, attributes: Record<string, string>): void {
    // The document itself is below them.
    if (this.tagStack.length > MAX_OPEN_ELEMENTS) throw new TooMuch();
    super.onopentag(name, attributes);
  }

  protected override addNode(node: Node): void {
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES) throw new TooMuch();
    super.addNode(node);
  }
}

/** Returns the nodes of a piece of HTML; undefined if it is too long, or has more nodes or levels than any editor makes. */
export function parseHtml(html: string): Node[] | undefined {
  if (html.length > MAX_CHARACTERS) return undefined;
  const handler = new BoundedHandler();
  try {
    new Parser(handler).end(html);
    return handler.root.children;
  } catch (error) {
    if (error instanceof TooMuch) return undefined;
    throw error;
  }
}
