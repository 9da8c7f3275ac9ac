import { Anchor, Group, Text } from '@mantine/core';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import type { TemplateJson } from '../../contract.ts';
import { IconButton } from '../../parts/icon-button.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import { move, restore, retire } from './template-actions.ts';
import classes from './templates.module.css';
import { words } from './words.ts';

interface TemplateItemProps {
  readonly template: TemplateJson;
  /** The templates among which it can be moved. */
  readonly among: readonly TemplateJson[];
  readonly onEdit: () => void;
}

export function TemplateItem({ template, among, onEdit }: TemplateItemProps) {
  const { id, name, description, retiredAt, isGone, sites } = template;
  return (
    <li className={classes.item} tabIndex={-1}>
      <div className={classes.facts}>
        <Anchor renderRoot={(props) => <Link {...props} href={`/templates/${id}`} />} fw={600} dir="auto" c="inherit">
          {name}
        </Anchor>
        <TemplateSite template={template} />
        {description && (
          <Text size="sm" mt={4} className={classes.description} dir="auto">
            {description}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {words.made(sites)}
        </Text>
      </div>
      <Group gap="xs">
        <PlaceButtons template={template} among={among} />
        <SmallButton aria-label={words.editOf(name)} onClick={onEdit}>
          {words.edit}
        </SmallButton>
        {retiredAt === null && (
          <SmallButton aria-label={words.retireOf(name)} onClick={() => retire(template)}>
            {words.retire}
          </SmallButton>
        )}
        {retiredAt !== null && !isGone && (
          <SmallButton aria-label={words.restoreOf(name)} onClick={() => restore(template)}>
            {words.restore}
          </SmallButton>
        )}
      </Group>
    </li>
  );
}

/** Says whose website it is, and leads there. */
export function TemplateSite({ template: { siteName, address, isGone } }: { template: TemplateJson }) {
  if (isGone) return <Text size="sm">{words.gone}</Text>;
  return (
    <Text size="sm">
      {words.siteOf(siteName)} ·{' '}
      <Anchor href={address} target="_blank" inherit>
        {address.replace(/^https?:\/\//, '')}
      </Anchor>
    </Text>
  );
}

/** The buttons that move a template. The one that was pressed keeps the focus, although its item has moved. */
function PlaceButtons({ template, among }: Pick<TemplateItemProps, 'template' | 'among'>) {
  const place = among.findIndex(({ id }) => id === template.id);
  const pressed = useRef<'up' | 'down'>(undefined);
  const buttons = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const [up, down] = buttons.current?.querySelectorAll('button') ?? [];
    const wanted = pressed.current === 'up' ? [up, down] : [down, up];
    if (pressed.current) wanted.find((button) => button?.disabled === false)?.focus();
    pressed.current = undefined;
  }, [place]);
  if (among.length < 2) return null;
  const where = words.place(place + 1, among.length);
  const button = (to: 'up' | 'down', other: TemplateJson | undefined) => (
    <IconButton
      label={words[to](template.name, where)}
      variant="default"
      disabled={!other}
      onClick={() => {
        pressed.current = to;
        if (other) move(template, other);
      }}
    >
      {to === 'up' ? <ArrowUp size={16} aria-hidden /> : <ArrowDown size={16} aria-hidden />}
    </IconButton>
  );
  return (
    <Group ref={buttons} gap={4} wrap="nowrap">
      {button('up', among[place - 1])}
      {button('down', among[place + 1])}
    </Group>
  );
}
