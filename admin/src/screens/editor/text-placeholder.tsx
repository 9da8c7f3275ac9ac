import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { filledLater } from '../../before-app/filled-later.ts';
import type { BodyFormat } from '../../contract.ts';
import { showText } from '../../parts/show-text.ts';
import classes from './editor.module.css';

interface TextPlaceholderProps {
  /** The page's text. If undefined, the early script fills it in: see src/before-app. */
  readonly text?: { readonly body: string; readonly format: BodyFormat | '' };
  /** Shown until a text is available. */
  readonly children?: ReactNode;
}

/** Shows the text read-only, where the editor will be, until the editor has loaded. */
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

/** One sign per tool or gap of the editors' toolbars, so that the text does not move when the real toolbar appears. */
const TOOLS = 'tttt ttttttt ttttt tt';
