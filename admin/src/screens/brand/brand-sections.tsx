import { Link, useLocation } from 'wouter';
import classes from './brand.module.css';
import { sectionWords } from './words.ts';

const sections = [
  ['/brand', sectionWords.look],
  ['/brand/messages', sectionWords.messages],
  ['/brand/address', sectionWords.address],
] as const;

/** Leads to the parts of the brand. */
export function BrandSections() {
  const [location] = useLocation();
  return (
    <nav className={classes.sections} aria-label={sectionWords.label}>
      {sections.map(([href, label]) => (
        <Link key={href} href={href} className={classes.section} aria-current={location === href ? 'page' : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
