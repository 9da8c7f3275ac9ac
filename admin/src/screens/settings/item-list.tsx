import { Group, Paper, Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import classes from './settings.module.css';

interface ItemListProps<T> {
  readonly query: { readonly error: unknown; readonly refetch: () => unknown };
  /** The items; undefined until they are loaded. */
  readonly items: readonly T[] | undefined;
  readonly empty?: string;
  /** True if the list is inside a section, and so has no frame of its own. */
  readonly isInside?: boolean;
  readonly children: (item: T) => ReactNode;
}

/** A list from the service: a skeleton while it loads, its items, or the error or text that explains why there are none. */
export function ItemList<T>({ query, items, empty, isInside = false, children }: ItemListProps<T>) {
  const list = <ul className={isInside ? classes.bareList : classes.list}>{items?.map(children)}</ul>;
  return (
    <>
      {!items && !query.error && !isInside && <Skeleton h={132} radius="md" opacity={0.4} />}
      {query.error && <ErrorNotice error={query.error} onRetry={query.refetch} />}
      {items?.length === 0 && empty && <Text c="dimmed">{empty}</Text>}
      {items && items.length > 0 && (isInside ? list : <Paper>{list}</Paper>)}
    </>
  );
}

interface ItemProps {
  readonly name: string;
  readonly badge?: ReactNode;
  readonly details?: ReactNode;
  /** The content below the details. */
  readonly more?: ReactNode;
  /** The actions of the item. */
  readonly children?: ReactNode;
}

export function Item({ name, badge, details, more, children }: ItemProps) {
  return (
    <li className={classes.item} data-top={more !== undefined || undefined}>
      <div className={classes.grow}>
        <Group gap="xs">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          {badge}
        </Group>
        {details && (
          <Text size="sm" c="dimmed">
            {details}
          </Text>
        )}
        {more}
      </div>
      {children}
    </li>
  );
}
