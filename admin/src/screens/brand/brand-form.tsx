import { Button, ColorInput, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useProductName } from '../../brand.ts';
import type { BrandAnswerJson } from '../../contract.ts';
import { ErrorAlert, Form, fieldProps } from '../../parts/form.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import { useUnsaved } from '../../parts/use-unsaved.tsx';
import { useSession } from '../../session.ts';
import { strings } from '../../strings.ts';
import classes from './brand.module.css';
import { BrandField } from './brand-field.tsx';
import { BrandPreview } from './brand-preview.tsx';
import { type BrandTexts, textsOf } from './brand-texts.ts';
import { ImageField } from './image-field.tsx';
import { useRemoveBrand, useSaveBrand } from './save-brand.ts';
import { words } from './words.ts';

const labels = strings.fields;

/** The form of the account's brand, with a preview of the sign-in page and of messages. */
export function BrandForm({ brand, ownersAddress }: BrandAnswerJson) {
  const { account } = useSession();
  const form = useUnsaved('brand', textsOf(brand, account.accent));
  const { values, set, isChanged, done } = form;
  const save = useSaveBrand(brand, done);
  const remove = useRemoveBrand(brand);
  const field = fieldProps(form, save.error);
  const seenBefore = useProductName();
  // Without a brand, messages come from the account.
  const sentBefore = account.brand?.name ?? account.name;
  const optional = (name: keyof BrandTexts, placeholder: string, type: 'email' | 'url' | 'text' = 'url') => (
    <BrandField
      label={labels[name]!}
      placeholder={placeholder}
      inputMode={type}
      onReset={() => set({ [name]: '' })}
      {...field(name)}
    />
  );
  const image = (name: 'logo' | 'logoDark' | 'icon') => ({
    value: values[name],
    error: field(name).error,
    onChange: (chosen: string) => set({ [name]: chosen }),
  });
  return (
    <div className={classes.columns}>
      <Form error={save.error} onSubmit={() => save.mutate(values)} gap="xl">
        {form.notice}
        {!brand && <Text>{account.brand ? words.inherited(account.brand.name) : words.none(seenBefore)}</Text>}
        <Part title={words.seen}>
          <TextInput
            label={labels.name}
            description={words.nameHelp}
            placeholder={brand ? undefined : seenBefore}
            required
            {...field('name')}
          />
          <ColorInput
            label={labels.accent}
            description={words.accentHelp}
            value={values.accent}
            onChange={(accent) => set({ accent: accent.trim().toLowerCase() })}
            format="hex"
            error={field('accent').error}
            eyeDropperButtonProps={{ 'aria-label': words.pick }}
            swatches={['#1f5f56', '#2456a6', '#6b3fa0', '#a12b4a', '#b4531a', '#7a6a12', '#33383d']}
          />
          {values.accent !== account.accent && (
            <div>
              <SmallButton type="button" onClick={() => set({ accent: account.accent })}>
                {words.toDefault(account.accent)}
              </SmallButton>
            </div>
          )}
        </Part>
        <Part title={words.images} text={words.imagesText}>
          <ImageField label={labels.logo!} description={words.logoHelp} kind="logo" scheme="light" {...image('logo')} />
          <ImageField
            label={labels.logoDark!}
            description={words.logoDarkHelp}
            kind="logo"
            scheme="dark"
            {...image('logoDark')}
          />
          <ImageField label={labels.icon!} description={words.iconHelp} kind="icon" {...image('icon')} />
        </Part>
        <Part title={words.help} text={words.helpText}>
          {optional('supportEmail', words.noLink, 'email')}
          {optional('supportUrl', words.noLink)}
          {optional('legalNoticeUrl', words.noLink)}
          {optional('privacyUrl', words.noLink)}
          {optional('termsUrl', words.noLink)}
        </Part>
        <Part title={words.messages}>
          {optional('senderName', values.name.trim() || sentBefore, 'text')}
          {optional('replyTo', words.owner(ownersAddress), 'email')}
        </Part>
        <ErrorAlert error={remove.error} />
        <Group>
          <Button type="submit" disabled={!isChanged} loading={save.isPending}>
            {words.save}
          </Button>
          {brand && (
            <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
              {words.remove}
            </Button>
          )}
          {isChanged && (
            <Text size="sm" c="dimmed">
              {words.notYet}
            </Text>
          )}
        </Group>
      </Form>
      <BrandPreview texts={values} seenBefore={seenBefore} sentBefore={sentBefore} />
    </div>
  );
}

function Part({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h4" id={id} mb={text ? 4 : 'sm'}>
        {title}
      </Title>
      {text && (
        <Text size="sm" c="dimmed" mb="sm">
          {text}
        </Text>
      )}
      <Stack gap="md">{children}</Stack>
    </section>
  );
}
