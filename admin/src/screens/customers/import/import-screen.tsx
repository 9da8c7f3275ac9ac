import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FileSpreadsheet } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../../api.ts';
import { ErrorNotice } from '../../../parts/error-notice.tsx';
import { FileChoice } from '../../../parts/file-choice.tsx';
import { OnceKnown } from '../../../parts/once-known.tsx';
import { ScreenTitle } from '../../../parts/screen-title.tsx';
import classes from '../customer.module.css';
import { BackToCustomers } from '../customer-link.tsx';
import { EarlierImports } from './earlier-imports.tsx';
import { ImportPreview } from './import-preview.tsx';
import { words } from './words.ts';

const MAX_FILE_BYTES = 5 * 1024 * 1024;

/** Creates customers from a file. */
export default function ImportScreen() {
  return (
    <div className={classes.screen}>
      <BackToCustomers />
      <ScreenTitle mb="md">{words.title}</ScreenTitle>
      <OnceKnown>
        <NewImport />
      </OnceKnown>
    </div>
  );
}

function NewImport() {
  const [file, setFile] = useState<File>();
  const imports = useQuery({ queryKey: ['imports'], queryFn: api.imports });
  const isTooLarge = file !== undefined && file.size > MAX_FILE_BYTES;
  return (
    <>
      <FileChoice file={file} onFile={setFile} icon={FileSpreadsheet} accept=".csv,.txt,.tsv,text/csv" words={words} />
      {isTooLarge && (
        <Text role="alert" c="red" mt="md">
          {words.tooLarge}
        </Text>
      )}
      {file && !isTooLarge && <ImportPreview key={`${file.name} ${file.size} ${file.lastModified}`} file={file} />}
      {imports.error && <ErrorNotice error={imports.error} onRetry={imports.refetch} />}
      {imports.data && !file && <EarlierImports imports={imports.data.imports} />}
    </>
  );
}
