import { Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import { useTitle } from '../../parts/use-title.ts';
import { strings } from '../../strings.ts';
import { ImagesTrash } from './images-trash.tsx';
import { PagesTrash } from './pages-trash.tsx';
import classes from './trash.module.css';

const words = strings.trash;

/** Lists the pages or images that were deleted in the last 30 days. */
export default function TrashScreen({ kind }: { kind: 'pages' | 'images' }) {
  useTitle(words.title);
  return (
    <div className={classes.screen}>
      <Title order={1} mb="xs">
        {words.title}
      </Title>
      <Text mb="md">{words.text[kind]}</Text>
      <nav className={classes.kinds} aria-label={words.kinds}>
        <Kind href="/trash" label={words.pages} isCurrent={kind === 'pages'} />
        <Kind href="/trash/images" label={words.images} isCurrent={kind === 'images'} />
      </nav>
      {kind === 'pages' ? <PagesTrash /> : <ImagesTrash />}
    </div>
  );
}

function Kind({ href, label, isCurrent }: { href: string; label: string; isCurrent: boolean }) {
  return (
    <Link href={href} className={classes.kind} aria-current={isCurrent ? 'page' : undefined}>
      {label}
    </Link>
  );
}
