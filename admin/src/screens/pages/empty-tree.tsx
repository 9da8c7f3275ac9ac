import { Button } from '@mantine/core';
import { FilePlus } from 'lucide-react';
import { Empty } from '../../parts/empty.tsx';
import { strings } from '../../strings.ts';

const words = strings.pages;

export function EmptyTree({ onCreate }: { onCreate: (() => void) | undefined }) {
  return (
    <Empty icon={FilePlus} title={words.emptyTitle} text={words.emptyText}>
      {onCreate && <Button onClick={onCreate}>{words.emptyAction}</Button>}
    </Empty>
  );
}
