import { Text } from '@mantine/core';
import type { WrongLineJson } from '../../../contract.ts';
import { explainFailures } from './explain-failures.ts';
import classes from './import.module.css';
import { words } from './words.ts';

/** Lists lines that cannot become customers, with the reasons. `count` is the number of all such lines. */
export function WrongLines({ lines, count }: { lines: readonly WrongLineJson[]; count: number }) {
  return (
    <>
      <ul className={classes.lines}>
        {lines.map(({ number, name, failures }) => (
          <li key={number}>
            <Text size="sm" fw={600}>
              {words.line(number)}
            </Text>
            <div>
              <Text size="sm" dir="auto">
                {name}
              </Text>
              <Text size="sm" c="dimmed">
                {explainFailures(failures)}
              </Text>
            </div>
          </li>
        ))}
      </ul>
      {count > lines.length && (
        <Text size="sm" mt="xs">
          {words.more(count - lines.length)}
        </Text>
      )}
    </>
  );
}
