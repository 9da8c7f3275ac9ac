import { Button } from '@mantine/core';
import { lazy, memo, Suspense, useEffect, useState } from 'react';
import { afterPaint } from '../../before-app/after-paint.ts';
import type { BodyFormat } from '../../contract.ts';
import { loadPart } from '../../load-part.ts';
import { strings } from '../../strings.ts';
import classes from './editor.module.css';
import { TextPlaceholder } from './text-placeholder.tsx';

const MarkdownEditor = lazy(() => loadPart(() => import('./markdown/markdown-editor.tsx')));
const SourceEditor = lazy(() => loadPart(() => import('./markdown/source-editor.tsx')));
const VisualEditor = lazy(() => loadPart(() => import('./visual/visual-editor.tsx')));

const words = strings.editor;

interface BodyEditorProps {
  readonly body: string;
  readonly format: BodyFormat | '';
  /** True if the page has just been created: its text gets the cursor. */
  readonly isNew: boolean;
  /** Called with every change. Gets a function that reads the body. */
  readonly onType: (read: () => string) => void;
}

/** The editor for the body's format. HTML is edited visually unless the user asks for the source. */
export const BodyEditor = memo(function BodyEditor({ body, format, isNew, onType }: BodyEditorProps) {
  const isPainted = useIsPainted();
  const [prefersSource, setPrefersSource] = useState(false);
  const placeholder = <TextPlaceholder text={{ body, format }} />;
  if (!isPainted) return <div className={classes.bodyEditor}>{placeholder}</div>;
  const isMarkdown = format === 'markdown_format';
  return (
    <div className={classes.bodyEditor} data-empty={body === '' || undefined}>
      <Suspense fallback={placeholder}>
        {isMarkdown && <MarkdownEditor text={body} isNew={isNew} onType={onType} />}
        {!isMarkdown && !prefersSource && (
          <VisualEditor html={body} isNew={isNew} onType={onType} onSource={() => setPrefersSource(true)} />
        )}
        {!isMarkdown && prefersSource && <SourceEditor text={body} onType={onType} />}
      </Suspense>
      {!isMarkdown && (
        <Button
          variant="subtle"
          size="compact-sm"
          className={classes.switch}
          onClick={() => setPrefersSource((before) => !before)}
        >
          {prefersSource ? words.asVisual : words.asSource}
        </Button>
      )}
    </div>
  );
});

/**
 * True once the page has been painted. The editors are half of the app's code and would delay the text on a slow connection.
 */
function useIsPainted(): boolean {
  const [isPainted, setIsPainted] = useState(false);
  useEffect(() => {
    let isUnmounted = false;
    void afterPaint().then(() => {
      if (!isUnmounted) setIsPainted(true);
    });
    return () => {
      isUnmounted = true;
    };
  }, []);
  return isPainted;
}
