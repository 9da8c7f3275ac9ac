import { Button, Drawer, Group, SegmentedControl, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import type { BodyFormat, PageFieldsJson, PageJson } from '../../contract.ts';
import { useSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import { fromLocalTime, toLocalTime } from '../../times.ts';
import { AddressNote, useAddressPreview } from './address-preview.tsx';
import classes from './editor.module.css';

const words = strings.editor.settings;

interface SettingsPanelProps {
  readonly opened: boolean;
  readonly isReadOnly: boolean;
  readonly onClose: () => void;
  readonly page: PageJson;
  readonly fields: PageFieldsJson;
  readonly onChange: (change: Partial<PageFieldsJson>) => void;
  readonly onConvert: (format: BodyFormat) => void;
}

/** Everything about a page but its text. Saved with the draft like that. */
export function SettingsPanel(props: SettingsPanelProps) {
  const { opened, isReadOnly, onClose, page, fields, onChange, onConvert } = props;
  const { account } = useSession();
  const address = useAddressPreview(page, fields);
  const parentPath = page.path.slice(0, page.path.lastIndexOf('/'));
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size="md"
      title={words.title}
      closeButtonProps={{ 'aria-label': strings.close }}
    >
      <Stack gap="lg">
        <div>
          <TextInput
            label={words.address}
            description={`${account.address.replace(/^https?:\/\//, '')}${parentPath}/`}
            value={fields.urlname}
            maxLength={255}
            readOnly={isReadOnly}
            onChange={(event) => onChange({ urlname: event.currentTarget.value })}
          />
          <AddressNote error={address.error} changes={address.changes} />
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
            <Text className={classes.resultTitle}>{`${fields.name} · ${account.name}`}</Text>
            <Text size="xs" c="dimmed" truncate>
              {`${account.address}${parentPath}/${address.urlname}`}
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
        <TextInput
          type="datetime-local"
          label={words.date}
          description={words.dateHelp(account.timeZone)}
          value={toLocalTime(fields.customDate, account.timeZone)}
          readOnly={isReadOnly}
          onChange={(event) => {
            const time = fromLocalTime(event.currentTarget.value, account.timeZone);
            if (time !== undefined) onChange({ customDate: time });
          }}
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
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {strings.close}
          </Button>
        </Group>
      </Stack>
    </Drawer>
  );
}
