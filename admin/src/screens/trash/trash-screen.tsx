import { Text, Title } from '@mantine/core';
import { SectionTabs } from '../../parts/section-tabs.tsx';
import { useTitle } from '../../parts/use-title.ts';
import { strings } from '../../strings.ts';
import { ImagesTrash } from './images-trash.tsx';
import { PagesTrash } from './pages-trash.tsx';
import classes from './trash.module.css';

const words = strings.trash;

const sections = [
  ['/trash', words.pages],
  ['/trash/images', words.images],
] as const;

/** Lists the pages or images that were deleted in the last 30 days. */
export default function TrashScreen({ kind }: { kind: 'pages' | 'images' }) {
  useTitle(words.title);
  return (
    <div className={classes.screen}>
      <Title order={1} mb="xs">
        {words.title}
      </Title>
      <Text mb="lg">{words.text[kind]}</Text>
      <SectionTabs label={words.kinds} sections={sections} current={kind === 'pages' ? '/trash' : '/trash/images'} />
      {kind === 'pages' ? <PagesTrash /> : <ImagesTrash />}
    </div>
  );
}
