import { Badge, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CustomerDetailsJson } from '../../contract.ts';
import { Section } from '../../parts/section.tsx';
import { formatCalendarDate, formatClock, formatTime } from '../../times.ts';
import { words as actionWords } from './action-words.ts';
import classes from './customer.module.css';
import { words } from './customer-words.ts';
import { MessageText } from './message-text.tsx';
import { ServerWords } from './server-words.tsx';

/** Lists the people of a customer. */
export function People({ people }: Pick<CustomerDetailsJson, 'people'>) {
  return (
    <List title={words.people}>
      {people.map((person) => (
        <Item key={person.id} name={person.name} details={`${person.email}, ${words.roles[person.role]}`}>
          {seen(person)}
        </Item>
      ))}
    </List>
  );
}

function seen({ lastSeenAt, hasSignedIn }: CustomerDetailsJson['people'][number]): string {
  if (lastSeenAt !== null) return words.lastSeen(formatTime(lastSeenAt));
  return hasSignedIn ? words.notLately : words.notYet;
}

/** Lists the mail to the people of a customer. */
export function Mail({ mail }: Pick<CustomerDetailsJson, 'mail'>) {
  return (
    <List title={words.mail} empty={words.noMail}>
      {mail.map(({ id, subject, to, status, lastError, createdAt, sentAt, hasText }) => (
        <Item
          key={id}
          name={subject}
          details={words.mailTo(to, formatTime(sentAt ?? createdAt))}
          more={status !== 'sent' && lastError && <ServerWords text={lastError} />}
        >
          <Group gap="xs">
            <Badge variant={status === 'sent' ? 'light' : 'default'} color={status === 'failed' ? 'red' : undefined}>
              {words.mailStates[status]}
            </Badge>
            {hasText && <MessageText id={id} subject={subject} />}
          </Group>
        </Item>
      ))}
    </List>
  );
}

/** Lists the domains that a customer has added. */
export function Domains({ domains }: Pick<CustomerDetailsJson, 'domains'>) {
  return (
    <List title={words.domains} empty={words.noDomains}>
      {domains.map(({ host, isVerified }) => (
        <Item key={host} name={host}>
          {isVerified ? words.verified : words.unverified}
        </Item>
      ))}
    </List>
  );
}

/** Lists when users of the agency were signed in as users of this customer. */
export function Visits({ visits }: Pick<CustomerDetailsJson, 'visits'>) {
  if (visits.length === 0) return null;
  return (
    <List title={actionWords.visits}>
      {visits.map(({ id, agent, person, reason, startedAt, endsAt }) => (
        <Item key={id} name={actionWords.visit(agent, person)} details={reason}>
          {actionWords.visitTime(formatTime(startedAt), formatClock(endsAt))}
        </Item>
      ))}
    </List>
  );
}

/** Lists the customer's changes of plan, from the ledger. */
export function PlanHistory({ history }: Pick<CustomerDetailsJson, 'history'>) {
  return (
    <List title={words.history}>
      {history.map((change, index) => (
        <Item key={history.length - index} name={words.change(change)}>
          {formatCalendarDate(change.at)}
        </Item>
      ))}
    </List>
  );
}

function List({ title, empty, children }: { title: string; empty?: string; children: readonly ReactNode[] }) {
  return (
    <Section title={title}>
      {children.length === 0 ? <Text size="sm">{empty}</Text> : <ul className={classes.list}>{children}</ul>}
    </Section>
  );
}

interface ItemProps {
  readonly name: string;
  readonly details?: string;
  /** The content below the details. */
  readonly more?: ReactNode;
  readonly children: ReactNode;
}

function Item({ name, details, more, children }: ItemProps) {
  return (
    <li className={classes.item}>
      <div className={classes.main}>
        <Text size="sm" fw={600} dir="auto">
          {name}
        </Text>
        {details && (
          <Text size="sm" c="dimmed">
            {details}
          </Text>
        )}
      </div>
      <Text size="sm" component="div">
        {children}
      </Text>
      {more && <div className={classes.more}>{more}</div>}
    </li>
  );
}
