import { NativeSelect } from '@mantine/core';
import type { MailWordsJson } from '../../contract.ts';
import { messageWords as words } from './words.ts';

interface MessageChooserProps {
  readonly mails: readonly MailWordsJson[];
  readonly chosen: MailWordsJson['kind'];
  readonly onChoose: (kind: MailWordsJson['kind']) => void;
}

/** Chooses a kind of message, and shows which kinds have the agency's own words. */
export function MessageChooser({ mails, chosen, onChoose }: MessageChooserProps) {
  return (
    <NativeSelect
      label={words.which}
      value={chosen}
      onChange={({ currentTarget: { value } }) => onChoose(value as MailWordsJson['kind'])}
      data={mails.map(({ kind, version }) => ({
        value: kind,
        label: version === 0 ? words.kinds[kind] : words.changedKind(words.kinds[kind]),
      }))}
    />
  );
}
