import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useRef } from 'react';
import type { DeletedChildrenJson, DeletionJson } from '../../contract.ts';
import { restorePage, useDeletedChildren } from '../../data/trash.ts';
import { MoreButton } from '../../parts/more-button.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import { strings } from '../../strings.ts';
import classes from './trash.module.css';

const words = strings.trash;

interface DeletedChildrenProps {
  readonly id: number;
  readonly name: string;
  readonly mayChange: boolean;
}

/** Lists the pages that were deleted with a page. Each can be restored alone. */
export function DeletedChildren({ id, name, mayChange }: DeletedChildrenProps) {
  const query = useDeletedChildren(id);
  const list = useRef<HTMLUListElement>(null);
  const pages = query.data?.pages.flatMap((part) => part.pages);
  return (
    <>
      <QueryState query={query} h={40} />
      <ul ref={list} className={classes.children} aria-label={words.belowOf(name)}>
        {pages?.map((page) => (
          <Child key={page.id} page={page} mayChange={mayChange} />
        ))}
      </ul>
      <MoreButton label={words.more} list={list} count={pages?.length ?? 0} query={query} />
    </>
  );
}

/** Lists the pages that a search found below a deleted page. */
export function FoundChildren({ name, found, mayChange }: Omit<DeletedChildrenProps, 'id'> & { found: Found }) {
  return (
    <ul className={classes.children} aria-label={words.foundBelow(name)}>
      {found.map((page) => (
        <Child key={page.id} page={{ ...page, hasChildren: false }} mayChange={mayChange} />
      ))}
    </ul>
  );
}

type Found = NonNullable<DeletionJson['found']>;
type ShownChild = Omit<DeletedChildrenJson['pages'][number], 'position'>;

function Child({ page, mayChange }: { page: ShownChild; mayChange: boolean }) {
  const { id, name, hasChildren } = page;
  const [isOpen, { toggle }] = useDisclosure();
  return (
    <li>
      <div className={classes.child}>
        {hasChildren && (
          <ActionIcon aria-label={words.belowOf(name)} aria-expanded={isOpen} onClick={toggle}>
            {isOpen ? <ChevronDown size={16} aria-hidden /> : <ChevronRight size={16} aria-hidden />}
          </ActionIcon>
        )}
        <span>{name}</span>
        {mayChange && (
          <SmallButton aria-label={words.restoreAlone(name)} onClick={() => restorePage(page, undefined)}>
            {words.restore}
          </SmallButton>
        )}
      </div>
      {isOpen && hasChildren && <DeletedChildren id={id} name={name} mayChange={mayChange} />}
    </li>
  );
}
