import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { BackLink } from '../../../parts/back-link.tsx';
import { FileChoice } from '../../../parts/file-choice.tsx';
import { OnceKnown } from '../../../parts/once-known.tsx';
import { ScreenTitle } from '../../../parts/screen-title.tsx';
import { CheckedFile } from './checked-file.tsx';
import classes from './page-import.module.css';
import { words } from './words.ts';

/** Creates pages from a file. */
export default function PageImportScreen() {
  return (
    <div className={classes.screen}>
      <BackLink href="/pages">{words.back}</BackLink>
      <ScreenTitle mb="md">{words.title}</ScreenTitle>
      <OnceKnown>
        <NewImport />
      </OnceKnown>
    </div>
  );
}

/** The chosen file. `time` distinguishes it from the same file chosen again. */
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
