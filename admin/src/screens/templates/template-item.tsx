import { Anchor, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { TemplateJson } from '../../contract.ts';
import { PlaceButtons } from '../../parts/place-buttons.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import { move, restore, retire } from './template-actions.ts';
import classes from './templates.module.css';
import { words } from './words.ts';

interface TemplateItemProps {
  readonly template: TemplateJson;
  /** The templates among which this one can be moved. */
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
        <PlaceButtons item={template} among={among} onMove={(place) => move(template, place)} />
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

/** Names the website of the template, with a link to it. */
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
