import { Alert, Button, Center, Loader } from '@mantine/core';
import { lazy, Suspense, useEffect, useState } from 'react';
import type { BodyFormat } from '../../contract.ts';
import { strings } from '../../strings.ts';
import classes from './editor.module.css';

const MarkdownEditor = lazy(() => import('./markdown-editor.tsx'));
const SourceEditor = lazy(() => import('./source-editor.tsx'));
const VisualEditor = lazy(() => import('./visual-editor.tsx'));

const words = strings.editor;

interface BodyEditorProps {
  readonly body: string;
  readonly format: BodyFormat | '';
  readonly onChange: (body: string) => void;
}

/** The editor for the body's format. HTML that the visual one would not keep as it is opens as source. */
export function BodyEditor({ body, format, onChange }: BodyEditorProps) {
  const kind = useKind(body, format);
  const [prefersSource, setPrefersSource] = useState(false);
  if (kind === undefined) return <Waiting />;
  return (
    <div className={classes.bodyEditor}>
      {kind === 'source' && (
        <Alert variant="light" color="yellow" title={words.sourceTitle} className={classes.notice}>
          {words.sourceText}
        </Alert>
      )}
      <Suspense fallback={<Waiting />}>
        {kind === 'markdown' && <MarkdownEditor text={body} onChange={onChange} />}
        {kind === 'visual' && !prefersSource && <VisualEditor html={body} onChange={onChange} />}
        {(kind === 'source' || (kind === 'visual' && prefersSource)) && (
          <SourceEditor text={body} onChange={onChange} />
        )}
      </Suspense>
      {kind === 'visual' && (
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
}

type Kind = 'markdown' | 'visual' | 'source';

/** Decided when the page is opened, and again when its format changes; never while somebody writes. */
function useKind(body: string, format: BodyFormat | ''): Kind | undefined {
  const [decided, setDecided] = useState<{ format: string; kind: Kind }>();
  // The body of the moment of opening counts.
  useEffect(() => {
    if (format === 'markdown_format') {
      setDecided({ format, kind: 'markdown' });
      return;
    }
    let isGone = false;
    import('./visual-html.ts').then(({ canHold }) => {
      if (!isGone) setDecided({ format, kind: canHold(body) ? 'visual' : 'source' });
    });
    return () => {
      isGone = true;
    };
  }, [format]);
  return decided?.format === format ? decided.kind : undefined;
}

function Waiting() {
  return (
    <Center h={320}>
      <Loader type="dots" aria-hidden />
    </Center>
  );
}
