import { Checkbox, Text } from '@mantine/core';
import { Shredder } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../parts/icon-button.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import type { Selection } from '../../parts/use-selection.ts';
import { strings } from '../../strings.ts';
import { formatTime } from '../../times.ts';
import classes from './trash.module.css';

const words = strings.trash;
const DAY_MS = 86_400_000;

interface TrashItemProps {
  readonly name: string;
  /** The file name of the thumbnail of an image. */
  readonly thumbnail?: string;
  /** Further details, such as the former place. */
  readonly notes: readonly string[];
  readonly deletedAt: number;
  readonly deletedBy: string | null;
  readonly expiresAt: number;
  readonly mayChange: boolean;
  readonly selection: Selection;
  readonly onRestore: () => void;
  readonly onDiscard: () => void;
  /** The content below the item. */
  readonly children?: ReactNode;
}

/** An item in the trash: its name, when and by whom it was deleted, and its actions. */
export function TrashItem({ name, thumbnail, notes, deletedAt, deletedBy, expiresAt, ...props }: TrashItemProps) {
  const daysLeft = Math.max(1, Math.ceil((expiresAt - Date.now()) / DAY_MS));
  return (
    <li className={classes.item} data-image={thumbnail !== undefined || undefined}>
      {thumbnail !== undefined && <img className={classes.thumbnail} src={thumbnail} alt="" loading="lazy" />}
      <div>
        {props.mayChange ? (
          <Checkbox label={<Text fw={600}>{name}</Text>} aria-label={words.select(name)} {...props.selection} />
        ) : (
          <Text fw={600}>{name}</Text>
        )}
        <Text size="sm" c="dimmed">
          {[...notes, words.deleted(formatTime(deletedAt), deletedBy), words.daysLeft(daysLeft)].join(' · ')}
        </Text>
      </div>
      {props.mayChange && (
        <div className={classes.actions}>
          <SmallButton aria-label={words.restoreOf(name)} onClick={props.onRestore}>
            {words.restore}
          </SmallButton>
          <IconButton label={words.discardOf(name)} onClick={props.onDiscard}>
            <Shredder size={18} aria-hidden />
          </IconButton>
        </div>
      )}
      {props.children}
    </li>
  );
}
