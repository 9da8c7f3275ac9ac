import { Title } from '@mantine/core';
import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { BackLink } from '../../../parts/back-link.tsx';
import { FileChoice } from '../../../parts/file-choice.tsx';
import { OnceKnown } from '../../../parts/once-known.tsx';
import { useTitle } from '../../../parts/use-title.ts';
import { CheckedFile } from './checked-file.tsx';
import classes from './page-import.module.css';
import { words } from './words.ts';

/** Creates pages from a file. */
export default function PageImportScreen() {
  useTitle(words.title);
  return (
    <div className={classes.screen}>
      <BackLink href="/pages">{words.back}</BackLink>
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
