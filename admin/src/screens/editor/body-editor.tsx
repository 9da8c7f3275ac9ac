import { Alert, Button } from '@mantine/core';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { painted } from '../../before-app/painted.ts';
import type { BodyFormat } from '../../contract.ts';
import { strings } from '../../strings.ts';
import classes from './editor.module.css';
import { TextPlaceholder } from './text-placeholder.tsx';

const MarkdownEditor = lazy(() => import('./markdown/markdown-editor.tsx'));
const SourceEditor = lazy(() => import('./markdown/source-editor.tsx'));
const loadVisual = () => import('./visual/visual-editor.tsx');
const VisualEditor = lazy(loadVisual);

const words = strings.editor;

interface BodyEditorProps {
  readonly body: string;
  readonly format: BodyFormat | '';
  readonly onChange: (body: string) => void;
}

/** The editor for the body's format. HTML that the visual one would not keep as it is opens as source. */
export function BodyEditor({ body, format, onChange }: BodyEditorProps) {
  // A text that was not typed here is new, and may need another editor.
  const written = useRef(body);
  const [opened, setOpened] = useState(body);
  if (body !== written.current) {
    written.current = body;
    setOpened(body);
  }
  const change = (text: string) => {
    written.current = text;
    onChange(text);
  };
  const kind = useKind(opened, format);
  const [prefersSource, setPrefersSource] = useState(false);
  const meanwhile = <TextPlaceholder text={{ body, format }} />;
  if (kind === undefined) return <div className={classes.bodyEditor}>{meanwhile}</div>;
  const turn = () => {
    // What was written as source is looked at before the visual editor gets it: it might not keep all of it.
    setOpened(body);
    setPrefersSource((before) => !before);
  };
  return (
    <div className={classes.bodyEditor}>
      {kind === 'source' && (
        <Alert variant="light" color="yellow" title={words.sourceTitle} className={classes.notice}>
          {words.sourceText}
        </Alert>
      )}
      <Suspense fallback={meanwhile}>
        {kind === 'markdown' && <MarkdownEditor text={body} onChange={change} />}
        {kind === 'visual' && !prefersSource && <VisualEditor html={body} onChange={change} />}
        {(kind === 'source' || (kind === 'visual' && prefersSource)) && <SourceEditor text={body} onChange={change} />}
      </Suspense>
      {kind === 'visual' && (
        <Button variant="subtle" size="compact-sm" className={classes.switch} onClick={turn}>
          {prefersSource ? words.asVisual : words.asSource}
        </Button>
      )}
    </div>
  );
}

type Kind = 'markdown' | 'visual' | 'source';

/** Decided for a text that is opened, and again when its format changes; never while somebody writes. */
function useKind(opened: string, format: BodyFormat | ''): Kind | undefined {
  const [decided, setDecided] = useState<{ opened: string; format: string; kind: Kind }>();
  const isFirst = decided === undefined;
  useEffect(() => {
    let isGone = false;
    const decide = async () => {
      // The text is there to be read: an editor is as much as all the rest, and would be in its way on a slow line.
      if (isFirst) await painted();
      if (isGone) return;
      if (format === 'markdown_format') return setDecided({ opened, format, kind: 'markdown' });
      // Most likely it is this one, and it takes a while.
      loadVisual().catch(() => {});
      const { canHold } = await import('./visual/html.ts');
      if (!isGone) setDecided({ opened, format, kind: canHold(opened) ? 'visual' : 'source' });
    };
    decide().catch((error: unknown) => {
      // For the screen to say: there is no editor.
      setDecided(() => {
        throw error;
      });
    });
    return () => {
      isGone = true;
    };
  }, [opened, format, isFirst]);
  if (decided?.format !== format) return undefined;
  // All Markdown has one editor: it goes on while that is noted.
  return decided.opened === opened || decided.kind === 'markdown' ? decided.kind : undefined;
}
