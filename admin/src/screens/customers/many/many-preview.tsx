import { List, Text } from '@mantine/core';
import type { CustomerJson } from '../../../contract.ts';
import { explainRefusal } from '../../../explain.ts';
import { strings } from '../../../strings.ts';
import type { ManyKind, Preview, Refused } from './preview-changes.ts';
import { words } from './words.ts';

const MAX_NAMES = 5;
const MAX_REFUSED = 20;

interface ManyPreviewProps {
  readonly kind: ManyKind;
  readonly preview: Preview;
  readonly customers: readonly CustomerJson[];
}

/** Shows which customers will change, stay unchanged, or be refused. */
export function ManyPreview({ kind, preview: { changes, unchanged, refused }, customers }: ManyPreviewProps) {
  const names = new Map(customers.map(({ id, name }) => [id, name]));
  const first = changes.slice(0, MAX_NAMES).map(({ id }) => names.get(id)!);
  return (
    <div>
      {changes.length === 0 && refused.length === 0 && <Text size="sm">{words.nothing}</Text>}
      {changes.length > 0 && (
        <>
          <Text size="sm" fw={600}>
            {words.willChange[kind](changes.length)}
          </Text>
          <Text size="sm">{words.names(first, changes.length - first.length)}</Text>
        </>
      )}
      {changes.length > 0 && unchanged > 0 && (
        <Text size="sm" mt="xs">
          {words.unchanged(unchanged)}
        </Text>
      )}
      <RefusedList label={words.willBeRefused(refused.length)} refused={refused} names={names} />
    </div>
  );
}

interface RefusedListProps {
  readonly label: string;
  readonly refused: readonly Refused[];
  readonly names: ReadonlyMap<number, string>;
}

/** Lists the refused customers with their reasons. Renders nothing if there are none. */
export function RefusedList({ label, refused, names }: RefusedListProps) {
  if (refused.length === 0) return null;
  return (
    <>
      <Text size="sm" fw={600} mt="xs">
        {label}
      </Text>
      <List size="sm">
        {refused.slice(0, MAX_REFUSED).map(({ id, why }) => (
          <List.Item key={id}>
            {names.get(id) ?? words.unknown}: {why ? explainRefusal(why) : strings.errors.gone}
          </List.Item>
        ))}
      </List>
      {refused.length > MAX_REFUSED && <Text size="sm">{words.more(refused.length - MAX_REFUSED)}</Text>}
    </>
  );
}
