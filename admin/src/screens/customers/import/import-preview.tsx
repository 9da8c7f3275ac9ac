import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../../api.ts';
import type { CheckedImportJson, ImportColumnsJson, ImportField } from '../../../contract.ts';
import { ErrorAlert } from '../../../parts/form.tsx';
import { Section } from '../../../parts/section.tsx';
import { queryClient } from '../../../queries.ts';
import { chooseColumn, columnOptions, importFields, isRequired, sampleOf } from './column-choice.ts';
import classes from './import.module.css';
import { words } from './words.ts';
import { WrongLines } from './wrong-lines.tsx';

/** Shows the content of a file, and what the import would create from it. */
export function ImportPreview({ file }: { file: File }) {
  const [columns, setColumns] = useState<ImportColumnsJson>();
  const [, navigate] = useLocation();
  const check = useQuery({
    queryKey: ['import check', file.name, file.size, file.lastModified, columns],
    queryFn: ({ signal }) => api.checkImport(file, columns, signal),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const start = useMutation({
    mutationFn: () => api.startImport(file, checked!.columns),
    onSuccess: ({ id }) => {
      void queryClient.invalidateQueries({ queryKey: ['imports'] });
      navigate(`/customers/import/${id}`);
    },
  });
  const checked = check.data;
  const isCurrent = !check.isPlaceholderData && !check.error;
  const right = checked ? checked.lineCount - checked.wrongCount : 0;
  return (
    <Stack gap="lg" mt="lg">
      {check.isFetching && <Text role="status">{words.reading}</Text>}
      <ErrorAlert error={check.error} />
      {checked && !check.error && (
        <>
          <Columns
            checked={checked}
            onChoose={(field, column) => setColumns(chooseColumn(checked.columns, field, column))}
          />
          <Section title={words.result}>
            <Text role="status">{outcome(checked)}</Text>
            {checked.columns.template !== null && (
              <Text size="sm" c="dimmed" mt={4}>
                {words.copying}
              </Text>
            )}
            <ErrorAlert error={start.error} mt="md" />
            {checked.missing.length === 0 && right > 0 && (
              <Group mt="md">
                <Button loading={start.isPending} disabled={!isCurrent} onClick={() => start.mutate()}>
                  {words.submit(right)}
                </Button>
              </Group>
            )}
          </Section>
          {checked.wrongCount > 0 && (
            <Section title={words.wrongLines}>
              <WrongLines lines={checked.wrong} count={checked.wrongCount} />
            </Section>
          )}
        </>
      )}
    </Stack>
  );
}

interface ColumnsProps {
  readonly checked: CheckedImportJson;
  readonly onChoose: (field: ImportField, column: number | null) => void;
}

function Columns({ checked, onChoose }: ColumnsProps) {
  return (
    <Section title={words.columns} text={words.columnsText}>
      <div className={classes.columns}>
        {importFields.map((field) => {
          const column = checked.columns[field];
          const sample = sampleOf(checked, field);
          return (
            <div key={field}>
              <NativeSelect
                label={words.fields[field]}
                withAsterisk={isRequired(field)}
                error={checked.missing.includes(field)}
                data={columnOptions(checked.header, field, column)}
                value={column === null ? '' : String(column)}
                onChange={({ currentTarget: { value } }) => onChoose(field, value === '' ? null : Number(value))}
              />
              {sample === undefined ? (
                <Text size="sm" c="dimmed" mt={4}>
                  {words.help[field]}
                </Text>
              ) : (
                <Text size="sm" c="dimmed" className={classes.sample} dir="auto" title={sample}>
                  {words.sample(sample)}
                </Text>
              )}
            </div>
          );
        })}
      </div>
    </Section>
  );
}

function outcome({ missing, lineCount, wrongCount }: CheckedImportJson): string {
  if (missing.length > 0) return words.missing(missing);
  return wrongCount === 0 ? words.allRight(lineCount) : words.someWrong(wrongCount, lineCount);
}
