import { Anchor, Title } from '@mantine/core';
import { ArrowLeft, FileUp } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { FileChoice } from '../../../parts/file-choice.tsx';
import { NotFound } from '../../../parts/not-found.tsx';
import { OnceKnown } from '../../../parts/once-known.tsx';
import { useTitle } from '../../../parts/use-title.ts';
import { useIsKnown, useMay } from '../../../session.ts';
import { strings } from '../../../strings.ts';
import { CheckedFile } from './checked-file.tsx';
import classes from './page-import.module.css';
import { words } from './words.ts';

/** Creates pages from a file. */
export default function PageImportScreen() {
  const isKnown = useIsKnown();
  const mayChange = useMay('administer_pages');
  useTitle(words.title);
  if (isKnown && !mayChange) return <NotFound {...strings.settings.notForRole} />;
  return (
    <div className={classes.screen}>
      <Anchor component={Link} href="/pages" size="sm" className={classes.back}>
        <ArrowLeft size={16} aria-hidden />
        {words.back}
      </Anchor>
      <Title order={1} mb="md">
        {words.title}
      </Title>
      <OnceKnown>
        <NewImport />
      </OnceKnown>
    </div>
  );
}

/** The file that was chosen; `time` tells it from the same one that is chosen again. */
interface Chosen {
  readonly file: File;
  readonly time: number;
}

function NewImport() {
  const [chosen, setChosen] = useState<Chosen>();
  return (
    <>
      <FileChoice
        file={chosen?.file}
        onFile={(file) => setChosen({ file, time: performance.now() })}
        icon={FileUp}
        accept=".xml,.json,.zip"
        words={words}
      />
      {chosen && <CheckedFile key={chosen.time} file={chosen.file} />}
    </>
  );
}
