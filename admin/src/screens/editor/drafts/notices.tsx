import { Alert, Group, Text } from '@mantine/core';
import type { PageJson } from '../../../contract.ts';
import type { StoredCopy } from '../../../data/local-copy.ts';
import { SmallButton } from '../../../parts/small-button.tsx';
import { useMay } from '../../../session.ts';
import { strings } from '../../../strings.ts';
import { formatTime } from '../../../times.ts';
import classes from '../editor.module.css';
import type { DraftState } from './draft-state.ts';

const words = strings.editor;

interface NoticesProps {
  readonly page: PageJson;
  readonly state: DraftState;
  readonly onShowBoth: (copy: StoredCopy) => void;
  readonly onDiscard: (copy: StoredCopy) => void;
}

/** Notices above the text, about restored drafts and the page's visibility. */
export function Notices({ page, state, onShowBoth, onDiscard }: NoticesProps) {
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
        offered
          .filter(({ isElsewhere }) => !isElsewhere)
          .map((copy) => (
            <Alert key={copy.key} variant="light" color="yellow" mb="sm">
              <Text size="sm">{words.offered.text(formatTime(copy.at))}</Text>
              <Group gap="xs" mt="xs">
                <SmallButton onClick={() => onShowBoth(copy)}>{words.showBoth}</SmallButton>
                <SmallButton onClick={() => onDiscard(copy)}>{words.refuse}</SmallButton>
              </Group>
            </Alert>
          ))}
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

interface PinnedNoticesProps extends Pick<NoticesProps, 'page' | 'state' | 'onShowBoth'> {
  readonly isInOtherTab: boolean;
}

/** Notices that stay in view, about editing elsewhere. */
export function PinnedNotices({ page, state, isInOtherTab, onShowBoth }: PinnedNoticesProps) {
  const mayEdit = useMay('edit_pages');
  const elsewhere = state.offered.find((copy) => copy.isElsewhere);
  return (
    <>
      {mayEdit && elsewhere && (
        <div className={classes.pinned} role="alert">
          <span>{words.offeredElsewhere.text(formatTime(elsewhere.at))}</span>
          <SmallButton onClick={() => onShowBoth(elsewhere)}>{words.showBoth}</SmallButton>
        </div>
      )}
      {isInOtherTab && (
        <div className={classes.pinned} role="status">
          <span>{words.otherTab}</span>
        </div>
      )}
      {page.otherDrafts.length > 0 && (
        <div className={classes.pinned}>
          <span>{words.otherDrafts(page.otherDrafts.map(({ by }) => by))}</span>
        </div>
      )}
    </>
  );
}

/** Returns the topmost ancestor that is hidden or unpublished. The navigation omits all pages below it. */
export function hiddenAbove({ ancestors }: PageJson) {
  return ancestors.find((ancestor) => ancestor.isHidden || !ancestor.isPublished);
}
