import { Text } from '@mantine/core';
import { ScreenTitle } from '../../parts/screen-title.tsx';
import { SectionTabs } from '../../parts/section-tabs.tsx';
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
  return (
    <div className={classes.screen}>
      <ScreenTitle mb="xs">{words.title}</ScreenTitle>
      <Text mb="lg">{words.text[kind]}</Text>
      <SectionTabs label={words.kinds} sections={sections} current={kind === 'pages' ? '/trash' : '/trash/images'} />
      {kind === 'pages' ? <PagesTrash /> : <ImagesTrash />}
    </div>
  );
}
