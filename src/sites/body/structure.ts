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

/** Returns the element that must be opened in the parent before it can hold the child; undefined if none. */
export function impliedChild(parent: Element, child: string): string | undefined {
  const rule = rules.get(parent.name);
  return rule && !rule.takes.includes(child) ? rule.implied : undefined;
}

const sections = ['thead', 'tbody', 'tfoot'];

/**
 * Returns, from the outside, the alternatives for the open parts of a table in which the named part belongs; undefined if
 * the name is not a part of a table.
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

/** True if an end tag with this name, inside of the block, closes nothing outside of the block. */
export function isBarrier(block: string, name: string): boolean {
  if (block === 'table') return true;
  if (block === 'td' || block === 'th' || block === 'caption') return name !== 'table' && !tableParts.has(name);
  if (name === 'li') return block === 'ul' || block === 'ol';
  return (name === 'dt' || name === 'dd') && block === 'dl';
}
