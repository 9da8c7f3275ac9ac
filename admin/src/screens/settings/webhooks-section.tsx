import { Badge, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import type { EventKind, WebhookAttemptJson, WebhookDeliveryJson, WebhookJson } from '../../contract.ts';
import { showError } from '../../explain.ts';
import { beside } from '../../parts/beside-input.tsx';
import { Form, FormError, fieldProps, useFields } from '../../parts/form.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import { showDone } from '../../parts/undo.tsx';
import { queryClient } from '../../queries.ts';
import { removeItem } from '../../run-optimistic.ts';
import { runOptimisticWithUndo } from '../../run-optimistic-with-undo.ts';
import { strings } from '../../strings.ts';
import { formatTime } from '../../times.ts';
import { ChangeWebhookDialog } from './change-webhook-dialog.tsx';
import { EventKinds } from './event-kinds.tsx';
import { Item, ItemList } from './item-list.tsx';
import classes from './settings.module.css';
import { ShownSecret } from './shown-secret.tsx';

const words = strings.settings.webhooks;
const WEBHOOKS = ['webhooks'];
const refresh = () => queryClient.invalidateQueries({ queryKey: WEBHOOKS });
const EMPTY: { url: string; kinds: EventKind[] } = { url: '', kinds: [] };

/** Lists the webhooks, which notify programs of events, and adds new ones. */
export function WebhooksSection() {
  const webhooks = useQuery({ queryKey: WEBHOOKS, queryFn: api.webhooks, refetchInterval: 30_000 });
  const form = useFields(EMPTY);
  const [secret, setSecret] = useState<string>();
  const add = useMutation({
    mutationFn: () => api.addWebhook(form.values.url, form.values.kinds.length === 0 ? null : form.values.kinds),
    onSuccess: (added) => {
      setSecret(added.secret);
      form.set(EMPTY);
      return refresh();
    },
  });
  return (
    <Stack gap="lg">
      <Text className={classes.text}>{words.text}</Text>
      {secret !== undefined && (
        <ShownSecret title={words.secret} secret={secret} onClose={() => setSecret(undefined)} />
      )}
      <Form onSubmit={add.mutate}>
        <FormError error={add.error} />
        <Group align="flex-start">
          <TextInput
            className={classes.grow}
            maw={520}
            label={words.url}
            placeholder="https://"
            type="url"
            required
            autoCapitalize="off"
            spellCheck={false}
            {...fieldProps(form, add.error)('url')}
          />
          <EventKinds
            className={classes.growWithButton}
            maw={520}
            kinds={form.values.kinds}
            onKinds={(kinds) => form.set({ kinds })}
            inputContainer={beside(
              <Button type="submit" loading={add.isPending}>
                {words.submit}
              </Button>,
            )}
          />
        </Group>
      </Form>
      <ItemList query={webhooks} items={webhooks.data?.webhooks} empty={words.empty}>
        {(webhook) => <Webhook key={webhook.id} webhook={webhook} onSecret={setSecret} />}
      </ItemList>
    </Stack>
  );
}

interface WebhookProps {
  readonly webhook: WebhookJson;
  readonly onSecret: (secret: string) => void;
}

function Webhook({ webhook, onSecret }: WebhookProps) {
  const { id, url, kinds, createdAt, failingSince, pausedAt, nextAttemptAt } = webhook;
  const [isOpen, setOpen] = useState(false);
  const [isChanging, setChanging] = useState(false);
  const deliveries = useQuery({
    queryKey: [...WEBHOOKS, id],
    queryFn: () => api.webhookDeliveries(id),
    enabled: isOpen,
    refetchInterval: 5_000,
  });
  const onError = (error: unknown) => showError(error, words.notDone);
  const saying = (done: string) => ({
    onSuccess: () => {
      showDone(done);
      return refresh();
    },
    onError,
  });
  const test = useMutation({
    mutationFn: () => api.testWebhook(id),
    onSuccess: () => {
      setOpen(true);
      return refresh();
    },
    onError,
  });
  const resume = useMutation({ mutationFn: () => api.resumeWebhook(id), ...saying(words.resumed) });
  const renew = useMutation({
    mutationFn: () => api.changeWebhookSecret(id),
    onSuccess: (made) => onSecret(made.secret),
    onError,
  });
  const resend = useMutation({ mutationFn: (from: number) => api.resendEvents(id, from), ...saying(words.resent) });
  const replay = useMutation({ mutationFn: (event: number) => api.replayEvent(id, event), ...saying(words.replayed) });
  const remove = () =>
    runOptimisticWithUndo({
      about: WEBHOOKS,
      show: () => removeItem(WEBHOOKS, webhook),
      send: () => api.removeWebhook(id),
      sendBack: () => api.restoreWebhook(id),
      done: () => words.removed,
      undone: words.restored,
    });
  const details = [
    kinds === null ? words.all : kinds.map((kind) => words.kinds[kind]).join(', '),
    words.added(formatTime(createdAt)),
  ];
  if (failingSince !== null) details.push(words.failing(formatTime(failingSince)));
  if (nextAttemptAt !== null) details.push(words.next(formatTime(nextAttemptAt)));
  return (
    <Item
      name={url}
      badge={
        pausedAt !== null ? (
          <Badge color="red" variant="light">
            {words.paused}
          </Badge>
        ) : (
          failingSince !== null && <Badge variant="default">{words.isFailing}</Badge>
        )
      }
      details={details.join(' · ')}
      more={
        <>
          <Group gap="xs" mt="sm">
            {failingSince !== null && (
              <SmallButton aria-label={words.resumeOf(url)} onClick={() => resume.mutate()}>
                {words.resume}
              </SmallButton>
            )}
            <SmallButton aria-expanded={isOpen} aria-label={words.deliveriesOf(url)} onClick={() => setOpen(!isOpen)}>
              {words.deliveries}
            </SmallButton>
            <SmallButton aria-label={words.testOf(url)} loading={test.isPending} onClick={() => test.mutate()}>
              {words.test}
            </SmallButton>
            <SmallButton aria-label={words.changeOf(url)} onClick={() => setChanging(true)}>
              {words.change}
            </SmallButton>
            <SmallButton aria-label={words.renewOf(url)} onClick={() => renew.mutate()}>
              {words.renew}
            </SmallButton>
            <SmallButton aria-label={words.removeOf(url)} onClick={remove}>
              {words.remove}
            </SmallButton>
          </Group>
          <ChangeWebhookDialog
            webhook={webhook}
            opened={isChanging}
            onChanged={refresh}
            onClose={() => setChanging(false)}
          />
          {isOpen && (
            <ItemList query={deliveries} items={deliveries.data?.deliveries} empty={words.noDeliveries} isInside>
              {(delivery) => (
                <Delivery
                  key={delivery.id}
                  delivery={delivery}
                  onReplay={() => replay.mutate(delivery.eventId)}
                  onResend={() => resend.mutate(delivery.eventId)}
                />
              )}
            </ItemList>
          )}
        </>
      }
    />
  );
}

interface DeliveryProps {
  readonly delivery: WebhookDeliveryJson;
  /** Sends the event of this delivery again. */
  readonly onReplay: () => void;
  /** Sends the event of this delivery and all later ones again. */
  readonly onResend: () => void;
}

function Delivery({ delivery, onReplay, onResend }: DeliveryProps) {
  const { eventId, type, at, duration, response, request } = delivery;
  const [isOpen, setOpen] = useState(false);
  return (
    <Item
      name={type === '' ? words.forgotten : type}
      badge={
        <Badge variant="light" color={isAccepted(delivery) ? 'green' : 'red'}>
          {delivery.status ?? words.noAnswer}
        </Badge>
      }
      details={[formatTime(at), words.took(duration), ...(delivery.error === null ? [] : [delivery.error])].join(' · ')}
      more={
        isOpen && (
          <>
            {request !== null && (
              <Code block mt="xs">
                {request}
              </Code>
            )}
            <Text size="sm" mt="xs">
              {response === '' ? words.emptyAnswer : words.answer}
            </Text>
            {response !== '' && <Code block>{response}</Code>}
          </>
        )
      }
    >
      <Group gap="xs">
        <SmallButton aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {words.details}
        </SmallButton>
        {request !== null && <SmallButton onClick={onReplay}>{words.replay}</SmallButton>}
        {eventId > 0 && <SmallButton onClick={onResend}>{words.resend}</SmallButton>}
      </Group>
    </Item>
  );
}

function isAccepted({ status }: WebhookAttemptJson): boolean {
  return status !== null && status >= 200 && status < 300;
}
