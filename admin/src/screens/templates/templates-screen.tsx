import { Button, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LayoutTemplate } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api.ts';
import type { TemplateJson } from '../../contract.ts';
import { Empty } from '../../parts/empty.tsx';
import lists from '../../parts/list.module.css';
import { OfferDialog, type Offered, TEMPLATES } from '../../parts/offer-dialog.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { RetiredList } from '../../parts/retired-list.tsx';
import { ScreenHead } from '../../parts/screen-head.tsx';
import { useIsKnown, useSession } from '../../session.ts';
import { TemplateItem } from './template-item.tsx';
import classes from './templates.module.css';
import { words } from './words.ts';

/** Lists the templates that new customers can start from. */
export default function TemplatesScreen() {
  const isKnown = useIsKnown();
  const { account } = useSession();
  const [offered, setOffered] = useState<Offered>();
  const offerOwn = (
    <Button disabled={!isKnown} onClick={() => setOffered({ site: account })}>
      {words.offerOwn}
    </Button>
  );
  return (
    <div className={classes.screen}>
      <ScreenHead title={words.title} mb="sm">
        {offerOwn}
      </ScreenHead>
      <Text mb="lg" className={classes.text}>
        {words.text}
      </Text>
      <Templates onEdit={(template) => setOffered({ template })} />
      <OfferDialog offered={offered} onClose={() => setOffered(undefined)} />
    </div>
  );
}

function Templates({ onEdit }: { onEdit: (template: TemplateJson) => void }) {
  const query = useQuery({ queryKey: TEMPLATES, queryFn: ({ signal }) => api.templates(signal) });
  const templates = query.data?.templates;
  const listOf = (shown: readonly TemplateJson[]) =>
    shown.map((template) => (
      <TemplateItem key={template.id} template={template} among={shown} onEdit={() => onEdit(template)} />
    ));
  const offered = templates?.filter(({ retiredAt }) => retiredAt === null) ?? [];
  const retired = templates?.filter(({ retiredAt }) => retiredAt !== null) ?? [];
  return (
    <Stack gap="lg">
      <QueryState query={query} h={132} />
      {templates?.length === 0 && <Empty icon={LayoutTemplate} title={words.empty} text={words.emptyText} />}
      {offered.length > 0 && (
        <Paper component="section" aria-label={words.offeredTitle}>
          <ul className={lists.list}>{listOf(offered)}</ul>
        </Paper>
      )}
      {retired.length > 0 && (
        <RetiredList title={words.retiredTitle} text={words.retiredText}>
          {listOf(retired)}
        </RetiredList>
      )}
    </Stack>
  );
}
