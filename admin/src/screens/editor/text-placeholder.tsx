import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { filledLater } from '../../before-app/filled-later.ts';
import type { BodyFormat } from '../../contract.ts';
import { showText } from '../../parts/show-text.ts';
import classes from './editor.module.css';

interface TextPlaceholderProps {
  /** Without a text, the script in the page fills it in: see src/before-app. */
  readonly text?: { readonly body: string; readonly format: BodyFormat | '' };
  /** Shown until there is a text. */
  readonly children?: ReactNode;
}

/** Shows the text read-only, in its future place, until the editor has loaded. */
export function TextPlaceholder({ text, children }: TextPlaceholderProps) {
  const place = useRef<HTMLDivElement>(null);
  const { body, format } = text ?? {};
  useLayoutEffect(() => {
    if (body !== undefined) showText(place.current!, body, format!);
  }, [body, format]);
  return (
    <div className={classes.meanwhile} aria-hidden>
      <div className={classes.toolbar}>
        {TOOLS.split('').map((tool, index) => (
          <span key={index} className={tool === ' ' ? classes.gap : classes.tool} />
        ))}
      </div>
      <div ref={place} data-meanwhile>
        <pre {...filledLater} />
        <div className={classes.visual} {...filledLater} />
        {children}
      </div>
    </div>
  );
}

/** As many as both editors have above the text, in as many lines: nothing moves when they come. */
const TOOLS = 'tttt ttttttt ttttt tt';
