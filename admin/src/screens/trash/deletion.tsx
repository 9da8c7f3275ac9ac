import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ChevronDown, ChevronRight } from 'lucide-react';
import type { DeletionJson } from '../../contract.ts';
import { restorePage } from '../../data/trash.ts';
import type { Selection } from '../../parts/use-selection.ts';
import { strings } from '../../strings.ts';
import { DeletedChildren, FoundChildren } from './deleted-children.tsx';
import classes from './trash.module.css';
import { TrashItem } from './trash-item.tsx';

const words = strings.trash;

interface DeletionProps {
  readonly deletion: DeletionJson;
  readonly mayChange: boolean;
  readonly discard: () => void;
  readonly selection: Selection;
}

/** Shows a page in the trash, with the pages below it. */
export function Deletion({ deletion, mayChange, discard, selection }: DeletionProps) {
  const { name, pages, parent, deletedAt, deletedBy, expiresAt, found = [] } = deletion;
  const [isOpen, { toggle }] = useDisclosure();
  return (
    <TrashItem
      name={name}
      deletedAt={deletedAt}
      deletedBy={deletedBy}
      expiresAt={expiresAt}
      mayChange={mayChange}
      selection={selection}
      notes={[words.from(parent)]}
      onRestore={() => restorePage(deletion, deletion)}
      onDiscard={discard}
    >
      {pages > 1 && (
        <div className={classes.below}>
          {found.length > 0 && <FoundChildren name={name} found={found} mayChange={mayChange} />}
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={isOpen ? <ChevronDown size={16} aria-hidden /> : <ChevronRight size={16} aria-hidden />}
            aria-expanded={isOpen}
            onClick={toggle}
          >
            {words.below(pages - 1)}
          </Button>
          {isOpen && <DeletedChildren id={deletion.id} name={name} mayChange={mayChange} />}
        </div>
      )}
    </TrashItem>
  );
}
