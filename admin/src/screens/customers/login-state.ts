import type { CustomerDetailsJson } from '../../contract.ts';

type Person = CustomerDetailsJson['people'][number];
type Message = CustomerDetailsJson['mail'][number];

export type Stage = 'none' | 'queued' | 'retrying' | 'sent' | 'expired' | 'kept' | 'failed' | 'signedIn';

export interface LoginState {
  readonly stage: Stage;
  /** The first person of the customer, to whom the login instructions are mailed. */
  readonly person: Person;
  /** The latest message to the person's current address. */
  readonly message: Message | undefined;
  readonly linkWorksUntil: number | null;
}

/** Returns the state of the login instructions of the first person, or undefined for a customer without people. */
export function loginState({
  people,
  mail,
  linkWorksUntil,
}: Pick<CustomerDetailsJson, 'people' | 'mail' | 'linkWorksUntil'>): LoginState | undefined {
  const [person] = people;
  if (!person) return undefined;
  const message = mail.find(({ to }) => to === person.email);
  return { person, message, linkWorksUntil, stage: stageOf(person, message, linkWorksUntil) };
}

function stageOf({ hasSignedIn }: Person, message: Message | undefined, linkWorksUntil: number | null): Stage {
  if (hasSignedIn) return 'signedIn';
  if (!message) return 'none';
  if (message.status === 'sent' && (linkWorksUntil ?? 0) < Date.now()) return 'expired';
  return message.status === 'queued' && message.lastError !== null ? 'retrying' : message.status;
}

/** Returns after how many milliseconds the state may have changed, or false if no change is expected. */
export function pollIntervalMs(state: LoginState | undefined): number | false {
  if (state?.stage === 'queued') return 2_000;
  return state?.stage === 'retrying' || state?.stage === 'sent' ? 15_000 : false;
}
