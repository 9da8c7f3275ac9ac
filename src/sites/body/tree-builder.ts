import { cleanAttributes, elementName } from './attributes.ts';
import { frame } from './embeds.ts';
import { addClass, type Element, element, isBlank, isBlankText, isElement } from './node.ts';
import { OpenInlines } from './open-inlines.ts';
import { impliedChild, isBarrier, partsToKeep } from './structure.ts';
import {
  blockNames,
  dropped,
  headingNames,
  inlineLeafNames,
  inlineNames,
  lineNames,
  replacements,
  wrapperNames,
} from './vocabulary.ts';

/** The deepest nesting, deeper than any reader needs. Further tags are left out, but their content stays. */
const MAX_DEPTH = 100;
type RawAttributes = ReadonlyMap<string, string>;

/**
 * Builds a tree from tags and text in which every element is allowed at its place. Like a browser, it accepts everything:
 * it closes unclosed elements, opens the list around an item without one, and continues bold text in the next paragraph.
 * Unlike a browser, it never puts a block into a line of text. Each step costs at most as much as the tree is deep.
 */
export class TreeBuilder {
  readonly root: Element = element('body');
  /** The open blocks, the innermost last. */
  private readonly blocks: Element[] = [this.root];
  /** The open inline elements in the innermost block. */
  private readonly inlines = new OpenInlines();
  private isPreJustOpened = false;
  /** How many start tags of each name were left out whose end tags are still to come. */
  private readonly unopened = new Map<string, number>();
  private skipped: { tag: string; depth: number } | undefined;

  text(written: string): void {
    if (this.skipped) return;
    // Browsers ignore a line break at the start of <pre>.
    const text = this.isPreJustOpened && written.startsWith('\n') ? written.slice(1) : written;
    this.isPreJustOpened = false;
    if (text === '') return;
    if (isBlankText(text)) {
      if (impliedChild(this.block(), '#text') === undefined) this.append(text);
      return;
    }
    this.beginLine();
    this.append(text);
  }

  open(tag: string, raw: RawAttributes): void {
    if (this.skipped) {
      if (this.skipped.tag === tag) this.skipped.depth++;
      return;
    }
    this.isPreJustOpened = false;
    if (dropped.has(tag)) {
      this.skipped = { tag, depth: 1 };
      if (tag === 'iframe' || tag === 'video' || tag === 'audio') this.openFrame(raw);
      return;
    }
    const name = elementName(tag, raw);
    if (inlineLeafNames.has(name)) this.openInlineLeaf(name, raw);
    else if (inlineNames.has(name)) this.openInline(name, tag, raw);
    else if (blockNames.has(name)) this.openBlock(name, tag, raw);
  }

  close(tag: string): void {
    if (this.skipped) {
      if (this.skipped.tag === tag && --this.skipped.depth === 0) this.skipped = undefined;
      return;
    }
    const unopened = this.unopened.get(tag) ?? 0;
    if (unopened > 0) this.unopened.set(tag, unopened - 1);
    else if (inlineNames.has(replacements.get(tag) ?? tag)) this.inlines.close(tag);
    else this.closeBlock(tag);
  }

  private openFrame(raw: RawAttributes): void {
    const replacement = frame(raw);
    if (!replacement || !this.makeRoomFor('iframe', 'iframe')) return;
    this.block().children.push(replacement);
  }

  private openInlineLeaf(name: string, raw: RawAttributes): void {
    if (name === 'input' && (raw.get('type')?.toLowerCase() !== 'checkbox' || !this.isWithin('li'))) return;
    const attributes = cleanAttributes(name, raw);
    if (name === 'img' && attributes.src === undefined) return;
    if (name === 'br' && impliedChild(this.block(), '#text') !== undefined) return;
    this.beginLine();
    this.parent().children.push(element(name, attributes));
  }

  private openInline(name: string, tag: string, raw: RawAttributes): void {
    if (name === 'a') this.inlines.close('a');
    if (this.isFull()) {
      this.leaveOut(tag);
      return;
    }
    this.beginLine();
    const opened = element(name, cleanAttributes(name, raw), [], tag);
    this.parent().children.push(opened);
    this.inlines.open(opened, this.blocks.length);
  }

  private openBlock(name: string, tag: string, raw: RawAttributes): void {
    const placed = this.makeRoomFor(name, tag);
    if (!placed) return;
    const attributes = cleanAttributes(placed, raw);
    if (tag === 'center') addClass(attributes, 'align-center');
    const opened = element(placed, attributes, [], tag);
    const block = this.block();
    if (placed === 'caption' && block.children.some((child) => isElement(child, 'caption'))) return;
    if (placed === 'caption') block.children.unshift(opened);
    else block.children.push(opened);
    if (placed !== 'hr') this.blocks.push(opened);
    this.isPreJustOpened = placed === 'pre';
  }

