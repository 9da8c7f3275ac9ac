import { MultiSelect, type MultiSelectProps } from '@mantine/core';
import type { EventKind } from '../../contract.ts';
import { strings } from '../../strings.ts';

const words = strings.settings.webhooks;
const options = Object.entries(words.kinds).map(([value, label]) => ({ value, label }));

interface EventKindsProps extends Pick<MultiSelectProps, 'className' | 'maw' | 'inputContainer'> {
  /** The chosen kinds. An empty list stands for all. */
  readonly kinds: EventKind[];
  readonly onKinds: (kinds: EventKind[]) => void;
}

/** Chooses the kinds of events that a webhook receives. */
export function EventKinds({ kinds, onKinds, ...props }: EventKindsProps) {
  return (
    <MultiSelect
      label={words.events}
      placeholder={kinds.length === 0 ? words.all : undefined}
      data={options}
      value={kinds}
      onChange={(chosen) => onKinds(chosen as EventKind[])}
      hidePickedOptions
      {...props}
    />
  );
}
