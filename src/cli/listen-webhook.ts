import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import { sender } from '../webhooks/send.ts';
import { signatureHeaders } from '../webhooks/sign.ts';
import { eventKinds, newSecret } from '../webhooks/webhook.ts';
import { commandWithoutDatabase, OptionError, UsageError } from './command.ts';

const INTERVAL_MS = 1000;
const TIMEOUT_MS = 30_000;

export const listen = commandWithoutDatabase({
  about: 'Forwards the events of an account to an address on your machine, as a webhook would, until it is stopped.',
  details:
    'For development, where the service cannot reach your machine. The command asks the service for events with the API key in\n' +
    'the variable API_KEY, which needs the scope events:read. It signs with a new secret at each start, unless\n' +
    'WEBHOOK_SECRET is set. Events that fail are reported, and not sent again.',
  positionals: ['URL'],
  options: {
    service: { type: 'string', value: 'URL', required: true, about: 'The address of the service.' },
    after: {
      type: 'string',
      value: 'EVENT',
      about: 'Begin after this event (event_12). Default: with the next event.',
    },
    kinds: {
      type: 'string',
      value: 'KINDS',
      about: `The kinds of events, separated by commas: ${eventKinds.join(', ')}. Default: all.`,
    },
  },
  example: 'http://localhost:3000/events --service https://app.example.com',
  async run({ environment, positionals: [target = ''], values, report }) {
    const { API_KEY: key = '', WEBHOOK_SECRET: secret = newSecret() } = environment;
    if (key === '') throw new AppError('invalid', 'API_KEY is not set. Set it to a key with the scope events:read.');
    const kinds = values.kinds?.split(',').map((kind) => kind.trim());
    const unknown = kinds?.find((kind) => !eventKinds.some((known) => known === kind));
    if (unknown !== undefined)
      throw new OptionError('kinds', `has "${unknown}", which is not one of ${eventKinds.join(', ')}`);
    for (const [name, address] of [
      ['URL', target],
      ['--service', values.service],
    ] as const) {
      if (!/^https?:$/.test(URL.parse(address)?.protocol ?? '')) {
        throw new UsageError(`${name} must be an address like http://localhost:3000/events.`);
      }
    }
    const options = { service: values.service, key, secret, kinds, after: values.after ?? 'latest' };
    await forwardEvents(target, options, { report, signal: new AbortController().signal });
    return { text: '', json: {} };
  },
});

interface ForwardOptions {
  /** The address of the service. */
  readonly service: string;
  readonly key: string;
  readonly secret: string;
  /** The kinds of events, with which their types begin; undefined for all. */
  readonly kinds: readonly string[] | undefined;
  /** The id of an event, or `latest`. */
  readonly after: string;
}

interface EventList {
  readonly events: readonly {
    readonly type: string;
    readonly data: { readonly id: string; readonly subject: string };
  }[];
  readonly next: string;
}

/**
 * Polls for events and forwards each once, until the signal is aborted. @throws AppError `forbidden` if the service refuses
 * the key
 */
export async function forwardEvents(
  target: string,
  { service, key, secret, kinds, after }: ForwardOptions,
  { report, signal }: { report: (text: string) => void; signal: AbortSignal },
): Promise<void> {
  const send = sender({ dnsServers: [], webhooksToPrivateNetworks: true }, signal);
  const secrets = { secret, old_secret: null, old_secret_until: null };
  let next = after;
  let isBegun = false;
  while (!signal.aborted) {
    const list = await ask(new URL(`/api/events.json?after=${encodeURIComponent(next)}`, service), key, signal).catch(
      (error) => {
        if (error instanceof AppError || signal.aborted) throw error;
        report(`The service did not answer; trying again: ${reasonOf(error)}`);
        return undefined;
      },
    );
    // Reported only once the service has accepted the key.
    if (list && !isBegun) report(`Events go to ${target}, signed with ${secret}. Stop with Ctrl + C.`);
    isBegun ||= list !== undefined;
    for (const event of list?.events ?? []) {
      if (kinds && !kinds.includes(event.type.split('.')[0]!)) continue;
      const body = JSON.stringify(event);
      const { id, subject } = event.data;
      const { status, error, duration } = await send(
        target,
        signatureHeaders(secrets, { id, body, at: Date.now() }),
        body,
      );
      report(`${event.type} ${subject} (${id}): ${error ?? `${status}, ${duration} ms`}`);
    }
    next = list?.next ?? next;
    if (!list || list.events.length === 0) await sleep(INTERVAL_MS, undefined, { signal }).catch(() => {});
  }
}

async function ask(url: URL, key: string, signal: AbortSignal): Promise<EventList> {
  const headers = { Authorization: `Bearer ${key}` };
  const response = await fetch(url, { headers, signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) });
  const answer = (await response.json()) as EventList & { errors?: unknown };
  if ([400, 401, 403].includes(response.status)) {
    throw new AppError('forbidden', `The service refused the request: ${String(answer.errors)}`);
  }
  if (!response.ok) throw new Error(`status ${response.status}`);
  return answer;
}

/** Returns why a request failed. `fetch` puts the reason into the error's cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, code } = (error.cause ?? {}) as NodeJS.ErrnoException;
  return message || code || error.message;
}