  /**
   * Closes what the block ends, and opens what it needs around it. Returns the block's name there; undefined to leave it
   * out.
   */
  private makeRoomFor(name: string, tag: string): string | undefined {
    const headingElsewhere = headingNames.has(name) && this.isWithin('dt', 'th', 'address', 'summary', 'caption');
    const grouping = name === 'div' && this.block().name === 'dl';
    if (this.isFull() || headingElsewhere || grouping || (name === 'address' && this.isWithin('address'))) {
      this.leaveOut(tag);
      return undefined;
    }
    while (lineNames.has(this.block().name)) {
      const line = this.block().name;
      if (line === 'summary' || (line !== 'p' && wrapperNames.has(name))) {
        this.leaveOut(tag);
        // Some editors write each line of preformatted text as a block.
        if (line === 'pre' && this.block().children.length > 0) this.append('\n');
        return undefined;
      }
      this.closeBlocks(this.blocks.length - 1, true);
    }
    const placed = this.place(name);
    this.inlines.interrupt();
    this.openImpliedFor(placed);
    return placed;
  }

  /** Closes previous items or cells, and opens a missing list. Returns the name, or `div` if it is not allowed here. */
  private place(name: string): string {
    if (name === 'li' || name === 'dt' || name === 'dd') {
      this.endItem(name);
      const lists = name === 'li' ? ['ul', 'ol'] : ['dl'];
      if (!lists.includes(this.block().name)) this.openAround(lists[0]!);
      return name;
    }
    if (name === 'figcaption') return this.block().name === 'figure' ? name : 'div';
    if (name === 'summary') {
      const block = this.block();
      // Looks for elements first, so that long white space before a summary is not read again for each further summary.
      const isEmpty = !block.children.some((child) => isElement(child)) && block.children.every(isBlank);
      return block.name === 'details' && isEmpty ? name : 'div';
    }
    const parts = partsToKeep(name);
    if (!parts) return name;
    const table = this.blocks.findLastIndex((block) => block.name === 'table');
    if (table < 0) return 'div';
    let keptCount = table + 1;
    for (const names of parts) if (names.includes(this.blocks[keptCount]?.name ?? '')) keptCount++;
    this.closeBlocks(keptCount);
    return name;
  }

  private endItem(name: string): void {
    const names = name === 'li' ? ['li'] : ['dt', 'dd'];
    for (let index = this.blocks.length - 1; index > 0; index--) {
      const open = this.blocks[index]!.name;
      if (names.includes(open)) this.closeBlocks(index);
      if (open !== 'p' && open !== 'div' && open !== 'address') return;
    }
  }

  private openAround(list: string): void {
    this.openImpliedFor(list);
    this.openImplied(list, list);
  }

  /** Opens the elements that the child needs around it. */
  private openImpliedFor(child: string): void {
    for (let name = impliedChild(this.block(), child); name; name = impliedChild(this.block(), child)) {
      this.openImplied(name, child);
    }
  }

  private openImplied(name: string, inside: string): void {
    this.inlines.interrupt();
    const block = this.block();
    const last = block.children.at(-1);
    // A list directly inside a list belongs to the item before it.
    const isReopened = (inside === 'ul' || inside === 'ol') && isElement(last, 'li') && name === 'li';
    const opened = isReopened ? last : element(name);
    if (!isReopened) block.children.push(opened);
    this.blocks.push(opened);
  }

  private closeBlock(tag: string): void {
    const name = replacements.get(tag) ?? tag;
    for (let index = this.blocks.length - 1; index > 0; index--) {
      const block = this.blocks[index]!;
      if (block.tag === tag) this.closeBlocks(index);
      if (block.tag === tag || isBarrier(block.name, name)) return;
    }
  }

  /** Closes the blocks from `index` on. With `continues`, inline elements that are open in them continue in the next line. */
  private closeBlocks(index: number, continues = false): void {
    this.inlines.interrupt();
    this.blocks.length = index;
    this.inlines.leaveBlocks(index, continues);
  }

  private beginLine(): void {
    this.openImpliedFor('#text');
    this.inlines.resume(this.block());
  }

  private append(text: string): void {
    const { children } = this.parent();
    const last = children.at(-1);
    if (last && 'text' in last) last.text += text;
    else children.push({ text });
  }

  private leaveOut(tag: string): void {
    this.unopened.set(tag, (this.unopened.get(tag) ?? 0) + 1);
  }

  private isFull(): boolean {
    return this.blocks.length + this.inlines.depth > MAX_DEPTH;
  }

  private isWithin(...names: string[]): boolean {
    return this.blocks.some(({ name }) => names.includes(name));
  }

  private block(): Element {
    return this.blocks.at(-1)!;
  }

  private parent(): Element {
    return this.inlines.innermost ?? this.block();
  }
}
