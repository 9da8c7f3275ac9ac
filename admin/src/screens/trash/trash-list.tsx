import { Button, Group, Paper, Skeleton, Text } from '@mantine/core';
import { type LucideIcon, Shredder } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { discardSeveral, restoreSeveral, type Several } from '../../data/trash-several.ts';
import { Empty } from '../../parts/empty.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import lists from '../../parts/list.module.css';
import { MoreButton } from '../../parts/more-button.tsx';
import { SelectionBar } from '../../parts/selection-bar.tsx';
import { type Selection, useSelection } from '../../parts/use-selection.ts';
import { useIsKnown } from '../../session.ts';
import { strings } from '../../strings.ts';
import { DiscardDialog, type Discarding } from './discard-dialog.tsx';

const words = strings.trash;

interface TrashListProps<T extends { readonly id: number }> {
  readonly query: { readonly error: unknown; readonly refetch: () => unknown };
  /** Loads more of the list; undefined if there is no more. */
  readonly more: Parameters<typeof MoreButton>[0]['query'] | undefined;
  /** A sentence about how many things are listed, and in which order. */
  readonly order: string;
  /** Undefined until they have been loaded. */
  readonly items: readonly T[] | undefined;
  readonly icon: LucideIcon;
  /** Said where there is nothing; undefined to show nothing then. */
  readonly empty: { readonly title: string; readonly text: string } | undefined;
  readonly mayChange: boolean;
  /** Deletes everything for good. */
  readonly emptying: Pick<Discarding, 'text' | 'run'> | undefined;
  /** Deletes one thing for good. */
  readonly discarding: { readonly text: (item: T) => string; readonly run: (item: T) => void };
  /** The question before several things are deleted for good, and the functions that change them. */
  readonly several: { readonly text: (items: readonly T[]) => string; readonly all: Several<T> };
  readonly children: (item: T, props: { discard: () => void; selection: Selection }) => ReactNode;
}

/** A list of what is in the trash, with the question before something is deleted for good. */
export function TrashList<T extends { readonly id: number }>(list: TrashListProps<T>) {
  const { query, more, items, emptying, discarding, several, mayChange, ...props } = list;
  const place = useRef<HTMLUListElement>(null);
  const { chosen, choose, chooseAll, selectionOf } = useSelection(items);
  const isKnown = useIsKnown();
  const [asked, ask] = useState<Discarding>();
  const discard = (item: T) =>
    ask({
      title: words.discardTitle,
      text: discarding.text(item),
      confirm: words.discard,
      run: () => discarding.run(item),
    });
  return (
    <>
      {!items && !query.error && <Skeleton h={132} radius="md" opacity={0.4} />}
      {query.error && <ErrorNotice error={query.error} onRetry={query.refetch} />}
      {items?.length === 0 && props.empty && <Empty icon={props.icon} {...props.empty} />}
      {items && items.length > 0 && (
        <section aria-label={words.list}>
          <Group justify="space-between" mb="sm" mih={36}>
            <Text size="sm" c="dimmed" role="status">
              {isKnown && !mayChange ? words.viewOnly : props.order}
            </Text>
            {mayChange && chosen.length > 0 && (
              <SelectionBar
                count={chosen.length}
                onAll={chosen.length < items.length ? chooseAll : undefined}
                onClear={() => choose([])}
              >
                <Button variant="default" onClick={() => restoreSeveral(chosen, several.all)}>
                  {words.restore}
                </Button>
                <Button
                  variant="default"
                  leftSection={<Shredder size={16} aria-hidden />}
                  onClick={() =>
                    ask({
                      title: words.discardTitle,
                      text: several.text(chosen),
                      confirm: words.discard,
                      run: () => discardSeveral(chosen, several.all),
                    })
                  }
                >
                  {words.discard}
                </Button>
              </SelectionBar>
            )}
            {mayChange && chosen.length === 0 && emptying && (
              <Button
                variant="default"
                leftSection={<Shredder size={16} aria-hidden />}
                onClick={() => ask({ ...emptying, title: words.emptyTitle, confirm: words.empty })}
              >
                {words.empty}
              </Button>
            )}
          </Group>
          <Paper>
            <ul ref={place} className={lists.list}>
              {items.map((item) =>
                props.children(item, { discard: () => discard(item), selection: selectionOf(item) }),
              )}
            </ul>
          </Paper>
          {more && <MoreButton label={words.more} list={place} count={items.length} query={more} />}
        </section>
      )}
      <DiscardDialog asked={asked} onClose={() => ask(undefined)} />
    </>
  );
}
