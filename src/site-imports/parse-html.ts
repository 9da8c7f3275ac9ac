import { DomHandler, Parser } from 'htmlparser2';

export type Node = DomHandler['root']['children'][number];
export type Element = Extract<Node, { attribs: unknown }>;

/**
 * The deepest nesting, deeper than editors make. The parser searches all open elements at each tag: a million would never
 * end.
 */
export const MAX_OPEN_ELEMENTS = 100;

/** The longest text, far longer than any page for reading: its nodes take a hundred times as much memory. */
const MAX_CHARACTERS = 1024 * 1024;

/** The most elements and texts, each of which takes half a kilobyte. */
const MAX_NODES = 100_000;

class LimitExceeded extends Error {}

class BoundedHandler extends DomHandler {
  #nodes = 0;

  override onopentag(name: string, attributes: Record<string, string>): void {
    // The stack also has the document itself.
    if (this.tagStack.length > MAX_OPEN_ELEMENTS) throw new LimitExceeded();
    super.onopentag(name, attributes);
  }

  protected override addNode(node: Node): void {
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES) throw new LimitExceeded();
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
    if (error instanceof LimitExceeded) return undefined;
    throw error;
  }
}
