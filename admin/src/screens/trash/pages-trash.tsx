import { Anchor, Text } from '@mantine/core';
import { FileText } from 'lucide-react';
import { Link, useSearchParams } from 'wouter';
import { discardPage, discardPages, emptyPageTrash, restorePages, useDeletions } from '../../data/trash.ts';
import { useMay } from '../../session.ts';
import { strings } from '../../strings.ts';
import { Deletion } from './deletion.tsx';
import { TrashList } from './trash-list.tsx';

const words = strings.trash;

/** The pages in the trash. With `?page=ID` it shows only the deletion that has this page. */
export function PagesTrash() {
  const [search] = useSearchParams();
  const page = Number(search.get('page')) || undefined;
  const query = useDeletions(page);
  const mayChange = useMay('administer_pages');
  const pages = query.data?.pages;
  const [first] = pages ?? [];
  const items = pages?.flatMap(({ deletions }) => deletions);
  const latest = items?.[0];
  return (
    <>
      {page !== undefined && (
        <Text mb="md">
          {items?.length === 0 && `${words.notThere} `}
          <Anchor component={Link} href="/trash">
            {words.showAll}
          </Anchor>
        </Text>
      )}
      <TrashList
        query={query}
        items={items}
        icon={FileText}
        empty={page === undefined ? words.emptyPages : undefined}
        mayChange={mayChange}
        emptying={
          page === undefined && first && latest
            ? { text: words.emptyPagesText(first.total, first.isTotalExact), run: () => emptyPageTrash(latest.undo) }
            : undefined
        }
        several={{
          text: (chosen) => words.discardPages(chosen.reduce((sum, { pages: count }) => sum + count, 0)),
          restore: restorePages,
          discard: discardPages,
        }}
        discarding={{ text: (one) => words.discardPage(one.name, one.pages), run: discardPage }}
      >
        {(deletion, props) => <Deletion key={deletion.id} deletion={deletion} mayChange={mayChange} {...props} />}
      </TrashList>
    </>
  );
}
