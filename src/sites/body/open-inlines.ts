import { type Element, element } from './node.ts';

/** How many inline elements continue in later blocks, and how often. This bounds the cost of unclosed elements. */
const MAX_WAITING = 4;
const MAX_REOPENED = 10_000;

interface Inline {
  element: Element;
  /** How many blocks were open where the element began. It ends with the innermost of these blocks. */
  home: number;
}

/**
 * The open inline elements: those of the current line, and those that a block has interrupted, which continue in the
 * next line. At most one of the two lists has elements.
 */
export class OpenInlines {
  private current: Inline[] = [];
  private waiting: Inline[] = [];
  private reopened = 0;

  get depth(): number {
    return this.current.length;
  }

  get innermost(): Element | undefined {
    return this.current.at(-1)?.element;
  }

  open(opened: Element, home: number): void {
    this.current.push({ element: opened, home });
  }

  /** Closes an inline element. Elements that were opened within it continue after it. */
  close(tag: string): void {
    const index = this.current.findLastIndex(({ element }) => element.tag === tag);
    if (index >= 0) {
      const [, ...misnested] = this.current.splice(index);
      this.wait(misnested);
      return;
    }
    const waiting = this.waiting.findLastIndex(({ element }) => element.tag === tag);
    if (waiting >= 0) this.waiting.splice(waiting, 1);
  }

  interrupt(): void {
    this.wait(this.current);
    this.current = [];
  }

  /** Leaves blocks. With `continues`, the inline elements that are open in them continue in the next line instead of ending. */
  leaveBlocks(left: number, continues: boolean): void {
    if (continues) for (const inline of this.waiting) inline.home = Math.min(inline.home, left);
    else this.waiting = this.waiting.filter(({ home }) => home <= left);
  }

  /** Reopens interrupted elements in the line that begins or continues in the block. */
  resume(block: Element): void {
    if (this.waiting.length === 0) return;
    const interrupted = this.waiting;
    this.waiting = [];
    for (const { element: old, home } of interrupted) {
      if (this.reopened++ >= MAX_REOPENED) return;
      const { id, ...attributes } = old.attributes;
      // An id stays with the first part that has content.
      if (id !== undefined && old.children.length === 0) attributes.id = id;
      const opened = element(old.name, attributes, [], old.tag);
      (this.innermost ?? block).children.push(opened);
      this.open(opened, home);
    }
  }

  private wait(inlines: Inline[]): void {
    if (inlines.length > 0) this.waiting = [...this.waiting, ...inlines].slice(0, MAX_WAITING);
  }
}
