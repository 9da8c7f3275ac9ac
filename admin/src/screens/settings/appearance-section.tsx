import { Button, ColorInput, Group, Select, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { CSSProperties } from 'react';
import type { Theme } from '../../contract.ts';
import { ROOT, useChildren } from '../../data/tree-data.ts';
import { ErrorAlert } from '../../parts/form.tsx';
import { PreviewPane } from '../../parts/preview-pane.tsx';
import { useUnsaved } from '../../parts/use-unsaved.tsx';
import { useIsKnown, useSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import classes from './settings.module.css';
import { useSaveSettings } from './use-settings.ts';

const words = strings.settings.look;
const COLOUR = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/;

const fonts: Readonly<Record<Theme, string>> = {
  typographic: 'Georgia, serif',
  business: 'system-ui, sans-serif',
  portfolio: "'Bricolage Grotesque Variable', sans-serif",
  documentation: "'Inter Variable', sans-serif",
};

/** Chooses the theme and the colour, with a sketch of each theme, and a preview of the site before saving. */
export function AppearanceSection() {
  const { account } = useSession();
  const isKnown = useIsKnown();
  const saved = {
    theme: account.theme as string,
    accent: account.accent,
    secondButton: String(account.secondButton ?? ''),
  };
  const { values, set, isChanged, done, notice } = useUnsaved('look', saved);
  const { save, error } = useSaveSettings(({ secondButton, ...input }) =>
    done({ ...input, ...(secondButton !== undefined && { secondButton: String(secondButton ?? '') }) }),
  );
  const accent = colourOf(values.accent);
  // The unsaved value may be from a version of the app with other themes.
  const theme = values.theme in fonts ? (values.theme as Theme) : account.theme;
  const secondButton = values.secondButton === '' ? null : Number(values.secondButton);
  // Waits while a colour is dragged along the palette.
  const [lastAccent] = useDebouncedValue(accent, 300);
  const settledAccent = lastAccent ?? account.accent;
  const submit = () => {
    if (!accent) return;
    set({ accent });
    save({ theme, accent, secondButton });
  };
  return (
    <div className={classes.look}>
      <Stack gap="lg">
        {notice}
        <ErrorAlert error={error} />
        <fieldset style={{ border: 0, margin: 0, padding: 0 }}>
          <Text component="legend" fw={600} mb="xs">
            {words.theme}
          </Text>
          <div className={classes.themes}>
            {(Object.keys(fonts) as Theme[]).map((name) => (
              <label key={name} className={classes.theme}>
                <input
                  type="radio"
                  name="theme"
                  checked={isKnown && theme === name}
                  onChange={() => set({ theme: name })}
                />
                <Sample theme={name} accent={accent ?? account.accent} />
                <Text fw={600} size="sm">
                  {words.themes[name].name}
                </Text>
                <Text size="xs" c="dimmed">
                  {words.themes[name].text}
                </Text>
              </label>
            ))}
          </div>
        </fieldset>
        <ColorInput
          label={words.accent}
          description={words.accentHelp}
          value={values.accent}
          onChange={(colour) => set({ accent: colour.trim().toLowerCase() })}
          format="hex"
          error={accent || !isKnown ? undefined : words.accentWrong}
          eyeDropperButtonProps={{ 'aria-label': words.pick }}
          swatches={['#1f5f56', '#2456a6', '#6b3fa0', '#a12b4a', '#b4531a', '#7a6a12', '#33383d']}
        />
        {theme === 'business' && (
          <SecondButton chosen={values.secondButton} onChange={(id) => set({ secondButton: id })} />
        )}
        <Group>
          <Button disabled={!isChanged || !accent} onClick={submit}>
            {strings.save}
          </Button>
          {isChanged && (
            <Text size="sm" c="dimmed">
              {words.notYet}
            </Text>
          )}
        </Group>
      </Stack>
      <div className={classes.lookPreview}>
        {isKnown && (
          <PreviewPane title={words.site} previewed={{ input: { theme, accent: settledAccent, secondButton } }} />
        )}
      </div>
    </div>
  );
}

/** Chooses the root page of the second button. The home page is not among the options. */
function SecondButton({ chosen, onChange }: { chosen: string; onChange: (id: string) => void }) {
  const pages = useChildren([ROOT]).children.get(ROOT)?.pages ?? [];
  const visible = pages.filter(({ isHidden, isPublished }) => isPublished && !isHidden).slice(1);
  const data = [{ value: '', label: words.noSecondButton }];
  for (const { id, name } of visible) data.push({ value: String(id), label: name });
  return (
    <Select
      label={words.secondButton}
      description={words.secondButtonHelp}
      data={data}
      // A page that is no longer in the menu has no button.
      value={data.some(({ value }) => value === chosen) ? chosen : ''}
      onChange={(id) => onChange(id ?? '')}
      allowDeselect={false}
    />
  );
}

/** Returns the typed colour as six digits with `#`, or undefined if it is invalid. It may have three digits, or no `#`. */
function colourOf(text: string): string | undefined {
  const digits = COLOUR.exec(text)?.[1];
  return digits && `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`;
}

/** A sketch of a theme in a few shapes. */
function Sample({ theme, accent }: { theme: Theme; accent: string }) {
  const line = (width: string, style: CSSProperties = {}) => (
    <div className={classes.bar} style={{ width, ...style }} />
  );
  return (
    <div className={classes.sample} style={{ fontFamily: fonts[theme] }} aria-hidden>
      {theme === 'business' && <div style={{ height: 16, margin: '-10px -10px 8px', background: accent }} />}
      <div style={{ display: 'flex', gap: 12 }}>
        {theme === 'documentation' && (
          <div style={{ width: '28%' }}>
            {line('90%', { background: accent })}
            {line('70%')}
            {line('80%')}
          </div>
        )}
        <div style={{ flex: 1, textAlign: theme === 'typographic' ? 'center' : 'start' }}>
          <div style={{ fontSize: theme === 'portfolio' ? 26 : 18, fontWeight: 600, lineHeight: 1.1, marginBottom: 8 }}>
            Aa<span style={{ color: accent }}>.</span>
          </div>
          {line('100%')}
          {line('92%')}
          {line('40%', { background: accent })}
        </div>
        {theme === 'portfolio' && <div style={{ width: '38%', height: 76, borderRadius: 4, background: accent }} />}
      </div>
    </div>
  );
}
