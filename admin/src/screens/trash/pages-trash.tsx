import { Anchor, Group, Text } from '@mantine/core';
import { FileText } from 'lucide-react';
import { Link, useSearchParams } from 'wouter';
import { discardPage, emptyPageTrash, severalPages, useDeletions, useFoundDeletions } from '../../data/trash.ts';
import { SearchField } from '../../parts/search-field.tsx';
import { useMay } from '../../session.ts';
import { strings } from '../../strings.ts';
import { useSearch } from '../../use-search.ts';
import { Deletion } from './deletion.tsx';
import { TrashList } from './trash-list.tsx';

const words = strings.trash;

/** Lists the pages in the trash. With `?page=ID`, shows only the deletion that contains this page. */
export function PagesTrash() {
  const [params] = useSearchParams();
  const page = Number(params.get('page')) || undefined;
  const { wanted, ...search } = useSearch('/trash');
  const isSearch = wanted !== '';
  const query = useDeletions(page);
  const found = useFoundDeletions(wanted);
  const mayChange = useMay('administer_pages');
  const pages = query.data?.pages;
  const [first] = pages ?? [];
  const items = isSearch ? found.data?.deletions : pages?.flatMap(({ deletions }) => deletions);
  const latest = items?.[0];
  return (
    <>
      {page === undefined ? (
        <Group mb="md">
          <SearchField label={words.search.pages} {...search} />
        </Group>
      ) : (
        <Text mb="md">
          {items?.length === 0 && `${words.notThere} `}
          <Anchor component={Link} href="/trash">
            {words.showAll}
          </Anchor>
        </Text>
      )}
      <TrashList
        query={isSearch ? found : query}
        more={isSearch ? undefined : query}
        items={items}
        order={isSearch ? words.found(items?.length ?? 0, found.data?.hasMore ?? false) : words.order}
        icon={FileText}
        empty={isSearch ? { title: words.nothingFound, text: words.noPageFound(wanted) } : emptyOf(page)}
        mayChange={mayChange}
        emptying={
          page === undefined && !isSearch && first && latest
            ? { text: words.emptyPagesText(first.total, first.isTotalExact), run: () => emptyPageTrash(latest.undo) }
            : undefined
        }
        several={{
          text: (chosen) => words.discardPages(chosen.reduce((sum, { pages: count }) => sum + count, 0)),
          all: severalPages,
        }}
        discarding={{ text: (one) => words.discardPage(one.name, one.pages), run: discardPage }}
      >
        {(deletion, props) => <Deletion key={deletion.id} deletion={deletion} mayChange={mayChange} {...props} />}
      </TrashList>
    </>
  );
}

function emptyOf(page: number | undefined) {
  return page === undefined ? { title: words.emptyPages, text: words.emptyText } : undefined;
}
