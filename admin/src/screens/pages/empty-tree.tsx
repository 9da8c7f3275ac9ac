import { Button, Group } from '@mantine/core';
import { FilePlus } from 'lucide-react';
import { CustomersEntry } from '../../parts/customers-entry.tsx';
import { Empty } from '../../parts/empty.tsx';
import { strings } from '../../strings.ts';
import { ImportPagesButton } from './import-pages-button.tsx';

const words = strings.pages;

export function EmptyTree({ onCreate }: { onCreate: (() => void) | undefined }) {
  return (
    <>
      <Empty icon={FilePlus} title={words.emptyTitle} text={words.emptyText}>
        {onCreate && (
          <Group gap="sm" justify="center">
            <Button onClick={onCreate}>{words.emptyAction}</Button>
            <ImportPagesButton />
          </Group>
        )}
      </Empty>
      <CustomersEntry />
    </>
  );
}
