import { Anchor, Paper, Text, Title } from '@mantine/core';
import { CircleCheck } from 'lucide-react';
import { useId } from 'react';
import { Link } from 'wouter';
import type { AttentionJson, AttentionKind, OverviewJson } from '../../contract.ts';
import lists from '../../parts/list.module.css';
import { useSession } from '../../session.ts';
import classes from './overview.module.css';
import { listParts, words } from './words.ts';

/** The screens that list all items of a kind, where the user can act on them. */
const places: Record<AttentionKind, (overview: OverviewJson) => string> = {
  mail_failed: () => '/customers?state=active&signedIn=never&mail=failed',
  never_signed_in: ({ createdUntil }) => `/customers?state=active&signedIn=never&to=${createdUntil}`,
  domains_failing: () => '/customers?state=active&domain=failing',
  at_limit: () => '/customers?state=active&usage=full',
  changes_failed: () => '/customers?change=failed',
  own_domains_failing: () => '/settings/domains',
  keys_expiring: () => '/settings/keys',
};

/** Lists what needs attention, each with a link to solve it. */
export function Attention({ overview }: { overview: OverviewJson }) {
  const id = useId();
  const { agency } = useSession();
  return (
    <section aria-labelledby={id} className={classes.section}>
      <Title order={2} size="h4" id={id} mb="sm">
        {words.attentionTitle}
      </Title>
      <Paper>
        {overview.attention.length === 0 && !overview.isMailKept ? (
          <div className={classes.nothing}>
            <CircleCheck size={22} aria-hidden />
            <div>
              <Text fw={600}>{words.nothing}</Text>
              <Text size="sm" c="dimmed">
                {words.nothingText}
              </Text>
            </div>
          </div>
        ) : (
          <ul className={lists.list} aria-labelledby={id}>
            {overview.isMailKept && (
              <li className={classes.item}>
                <div className={classes.facts}>
                  <Text fw={600}>{words.mailKept}</Text>
                  <Text size="sm" c="dimmed">
                    {words.mailKeptText(agency)}
                  </Text>
                </div>
              </li>
            )}
            {overview.attention.map((item) => (
              <Item key={item.kind} item={item} place={places[item.kind](overview)} />
            ))}
          </ul>
        )}
      </Paper>
    </section>
  );
}

function Item({ item: { kind, count, first }, place }: { item: AttentionJson; place: string }) {
  const { title, text, all } = words.attention[kind];
  return (
    <li className={classes.item}>
      <div className={classes.facts}>
        <Text fw={600}>{title(count)}</Text>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
        <Text size="sm">
          <Names first={first} count={count} isLinked={place.startsWith('/customers')} />
        </Text>
      </div>
      <Anchor component={Link} href={place} size="sm">
        {all}
      </Anchor>
    </li>
  );
}

/** Names the first few items, and the number of others. Customers' names link to their screens. */
function Names({ first, count, isLinked }: Pick<AttentionJson, 'first' | 'count'> & { isLinked: boolean }) {
  const others = count - first.length;
  const items = [...first.map(({ name }) => name), ...(others > 0 ? [words.others(others)] : [])];
  const left = first.values();
  return listParts(items).map(({ type, value }, index) => {
    const named = type === 'element' ? left.next().value : undefined;
    if (!named) return value;
    const name = <bdi>{value}</bdi>;
    return isLinked ? (
      <Anchor key={index} component={Link} href={`/customers/${named.id}`} inherit>
        {name}
      </Anchor>
    ) : (
      <span key={index}>{name}</span>
    );
  });
}
