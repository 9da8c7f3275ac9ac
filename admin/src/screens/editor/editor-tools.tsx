import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { ExternalLink, History, Settings2 } from 'lucide-react';
import { Link } from 'wouter';
import { strings } from '../../strings.ts';

const words = strings.editor;

interface EditorToolsProps {
  readonly pageId: number;
  /** The page's URL on the site, or undefined if it is not published. */
  readonly address: string | undefined;
  readonly onSettings: () => void;
}

/** The links to a page's history and published version, and the button for its settings. */
export function EditorTools({ pageId, address, onSettings }: EditorToolsProps) {
  return (
    <>
      <Tooltip label={words.history}>
        <ActionIcon component={Link} href={`/pages/${pageId}/revisions`} aria-label={words.history}>
          <History size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
      {address !== undefined && (
        <Tooltip label={words.onSite}>
          <ActionIcon component="a" href={address} target="_blank" aria-label={words.onSite}>
            <ExternalLink size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      <Button variant="default" leftSection={<Settings2 size={16} aria-hidden />} onClick={onSettings}>
        {words.settings.button}
      </Button>
    </>
  );
}
