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
  /** The query that loads more of the list; undefined if there is nothing more to load. */
  readonly more: Parameters<typeof MoreButton>[0]['query'] | undefined;
  /** A sentence about the number and the order of the items. */
  readonly order: string;
  /** The items; undefined until they are loaded. */
  readonly items: readonly T[] | undefined;
  readonly icon: LucideIcon;
  /** The texts for an empty list; undefined to render nothing then. */
  readonly empty: { readonly title: string; readonly text: string } | undefined;
  readonly mayChange: boolean;
  /** Deletes all items for good. Undefined if that is not offered. */
  readonly emptying: Pick<Discarding, 'text' | 'run'> | undefined;
  /** Deletes one item for good. */
  readonly discarding: { readonly text: (item: T) => string; readonly run: (item: T) => void };
  /** The question before several items are deleted for good, and the functions that change several items. */
  readonly several: { readonly text: (items: readonly T[]) => string; readonly all: Several<T> };
  readonly children: (item: T, props: { discard: () => void; selection: Selection }) => ReactNode;
}

/** Lists items in the trash, and asks before an item is deleted for good. */
export function TrashList<T extends { readonly id: number }>(list: TrashListProps<T>) {
  const { query, more, items, emptying, discarding, several, mayChange, ...props } = list;
  const place = useRef<HTMLUListElement>(null);
  const { chosen, choose, chooseAll, selectionOf } = useSelection(items);
  const isKnown = useIsKnown();
  const [question, setQuestion] = useState<Discarding>();
  const discard = (item: T) =>
    setQuestion({
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
                    setQuestion({
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
                onClick={() => setQuestion({ ...emptying, title: words.emptyTitle, confirm: words.empty })}
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
      <DiscardDialog discarding={question} onClose={() => setQuestion(undefined)} />
    </>
  );
}
