import type { Random } from './random.ts';

/* Draws what happens to customers in three years. Nothing here uses the database. */

export type PlanKey = 'window' | 'starter' | 'business' | 'yearly' | 'premium' | 'community';

export type Happening =
  | { kind: 'created'; plan: PlanKey }
  | { kind: 'mail_failed'; words: string }
  | { kind: 'moved'; plan: PlanKey }
  | { kind: 'suspended'; reason: string }
  | { kind: 'noted'; text: string }
  | {
      kind: 'mail_sent' | 'accepted' | 'built' | 'signed_in' | 'invited' | 'domain' | 'restored' | 'deleted' | 'purged';
    };

export type Moment = Happening & { at: number };

export interface Life {
  moments: Moment[];
  /** True if the customer is still with the agency. */
  isThere: boolean;
}

const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;
const MONTH_MS = 30.4 * DAY_MS;
export const HISTORY_MS = 3 * 365 * DAY_MS;

/** When the agency introduced a plan for large customers, and when it stopped offering its first, small plan. */
export const PREMIUM_AFTER_MS = 8 * MONTH_MS;
export const WINDOW_UNTIL_MS = 14 * MONTH_MS;

const reasons = [
  'Your invoice from last month is still open. Write to us, and your site is back the same day.',
  'You asked us to pause the site over the winter.',
  'The business is being handed over to a new owner.',
  'Three reminders went unanswered. Please call us.',
];

const notes = [
  'Prefers a call to a mail. Not before ten.',
  'The daughter looks after the website; she has the pictures, too.',
  'Wants a shop next year. Talk about Business in January.',
  'Pays by standing order, always on the third.',
  'Sent us two new customers. A cake is due.',
  'New photographs are coming in the spring.',
];

const larger: Partial<Record<PlanKey, ReadonlyArray<readonly [number, PlanKey]>>> = {
  window: [
    [3, 'starter'],
    [2, 'business'],
  ],
  community: [[1, 'starter']],
  starter: [
    [4, 'business'],
    [1, 'yearly'],
  ],
  business: [
    [2, 'yearly'],
    [1, 'premium'],
  ],
  yearly: [[1, 'premium']],
};
const smaller: Partial<Record<PlanKey, PlanKey>> = { business: 'starter', yearly: 'starter', premium: 'business' };

/** Draws the history of one customer. The agency gains customers faster as it grows older. */
export function drawLife(random: Random, now: number): Life {
  const start = now - HISTORY_MS;
  const createdAt = inOfficeHours(random, start + HISTORY_MS * Math.sqrt(random.between(0.004, 0.9985)), now);
  const moments: Moment[] = [];
  let last = createdAt;
  const add = (at: number, happening: Happening) => {
    last = Math.max(at, last + MINUTE_MS);
    moments.push({ at: last, ...happening });
  };
  let plan = firstPlan(random, createdAt - start);
  add(createdAt, { kind: 'created', plan });
  const age = now - createdAt;
  if (age < 9 * DAY_MS && random.chance(0.25)) {
    add(createdAt + MINUTE_MS, { kind: 'mail_failed', words: '550 5.1.1 The mailbox does not exist' });
    return { moments: past(moments, now), isThere: true };
  }
  add(createdAt + MINUTE_MS, { kind: 'mail_sent' });
  // Some customers never sign in, and their sites stay unchanged.
  const isAbsent = random.chance(age < 60 * DAY_MS ? 0.12 : 0.025);
  if (!isAbsent) {
    add(inOfficeHours(random, createdAt + random.between(0.01, 3) * DAY_MS, now), { kind: 'accepted' });
    add(inOfficeHours(random, last + random.between(0.02, 4) * DAY_MS, now), { kind: 'built' });
    if (random.chance(0.3)) add(last + random.between(1, 30) * DAY_MS, { kind: 'invited' });
    if (random.chance(0.03)) add(last + random.between(0, 8) * DAY_MS, { kind: 'domain' });
    if (random.chance(0.15)) add(last + random.between(0, 5) * DAY_MS, { kind: 'noted', text: random.pick(notes) });
  }

  let isThere = true;
  for (let month = last + MONTH_MS; month < now && isThere; month += MONTH_MS) {
    const when = inOfficeHours(random, month + random.between(0, 20) * DAY_MS, now);
    const up = larger[plan]?.filter(([, key]) => key !== 'premium' || when - start > PREMIUM_AFTER_MS) ?? [];
    const down = smaller[plan];
    if (random.chance(0.013)) {
      add(when, { kind: 'suspended', reason: random.pick(reasons) });
      if (random.chance(0.4)) {
        add(last + random.between(4, 50) * DAY_MS, { kind: 'restored' });
      } else {
        add(last + random.between(20, 70) * DAY_MS, { kind: 'deleted' });
        isThere = last > now;
        add(last + 30 * DAY_MS, { kind: 'purged' });
        break;
      }
    } else if (up.length > 0 && random.chance(plan === 'window' ? 0.05 : 0.022)) {
      plan = random.pickWeighted(up);
      add(when, { kind: 'moved', plan });
    } else if (down && random.chance(0.006)) {
      plan = down;
      add(when, { kind: 'moved', plan });
    }
    month = Math.max(month, last);
  }
  if (!isAbsent && isThere) {
    // Sessions are kept for 90 days, so earlier sign-ins would not be visible.
    const visits = random.pick([0, 1, 1, 2, 3, 4]);
    for (let visit = 0; visit < visits; visit++) {
      moments.push({ at: inOfficeHours(random, now - random.next() ** 2 * 88 * DAY_MS, now), kind: 'signed_in' });
    }
  }
  return { moments: past(moments, now), isThere };
}

function firstPlan(random: Random, age: number): PlanKey {
  const early = age < WINDOW_UNTIL_MS;
  return random.pickWeighted<PlanKey>([
    [early ? 40 : 0, 'window'],
    [early ? 30 : 45, 'starter'],
    [22, 'business'],
    [9, 'yearly'],
    [age > PREMIUM_AFTER_MS ? 8 : 0, 'premium'],
    [7, 'community'],
  ]);
}

/** Leaves out the future, and visits while the customer could not sign in. */
function past(moments: Moment[], now: number): Moment[] {
  const done = moments.filter(({ at }) => at < now).sort((a, b) => a.at - b.at);
  const accepted = done.find(({ kind }) => kind === 'accepted')?.at ?? now;
  const suspended = done.findLast(({ kind }) => kind === 'suspended' || kind === 'restored');
  const until = suspended?.kind === 'suspended' ? suspended.at : now;
  return done.filter(({ kind, at }) => kind !== 'signed_in' || (at > accepted && at < until));
}

/** Moves a time to between 8:00 and 18:00 UTC of its day, but not after now. */
function inOfficeHours(random: Random, time: number, now: number): number {
  const midnight = Math.floor(time / DAY_MS) * DAY_MS;
  return Math.min(midnight + random.between(8, 18) * 60 * MINUTE_MS, Math.max(time, now - 10 * MINUTE_MS));
}
