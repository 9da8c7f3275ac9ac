import { eventJson } from '../../audit/event-json.ts';
import { latestEventId, readEvents } from '../../audit/read-events.ts';
import { dialectOf, type Trx } from '../../db/database.ts';
import { snapshot } from '../../db/snapshot.ts';
import { AppError } from '../../errors.ts';
import { wrongParameter } from './answers.ts';
import { idSchema, objectSchema, ref, textSchema } from './json-schema.ts';
import { readLimit } from './list-parts.ts';
import { readOperation } from './operation.ts';
import { oneValue } from './query-parameters.ts';
import { reading } from './reading.ts';

const limits = { otherwise: 100, max: 1000 };

export const listEventsOperation = readOperation('GET /api/events.json', {
  id: 'listEvents',
  tag: 'Events',
  scope: 'events:read',
  summary: 'List events',
  description:
    'The events of the account, oldest first, in parts: each change of pages, images, users, settings and customers is an event. Events are kept for 400 days. No event is ever added before one that you have read, so following `next` misses none.',
  queryParameters: {
    after: textSchema(
      'Only events after this one: `next` of the previous part, or `latest` for future events only. Starts with the oldest event by default.',
      'event_12',
    ),
    limit: textSchema(
      `Maximum number of events, up to ${limits.max}; ${limits.otherwise} by default. A part may be shorter although more events follow.`,
      '100',
    ),
  },
  answers: [
    { status: 200, schema: 'EventList', description: 'The events.' },
    wrongParameter('"after" must be the id of an event, or "latest".'),
  ],
  schemas: {
    EventList: objectSchema({
      events: { type: 'array', items: ref('Event'), description: 'Oldest first.' },
      next: textSchema('`after` for the next part, even if there are no more events yet.', 'event_12'),
    }),
    Event: objectSchema({
      type: textSchema('Type of the event: a kind of object, and what was done to it.', 'page.created'),
      timestamp: { ...textSchema('Time of the event, in ISO 8601.', '2026-11-27T08:56:03.000Z'), format: 'date-time' },
      data: ref('EventData'),
    }),
    EventData: objectSchema({
      id: idSchema('event', 'Identifier of the event.'),
      account_id: textSchema('Identifier of the account.', 'account_1'),
      subject: textSchema('Identifier of the object that the event is about.', 'page_12'),
      actor: textSchema('Name of the actor, such as a user.', 'Olivia Owner'),
      details: {
        type: 'object',
        description: 'Names, and old and new values, for people to read. Its fields depend on the type.',
        examples: [{ name: 'Opening hours' }],
      },
    }),
  },
  handler: reading(async ({ ctx, keyOwner: { accountId }, dependencies: { db } }) => {
    const input = readQuery(ctx.query);
    const read = async (trx: Trx) => {
      const isLatest = input.after === undefined;
      const after = input.after ?? (await latestEventId(trx, accountId));
      const events = isLatest ? [] : await readEvents(trx, accountId, { after, limit: input.limit });
      return { events, next: events.at(-1)?.id ?? after };
    };
    // SQLite commits ids in order, so a snapshot is enough. On PostgreSQL, reading waits for events with lower ids.
    const { events, next } = await (dialectOf(db) === 'sqlite' ? snapshot(db, read) : db.transaction().execute(read));
    const list = events.map((event) => eventJson(accountId, event));
    return { events: list, next: `event_${next}` };
  }),
});

/** Reads the query parameters. `after` is undefined for `latest`. @throws AppError `malformed` */
function readQuery(query: string): { after: number | undefined; limit: number } {
  const limit = readLimit(query, limits);
  const after = oneValue(query, 'after') ?? 'event_0';
  if (after === 'latest') return { after: undefined, limit };
  const [, id] = /^(?:event_)?(\d{1,15})$/.exec(after) ?? [];
  if (id === undefined) throw new AppError('malformed', '"after" must be the id of an event, or "latest".');
  return { after: Number(id), limit };
}
