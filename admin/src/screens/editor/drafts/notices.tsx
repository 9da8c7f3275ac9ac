import { Alert, Group, Text } from '@mantine/core';
import type { PageJson } from '../../../contract.ts';
import type { StoredCopy } from '../../../data/local-copy.ts';
import { SmallButton } from '../../../parts/small-button.tsx';
import { useMay } from '../../../session.ts';
import { strings } from '../../../strings.ts';
import { formatTime } from '../../../times.ts';
import type { DraftState } from './draft-state.ts';

const words = strings.editor;

interface NoticesProps {
  readonly page: PageJson;
  readonly state: DraftState;
  readonly onTake: (copy: StoredCopy) => void;
  readonly onRefuse: (copy: StoredCopy) => void;
}

/** Notices above the text: about drafts, other people's drafts and navigation. */
export function Notices({ page, state, onTake, onRefuse }: NoticesProps) {
  const { published, fields, isRescued, offered } = state;
  const mayEdit = useMay('edit_pages');
  const above = hiddenAbove(page);
  return (
    <>
      {isRescued && (
        <Alert variant="light" color="ink" mb="sm">
          {words.rescued}
        </Alert>
      )}
      {mayEdit &&
        offered.map((copy) => (
          <Alert key={copy.key} variant="light" color="yellow" mb="sm">
            <Text size="sm">{noticeOf(copy).text(formatTime(copy.at))}</Text>
            <Group gap="xs" mt="xs">
              <SmallButton onClick={() => onTake(copy)}>{noticeOf(copy).take}</SmallButton>
              <SmallButton onClick={() => onRefuse(copy)}>{words.refuse}</SmallButton>
            </Group>
          </Alert>
        ))}
      {page.otherDrafts.length > 0 && (
        <Alert variant="light" color="yellow" mb="sm">
          {words.otherDrafts(page.otherDrafts.map(({ by }) => by))}
        </Alert>
      )}
      {(!published.isPublished || (published.isHidden && fields.isHidden) || above) && (
        <Text size="sm" c="dimmed" mb="sm">
          {!published.isPublished
            ? words.unpublishedNote
            : above
              ? words.hiddenAboveNote(above.name)
              : words.hiddenNote}
        </Text>
      )}
    </>
  );
}

/** Returns the words for an offered text, and for what was done with it. */
export function noticeOf({ isElsewhere }: StoredCopy) {
  return isElsewhere ? words.offeredElsewhere : words.offered;
}

/** The uppermost page above that is hidden or not published: all below it are in no navigation. */
export function hiddenAbove({ ancestors }: PageJson) {
  return ancestors.find((ancestor) => ancestor.isHidden || !ancestor.isPublished);
}
