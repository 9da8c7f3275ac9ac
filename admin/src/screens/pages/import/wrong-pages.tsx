import { Text } from '@mantine/core';
import type { FieldError } from '../../../contract.ts';
import { explainField } from '../../../explain.ts';
import { Section } from '../../../parts/section.tsx';
import classes from './page-import.module.css';
import { placeOf } from './place-of.ts';
import { words } from './words.ts';

/** How many errors are listed: more than anybody corrects at once. */
const MAX_SHOWN = 100;

/** Lists the errors of the pages of a file, with their places. */
export function WrongPages({ failures }: { failures: readonly FieldError[] }) {
  return (
    <Section title={words.wrong}>
      <Text role="alert" size="sm" c="dimmed" mb="md">
        {words.wrongText}
      </Text>
      <ul className={classes.notes}>
        {failures.slice(0, MAX_SHOWN).map((failure) => {
          const { place, field } = placeOf(failure.field);
          return (
            <li key={`${failure.field} ${failure.code}`}>
              {place !== '' && (
                <Text size="sm" fw={600} dir="auto">
                  {place}
                </Text>
              )}
              <Text size="sm">{explainField({ ...failure, field })}</Text>
            </li>
          );
        })}
      </ul>
      {failures.length > MAX_SHOWN && (
        <Text size="sm" mt="xs">
          {words.more(failures.length - MAX_SHOWN)}
        </Text>
      )}
    </Section>
  );
}
