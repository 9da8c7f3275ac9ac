import { Button, Group, Skeleton, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { PageFieldsJson, PageJson } from '../../../contract.ts';
import { withChanges } from '../../../data/changes.ts';
import { loadPart } from '../../../load-part.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { useSession } from '../../../session.ts';
import { strings } from '../../../strings.ts';
import { formatTime } from '../../../times.ts';
import { AddressNote, useAddressPreview } from '../address-preview.tsx';
import { type DifferentSetting, DifferentSettings, settingsThatDiffer } from './different-settings.tsx';
import { textOf } from './text-of.ts';

const CompareVersions = lazy(() => loadPart(() => import('./compare-versions.tsx')));

const words = strings.editor.conflict;

interface ConflictProps {
  readonly current: PageJson | undefined;
  /** The fields that were changed here. The other fields have the values that another user has published since. */
  readonly changed: Partial<PageFieldsJson>;
  readonly onClose: () => void;
  readonly onKeepMine: (current: PageJson) => void;
  readonly onTakeTheirs: (current: PageJson) => void;
  readonly onMerge: (current: PageJson) => void;
}

/** The dialog for a conflict: shows both versions, and how to resolve it. Nothing is overwritten until the user chooses. */
export function Conflict(props: ConflictProps) {
  const { current, changed, onClose, onKeepMine, onTakeTheirs, onMerge } = props;
  return (
    <Dialog opened={current !== undefined} onClose={onClose} title={words.title} size="80rem">
      {current && (
        <>
          <Text mb="md">{words.text(current.updatedBy, formatTime(current.updatedAt))}</Text>
          <Versions current={current} merged={withChanges(current, changed)} />
          <Group mt="lg" justify="flex-end">
            <Button variant="default" onClick={() => onTakeTheirs(current)}>
              {words.takeTheirs}
            </Button>
            <Button variant="default" onClick={() => onMerge(current)}>
              {words.edit}
            </Button>
            <Button onClick={() => onKeepMine(current)}>{words.keepMine}</Button>
          </Group>
        </>
      )}
    </Dialog>
  );
}

/** Compares the published version with the merged one. */
function Versions({ current, merged }: { current: PageJson; merged: PageFieldsJson }) {
  const settings = useSettingsThatDiffer(current, merged);
  const left = { label: words.theirs(current.updatedBy), fields: current };
  const right = { label: words.mine, fields: merged };
  const isSameText = textOf(current) === textOf(merged);
  return (
    <>
      {settings.length > 0 && <DifferentSettings settings={settings} left={left.label} right={right.label} />}
      {isSameText ? (
        <Text>{settings.length > 0 ? strings.compare.same : words.allSame}</Text>
      ) : (
        <Suspense fallback={<Skeleton height={200} aria-hidden />}>
          <CompareVersions left={left} right={right} />
        </Suspense>
      )}
    </>
  );
}

function useSettingsThatDiffer(current: PageJson, merged: PageFieldsJson): DifferentSetting[] {
  const { timeZone } = useSession().account;
  const address = useAddressPreview(current, merged);
  const isKnown = address.changes !== undefined && !address.error;
  const above = current.path.slice(0, current.path.lastIndexOf('/'));
  return settingsThatDiffer(current, merged, timeZone, {
    left: current.path,
    // The URL that the service predicts. Until it has answered, or if it refuses, the URL as it was typed.
    right: `${above}/${isKnown ? address.urlname : merged.urlname}`,
    note: <AddressNote error={address.error} changes={address.changes} />,
  });
}
