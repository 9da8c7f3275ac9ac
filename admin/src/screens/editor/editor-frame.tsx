import { Anchor, Group } from '@mantine/core';
import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { PageJson } from '../../contract.ts';
import { usePublishedHeight } from '../../parts/use-published-height.ts';
import { strings } from '../../strings.ts';
import classes from './editor.module.css';

const words = strings.editor;

interface EditorFrameProps {
  readonly ancestors: PageJson['ancestors'];
  readonly name: ReactNode;
  readonly tools: ReactNode;
  /** Shows the draft's state and the publish button. Stays in view while the text is scrolled. */
  readonly bar: ReactNode;
  /** Stays in view below the bar. */
  readonly pinned?: ReactNode;
  readonly children: ReactNode;
}

/** The layout of the editor's screen, with breadcrumbs, name and actions above the text. */
export function EditorFrame({ ancestors, name, tools, bar, pinned, children }: EditorFrameProps) {
  const place = usePublishedHeight('--app-draft-bar');
  return (
    <div className={classes.screen} data-editor>
      <nav aria-label={words.breadcrumbs} className={classes.crumbs}>
        <Anchor component={Link} href="/pages" size="sm">
          {strings.frame.pages}
        </Anchor>
        {ancestors.map((page) => (
          <span key={page.id}>
            <ChevronRight size={14} aria-hidden />
            <Anchor component={Link} href={`/pages/${page.id}`} size="sm">
              {page.name}
            </Anchor>
          </span>
        ))}
      </nav>
      <div className={classes.head}>
        <h1 className={classes.heading}>
          <span className="visually-hidden">{words.editing}</span>
          {name}
        </h1>
        <Group gap={6}>{tools}</Group>
      </div>
      <div ref={place} className={classes.draftBar}>
        <div className={classes.draftRow}>{bar}</div>
        {pinned}
      </div>
      {children}
    </div>
  );
}
