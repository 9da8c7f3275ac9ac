import { Text } from '@mantine/core';
import { strings } from '../strings.ts';

const words = strings.editor.uploads;

/** An image that was not uploaded, and why. */
export interface FailedUpload {
  readonly name: string;
  readonly reason: string;
}

/** Lists the images that were not uploaded, by reason. */
export function FailedUploads({ failed }: { failed: readonly FailedUpload[] }) {
  const [first] = failed;
  if (!first) return null;
  const reasons = Map.groupBy(failed, ({ reason }) => reason);
  return (
    <>
      <Text size="sm" fw={600}>
        {failed.length === 1 ? words.failed(first.name) : words.failedAll(failed.length)}
      </Text>
      {[...reasons].map(([reason, those]) => (
        <Text key={reason} size="sm">
          {reason}
          {failed.length > 1 && ` ${words.names([...new Set(those.map(({ name }) => name))])}`}
        </Text>
      ))}
    </>
  );
}
