import type { Element } from './node.ts';

/* Which element must stand between a parent and a child, in lists and tables. */

interface Rule {
  takes: readonly string[];
  implied: string;
}

const rows: Rule = { takes: ['tr'], implied: 'tr' };
const items: Rule = { takes: ['li'], implied: 'li' };

const rules: ReadonlyMap<string, Rule> = new Map([
  ['ul', items],
  ['ol', items],
  ['dl', { takes: ['dt', 'dd'], implied: 'dd' }],
  ['table', { takes: ['caption', 'thead', 'tbody', 'tfoot'], implied: 'tbody' }],
  ['thead', rows],
  ['tbody', rows],
  ['tfoot', rows],
  ['tr', { takes: ['td', 'th'], implied: 'td' }],
]);

/** Returns the element that has to be opened in the parent before it can hold the child; undefined if none. */
export function impliedChild(parent: Element, child: string): string | undefined {
  const rule = rules.get(parent.name);
  return rule && !rule.takes.includes(child) ? rule.implied : undefined;
}

const sections = ['thead', 'tbody', 'tfoot'];

/**
 * Returns the open parts of a table, from the outside, that such a part belongs in; undefined if it is not part of a
 * table.
 */
export function partsToKeep(name: string): readonly (readonly string[])[] | undefined {
  switch (name) {
    case 'caption':
    case 'thead':
    case 'tbody':
    case 'tfoot':
      return [];
    case 'tr':
      return [sections];
    case 'td':
    case 'th':
      return [sections, ['tr']];
    default:
      return undefined;
  }
}

const tableParts = new Set(['caption', 'tr', 'td', 'th', ...sections]);

/** The end tag of such an element closes nothing outside of that block. */
export function isBarrier(block: string, name: string): boolean {
  if (block === 'table') return true;
  if (block === 'td' || block === 'th' || block === 'caption') return name !== 'table' && !tableParts.has(name);
  if (name === 'li') return block === 'ul' || block === 'ol';
  return (name === 'dt' || name === 'dd') && block === 'dl';
}
