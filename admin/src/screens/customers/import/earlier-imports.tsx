import { Anchor, Badge, Box, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { ImportJson } from '../../../contract.ts';
import { Section } from '../../../parts/section.tsx';
import { formatTime } from '../../../times.ts';
import classes from '../customer.module.css';
import { words } from './words.ts';

/** Lists imports, the latest first. Renders nothing if there are none. */
export function EarlierImports({ imports }: { imports: readonly ImportJson[] }) {
  if (imports.length === 0) return null;
  return (
    <Box mt="xl">
      <Section title={words.earlier}>
        <ul className={classes.list}>
          {imports.map((one) => (
            <li key={one.id} className={classes.item}>
              <div className={classes.main}>
                <Group gap="xs">
                  <Anchor component={Link} href={`/customers/import/${one.id}`} fw={600} dir="auto" c="inherit">
                    {one.fileName}
                  </Anchor>
                  {one.state !== 'done' && <Badge variant="default">{words.states[one.state]}</Badge>}
                </Group>
                <Text size="sm">{words.summary(one)}</Text>
              </div>
              <Text size="sm" c="dimmed">
                {words.startedBy(one.by, formatTime(one.createdAt))}
              </Text>
            </li>
          ))}
        </ul>
      </Section>
    </Box>
  );
}
