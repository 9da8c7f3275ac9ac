import { Button, Drawer, Group, SegmentedControl, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { BodyFormat, PageFieldsJson, PageJson } from '../../contract.ts';
import { documentTitle } from '../../page-title.ts';
import { useSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import { fromLocalTime, toLocalTime } from '../../times.ts';
import { AddressNote, useAddressPreview } from './address-preview.tsx';
import classes from './editor.module.css';
import { Redirects } from './redirects.tsx';

const words = strings.editor.settings;

interface SettingsPanelProps {
  readonly opened: boolean;
  readonly isReadOnly: boolean;
  /** True if another dialog is open in front of the panel: the Escape key is for that dialog. */
  readonly isCovered: boolean;
  readonly onClose: () => void;
  readonly page: PageJson;
  readonly fields: PageFieldsJson;
  readonly onChange: (change: Partial<PageFieldsJson>) => void;
  readonly onConvert: (format: BodyFormat) => void;
  readonly onUnpublish: () => void;
}

/** The panel with everything about a page except its text. Its fields are saved with the draft. */
export function SettingsPanel(props: SettingsPanelProps) {
  const { opened, isReadOnly, isCovered, onClose, page, fields, onChange, onConvert, onUnpublish } = props;
  const { account } = useSession();
  const address = useAddressPreview(page, fields);
  const parentPath = page.path.slice(0, page.path.lastIndexOf('/'));
  const isHome = page.isHome && !fields.isHidden;
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      closeOnEscape={!isCovered}
      position="right"
      size="md"
      title={words.title}
      closeButtonProps={{ 'aria-label': strings.close }}
    >
      <Stack gap="lg">
        <div>
          <TextInput
            label={words.address}
            description={`${withoutProtocol(account.address)}${parentPath}/`}
            value={fields.urlname}
            maxLength={255}
            readOnly={isReadOnly}
            onChange={(event) => onChange({ urlname: event.currentTarget.value })}
          />
          <AddressNote error={address.error} changes={address.changes} />
          {isHome && (
            <Text size="xs" mt={6} c="dimmed">
              {words.homeNote(withoutProtocol(account.address))}
            </Text>
          )}
        </div>
        <div>
          <Textarea
            label={words.excerpt}
            description={words.excerptHelp}
            autosize
            minRows={3}
            maxRows={8}
            value={fields.description ?? ''}
            readOnly={isReadOnly}
            onChange={(event) => onChange({ description: event.currentTarget.value || null })}
          />
          <div className={classes.result}>
            <Text size="xs" c="dimmed">
              {words.searchPreview}
            </Text>
            <Text className={classes.resultTitle}>{documentTitle({ name: fields.name, isHome, site: account })}</Text>
            <Text size="xs" c="dimmed" truncate>
              {account.address + (isHome ? '/' : `${parentPath}/${address.urlname}`)}
            </Text>
            <Text size="sm" lineClamp={3}>
              {fields.description || words.excerptFromText}
            </Text>
          </div>
        </div>
        <Switch
          label={words.hidden}
          description={words.hiddenHelp}
          checked={fields.isHidden}
          disabled={isReadOnly}
          onChange={(event) => onChange({ isHidden: event.currentTarget.checked })}
        />
        <DateField
          time={fields.customDate}
          timeZone={account.timeZone}
          isReadOnly={isReadOnly}
          onChange={(customDate) => onChange({ customDate })}
        />
        <div>
          <Text size="sm" fw={500} id="format-label">
            {words.format}
          </Text>
          <Text size="xs" c="dimmed" mb={6}>
            {words.formatHelp}
          </Text>
          <SegmentedControl
            fullWidth
            aria-labelledby="format-label"
            value={fields.bodyFormat || 'wysiwyg_format'}
            disabled={isReadOnly}
            onChange={(format) => onConvert(format as BodyFormat)}
            data={[
              { value: 'markdown_format', label: strings.editor.markdown },
              { value: 'wysiwyg_format', label: strings.editor.visual },
            ]}
          />
        </div>
        {opened && <Redirects page={page} isReadOnly={isReadOnly} />}
        {page.isPublished && !isReadOnly && (
          <div>
            <Button variant="default" onClick={onUnpublish}>
              {words.unpublish}
            </Button>
            <Text size="xs" mt={6} c="dimmed">
              {words.unpublishHelp}
            </Text>
          </div>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {strings.close}
          </Button>
        </Group>
      </Stack>
    </Drawer>
  );
}

function withoutProtocol(address: string): string {
  return address.replace(/^https?:\/\//, '');
}

interface DateFieldProps {
  readonly time: number;
  readonly timeZone: string;
  readonly isReadOnly: boolean;
  readonly onChange: (time: number) => void;
}

/**
 * The page's date. The input keeps what the user types: a date may be invalid for a moment, such as 31 February. Leaving the
 * field restores the last valid date.
 */
function DateField({ time, timeZone, isReadOnly, onChange }: DateFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const show = () => {
    const value = toLocalTime(time, timeZone);
    if (field.current && field.current.value !== value) field.current.value = value;
  };
  useEffect(show, [time, timeZone]);
  return (
    <TextInput
      ref={field}
      type="datetime-local"
      label={words.date}
      description={words.dateHelp(timeZone)}
      // Limits the year to four digits, so that the browser moves on to the hour after the fourth.
      max="9999-12-31T23:59"
      defaultValue={toLocalTime(time, timeZone)}
      readOnly={isReadOnly}
      onChange={(event) => {
        const written = fromLocalTime(event.currentTarget.value, timeZone);
        if (written !== undefined) onChange(written);
      }}
      onBlur={show}
    />
  );
}
