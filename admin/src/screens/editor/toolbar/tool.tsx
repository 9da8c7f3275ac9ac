import {
  Bold,
  Code,
  CodeXml,
  FoldHorizontal,
  FoldVertical,
  Grid2x2X,
  Heading2,
  Heading3,
  Image,
  Italic,
  Link,
  List,
  ListOrdered,
  ListTodo,
  type LucideIcon,
  Minus,
  Quote,
  Redo2,
  SquarePlay,
  Strikethrough,
  Table,
  TableColumnsSplit,
  TableRowsSplit,
  Undo2,
} from 'lucide-react';
import { strings } from '../../../strings.ts';
import type { ToolItem } from './toolbar.tsx';

const words = { ...strings.editor, undo: strings.undo };

/** The icon of each tool, and the letter of its shortcut with Ctrl or ⌘. */
const tools = {
  bold: [Bold, 'B'],
  italic: [Italic, 'I'],
  strike: [Strikethrough],
  code: [Code, 'E'],
  heading2: [Heading2],
  heading3: [Heading3],
  list: [List],
  numbers: [ListOrdered],
  tasks: [ListTodo],
  quote: [Quote],
  codeBlock: [CodeXml],
  link: [Link, 'K'],
  image: [Image],
  embed: [SquarePlay],
  table: [Table],
  addRow: [TableRowsSplit],
  addColumn: [TableColumnsSplit],
  removeRow: [FoldVertical],
  removeColumn: [FoldHorizontal],
  removeTable: [Grid2x2X],
  rule: [Minus],
  undo: [Undo2, 'Z'],
  redo: [Redo2],
} as const satisfies Record<string, readonly [icon: LucideIcon, letter?: string]>;

export type ToolName = keyof typeof tools;

/** Returns a toolbar button. Both editors share these. */
export function tool(name: ToolName, run: () => void, state?: Pick<ToolItem, 'isOn' | 'isDisabled'>): ToolItem {
  const [Icon, letter]: readonly [LucideIcon, string?] = tools[name];
  return { label: words[name], ...(letter && { keys: words.ctrl(letter) }), icon: <Icon size={17} />, run, ...state };
}
