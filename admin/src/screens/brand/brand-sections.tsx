import { useLocation } from 'wouter';
import { SectionTabs } from '../../parts/section-tabs.tsx';
import { sectionWords as words } from './words.ts';

const sections = [
  ['/brand', words.look],
  ['/brand/messages', words.messages],
  ['/brand/address', words.address],
] as const;

/** Leads to the parts of the brand. */
export function BrandSections() {
  const [location] = useLocation();
  return <SectionTabs label={words.label} sections={sections} current={location} />;
}
