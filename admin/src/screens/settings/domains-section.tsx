import { Badge, Button, Code, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../api.ts';
import type { DomainJson } from '../../contract.ts';
import { onlyFieldError, showError } from '../../explain.ts';
import { beside } from '../../parts/beside-input.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { Form, fieldProps, useFields } from '../../parts/form.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import { showDone } from '../../parts/undo.tsx';
import { queryClient } from '../../queries.ts';
import { addItem, changeItem, removeItem, runOptimistic, temporaryId } from '../../run-optimistic.ts';
import { runOptimisticWithUndo } from '../../run-optimistic-with-undo.ts';
import { strings } from '../../strings.ts';
import { Item, ItemList } from './item-list.tsx';
import classes from './settings.module.css';
import { useRefusal } from './use-refusal.ts';

const words = strings.settings.domains;
const DOMAINS = ['domains'];
const refresh = () => queryClient.invalidateQueries({ queryKey: DOMAINS });

export function DomainsSection() {
  const domains = useQuery({
    queryKey: DOMAINS,
    queryFn: api.domains,
    // The service checks the DNS by itself, so the list is polled for its results.
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.domains.some(isWaiting) ? Math.min(5_000 * 1.2 ** dataUpdateCount, 60_000) : false,
  });
  const form = useFields({ host: '' });
  const { error, accept, refuse } = useRefusal({ isFree: form.values.host === '', set: form.set });
  const submit = () => {
    const host = form.values.host.trim();
    const coming: DomainJson = { ...unknownDomain, id: temporaryId(), host, shownHost: host };
    runOptimistic({
      about: DOMAINS,
      // Shown without its DNS records, which only the service knows.
      show: () => {
        form.set({ host: '' });
        accept();
        return addItem(DOMAINS, coming, 'last');
      },
      send: () => api.addDomain(host),
      onDone: (domain) => changeItem(DOMAINS, coming, domain),
      onError: (reason) => refuse(reason, { host }, words.notAdded(host)),
    });
  };
  return (
    <Stack gap="lg">
      <Text className={classes.text}>{words.text}</Text>
      <Form onSubmit={submit}>
        <TextInput
          maw={520}
          label={words.add}
          placeholder="www.example.com"
          required
          autoCapitalize="off"
          spellCheck={false}
          inputContainer={beside(<Button type="submit">{words.submit}</Button>)}
          {...fieldProps(form)('host')}
          error={onlyFieldError(error, 'host')}
        />
      </Form>
      <ItemList query={domains} items={domains.data?.domains} empty={words.empty}>
        {(domain) => <Domain key={domain.id} domain={domain} />}
      </ItemList>
    </Stack>
  );
}

/** The fields of a domain that is being added. */
const unknownDomain = {
  isPrimary: false,
  isApp: false,
  isChecked: true,
  verifiedAt: null,
  checkedAt: null,
  notes: [],
  records: [],
};

/** Returns true if a check of the service may soon change the state of the domain. */
function isWaiting({ verifiedAt, isChecked, notes }: DomainJson): boolean {
  return isChecked && (verifiedAt === null || notes.length > 0);
}

/** Returns true if the domain is proved but leads elsewhere, which is permanent behind a proxy, such as that of a CDN. */
function leadsOnlyElsewhere({ verifiedAt, notes }: DomainJson): boolean {
  return verifiedAt === null && notes.length === 1 && notes[0]!.code === 'leads_elsewhere';
}

function Domain({ domain }: { domain: DomainJson }) {
  const isComing = domain.id < 0;
  const isVerified = domain.verifiedAt !== null;
  const isOnlyElsewhere = leadsOnlyElsewhere(domain);
  const verify = useMutation({
    mutationFn: (mayLeadElsewhere: boolean) => api.verifyDomain(domain.id, { mayLeadElsewhere }),
    // The message shows that the domain was checked again, even if the result is the same.
    onSuccess: (checked) => {
      const isProved = checked.verifiedAt !== null || leadsOnlyElsewhere(checked);
      showDone(words.checked(checked.shownHost, { isProved, isInOrder: checked.notes.length === 0 }));
    },
    onError: (error) => showError(error),
    onSettled: refresh,
  });
  const remove = () =>
    runOptimisticWithUndo({
      about: DOMAINS,
      show: () => removeItem(DOMAINS, domain),
      send: () => api.removeDomain(domain.id),
      sendBack: () => api.restoreDomain(domain.id),
      done: () => words.removed(domain.shownHost, isVerified),
      undone: words.restored(domain.shownHost),
    });
  const badge = <Badge variant={isVerified ? 'light' : 'default'}>{stateOf(domain)}</Badge>;
  const more = (
    <>
      {isComing && <Skeleton h={132} mt={8} opacity={0.4} aria-hidden />}
      {!isComing && (!isVerified || domain.notes.length > 0) && <Records domain={domain} />}
      {!isComing && !isVerified && domain.isChecked && (
        <Text size="sm" mt={8}>
          {words.looking}
        </Text>
      )}
      {domain.notes.length > 0 && (
        <Text size="sm" mt={8} c="var(--mantine-color-error)">
          {domain.notes.map(strings.domainNote).join(' ')} {isVerified && words.stays}
        </Text>
      )}
      {isOnlyElsewhere && (
        <Button variant="default" size="xs" mt={8} loading={verify.isPending} onClick={() => verify.mutate(true)}>
          {words.useAnyway}
        </Button>
      )}
    </>
  );
  return (
    <Item name={domain.shownHost} badge={badge} more={more}>
      {!isComing && (
        <Group gap="xs">
          {(!isVerified || domain.notes.length > 0) && (
            <Button size="xs" loading={verify.isPending} onClick={() => verify.mutate(false)}>
              {words.verify}
            </Button>
          )}
          <SmallButton aria-label={words.removeOf(domain.shownHost)} onClick={remove}>
            {words.remove}
          </SmallButton>
        </Group>
      )}
    </Item>
  );
}

/** Shows the DNS records that prove the domain and lead visitors here, for copying. */
function Records({ domain: { records } }: { domain: DomainJson }) {
  const of = (...types: RecordJson['type'][]) => records.filter(({ type }) => types.includes(type));
  const alias = of('ALIAS');
  if (alias.length === 0) {
    return (
      <>
        <RecordGroup text={words.cname} records={of('CNAME')} />
        <RecordGroup text={words.proofOnly} records={of('TXT')} />
      </>
    );
  }
  const addresses = of('A', 'AAAA');
  return (
    <>
      <RecordGroup text={words.apexProof} records={of('TXT')} />
      {addresses.length > 0 && <RecordGroup text={words.apexAddresses} records={addresses} />}
      <RecordGroup text={addresses.length > 0 ? words.apexAlias : words.apexAliasOnly} records={alias} />
    </>
  );
}

type RecordJson = DomainJson['records'][number];

function RecordGroup({ text, records }: { text: string; records: readonly RecordJson[] }) {
  return (
    <>
      <Text size="sm" my={8}>
        {text}
      </Text>
      {records.map(({ type, name, nameInZone, value }) => (
        <dl key={`${type} ${value}`} className={classes.record}>
          <dt>{words.recordType}</dt>
          <dd>{type}</dd>
          <dt>{words.recordName}</dt>
          <dd>
            <Code>{nameInZone}</Code>
            <CopyText text={nameInZone} label={words.copyName(type)} />
          </dd>
          <dt>{words.recordFullName}</dt>
          <dd>
            <Code>{name}</Code>
            <CopyText text={name} label={words.copyFullName(type)} />
          </dd>
          <dt>{words.recordValue}</dt>
          <dd>
            <Code>{value}</Code>
            <CopyText text={value} label={words.copy(type)} />
          </dd>
        </dl>
      ))}
    </>
  );
}

function stateOf(domain: DomainJson): string {
  const { id, verifiedAt, checkedAt, isPrimary, isApp } = domain;
  if (id < 0) return words.adding;
  if (leadsOnlyElsewhere(domain)) return words.proved;
  if (verifiedAt !== null) return isApp ? words.app : isPrimary ? words.primary : words.verified;
  return checkedAt === null ? words.waiting : words.notProved;
}
