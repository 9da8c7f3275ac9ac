import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { ScreenTitle } from '../../parts/screen-title.tsx';
import { SectionTabs } from '../../parts/section-tabs.tsx';
import classes from './brand.module.css';
import { sectionWords } from './words.ts';

const sections = [
  ['/brand', sectionWords.brand],
  ['/brand/messages', sectionWords.messages],
  ['/brand/address', sectionWords.address],
] as const;

interface BrandFrameProps {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

/** The frame of each section of the brand: the links to the sections, the title and an introduction. */
export function BrandFrame({ title, text, children }: BrandFrameProps) {
  const [location] = useLocation();
  return (
    <div className={classes.screen}>
      <SectionTabs label={sectionWords.label} sections={sections} current={location} />
      <ScreenTitle mb="md">{title}</ScreenTitle>
      <Text mb="lg" className={classes.text}>
        {text}
      </Text>
      {children}
    </div>
  );
}
