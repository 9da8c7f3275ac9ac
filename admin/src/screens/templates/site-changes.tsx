import { List, Text } from '@mantine/core';
import { useState } from 'react';
import type { LeftPageJson, PushSiteJson, SitePreviewJson } from '../../contract.ts';
import { explainRefusal } from '../../explain.ts';
import { SmallButton } from '../../parts/small-button.tsx';
import { strings } from '../../strings.ts';
import { CompareDialog } from './compare-dialog.tsx';
import { countPages } from './count-pages.ts';
import classes from './templates.module.css';
import { words } from './words.ts';

interface SiteChangesProps {
  readonly site: SitePreviewJson | PushSiteJson;
}

/** Shows a site of a push or its preview: how many pages change, and on demand which. */
export function SiteChanges({ site }: SiteChangesProps) {
  const [compared, compare] = useState<LeftPageJson>();
  const { name, updated, added, left } = site;
  const summary = sumOf(site);
  const keptPages = 'kept' in site ? site.kept : [];
  const hasDetails = updated.length + added.length + left.length + keptPages.length > 0;
  const head = (
    <>
      <span className={classes.siteName} dir="auto">
        {name}
      </span>
      <Text component="span" size="sm" c="dimmed">
        {summary}
      </Text>
    </>
  );
  return (
    <li className={classes.site}>
      {hasDetails ? (
        <details>
          <summary>{head}</summary>
          <Names title={words.updated} names={updated} />
          <Names title={words.added} names={added} />
          {left.length > 0 && (
            <>
              <Text size="sm" fw={600}>
                {words.leftTitle}
              </Text>
              <List size="sm" className={classes.pages}>
                {left.map((page) => (
                  <List.Item key={page.sourceId}>
                    “{page.name}”: {words.reasons[page.reason]}{' '}
                    {page.reason !== 'deleted' && page.reason !== 'removed' && (
                      <SmallButton aria-label={words.compareOf(page.name, name)} onClick={() => compare(page)}>
                        {words.compare}
                      </SmallButton>
                    )}
                  </List.Item>
                ))}
              </List>
            </>
          )}
          <Names title={words.kept} names={keptPages} />
        </details>
      ) : (
        head
      )}
      <CompareDialog site={site} page={compared} onClose={() => compare(undefined)} />
    </li>
  );
}

function Names({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <List size="sm" className={classes.pages}>
        {names.map((name) => (
          <List.Item key={name}>{name}</List.Item>
        ))}
      </List>
    </>
  );
}

function sumOf(site: SitePreviewJson | PushSiteJson): string {
  const sum = words.totals(countPages([site]));
  if (!('state' in site)) return sum || words.noChange;
  const { state, failure } = site;
  if (failure) return [words.siteStates.failed, reasonOf(failure)].filter(Boolean).join(': ');
  return state === 'done' ? sum || words.noChange : words.siteStates[state];
}

function reasonOf({ fields, why }: NonNullable<PushSiteJson['failure']>): string {
  if (why) return explainRefusal(why);
  return fields
    .map(({ field, code, params }) => {
      const rule = strings.rules[code] as string | ((params: unknown) => string);
      return `${strings.fields[field] ?? field} ${typeof rule === 'string' ? rule : rule(params)}`;
    })
    .join('; ');
}
