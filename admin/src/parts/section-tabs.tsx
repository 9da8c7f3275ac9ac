import { Link } from 'wouter';
import classes from './section-tabs.module.css';

interface SectionTabsProps {
  /** The accessible name of the navigation. */
  readonly label: string;
  readonly sections: ReadonlyArray<readonly [href: string, label: string]>;
  /** The address of the current section. */
  readonly current: string;
}

/** Links to the sections of a screen, which have addresses of their own. */
export function SectionTabs({ label, sections, current }: SectionTabsProps) {
  return (
    <nav className={classes.sections} aria-label={label}>
      {sections.map(([href, name]) => (
        <Link key={href} href={href} className={classes.section} aria-current={href === current ? 'page' : undefined}>
          {name}
        </Link>
      ))}
    </nav>
  );
}
