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
    'What has been done in the account, in order, in parts: each change of pages, images, people, settings and customers is an event. Events are kept for 400 days. None appears before one that you have read, so that `next` leads to all that come later.',
  queryParameters: {
    after: textSchema(
      'Only events after this one: `next` of the part before. `latest` for those that are still to come. From the first one if it is not given.',
      'event_12',
    ),
    limit: textSchema(
      `How many at most, up to ${limits.max}; ${limits.otherwise} if it is not given. A part may be shorter, although more follow.`,
      '100',
    ),
  },
  answers: [
    { status: 200, schema: 'EventList', description: 'The events.' },
    wrongParameter('"after" must be the id of an event, or "latest".'),
  ],
  schemas: {
    EventList: objectSchema({
      events: { type: 'array', items: ref('Event'), description: 'In their order.' },
      next: textSchema('`after` of the next part, also where there is none yet.', 'event_12'),
    }),
    Event: objectSchema({
      type: textSchema('What was done, and to what kind of thing.', 'page.created'),
      timestamp: { ...textSchema('When, in ISO 8601.', '2026-11-27T08:56:03.000Z'), format: 'date-time' },
      data: ref('EventData'),
    }),
    EventData: objectSchema({
      id: idSchema('event', 'Identifier of the event.'),
      account_id: textSchema('Identifier of the account.', 'account_1'),
      subject: textSchema('Identifier of what it was done to.', 'page_12'),
      actor: textSchema('Name of who did it.', 'Olivia Owner'),
      details: {
        type: 'object',
        description: 'Names, and old and new values, for people to read. Which there are depends on the type.',
        examples: [{ name: 'Opening hours' }],
      },
    }),
  },
  handler: reading(async ({ ctx, caller: { accountId }, dependencies: { db } }) => {
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
