import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount } from '../../../test/factories.ts';
import { flatten, type PageJson, type Service, startService } from '../../../test/service.ts';

/** The simplest model of a page that determines what the list must contain. */
interface Model {
  name: string;
  body: string;
  hidden: boolean;
  description: string | null;
  parent: Model | undefined;
  children: Model[];
}

const creation = fc.record({
  /** The number of the existing page that becomes the parent, modulo their count; 0 is the root. */
  parent: fc.nat({ max: 1000 }),
  // Few different names, so that urlnames collide.
  name: fc.constantFrom('News', 'news', 'News!', 'news 2', 'News-2', 'Über', 'uber', '日本', '???'),
  body: fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replaceAll('\0', '')),
  hidden: fc.boolean(),
  description: fc.option(fc.constantFrom('', 'Words "and" more')),
});

onEachDatabase('the page list after any sequence of creations', (open) => {
  test('the list matches a simple model, and is identical from a service with and without a cached list', async (t) => {
    const database = await open(t);
    const warm = await startService(t, database);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(creation, { maxLength: 8 }), { maxLength: 6 }), async (rounds) => {
        const { key } = await makeAccount(database.db);
        const cold = await startService(t, database);
        const model: Model[] = [];
        let count = 0;
        for (const round of rounds) {
          for (const wanted of round) {
            const all = [...flattenModels(model)];
            const ids = [...flatten(await warm.pages(key))].map(({ id }) => id);
            const chosen = wanted.parent % (all.length + 1);
            const parent = chosen === 0 ? undefined : all[chosen - 1]!;
            // Only the first page of each name keeps it, so that names are unique and urlnames are not.
            const name = all.some((page) => page.name === wanted.name)
              ? `${wanted.name}${'.'.repeat(++count)}`
              : wanted.name;
            const reply = await warm.createPage(key, {
              name,
              body: wanted.body,
              is_hidden: String(wanted.hidden),
              parent_id: chosen === 0 ? '' : ids[chosen - 1]!,
              ...(wanted.description === null ? {} : { description: wanted.description }),
            });
            assert.equal(reply.status, 200, reply.text);
            const { body, hidden, description } = wanted;
            const made: Model = { name, body, hidden, description, parent, children: [] };
            (parent?.children ?? model).push(made);
          }
          const list = await warm.get('/api/pages.json', key);
          compare(list.json.pages, model, '0', '');
        }
        await assertSameBytes(warm, cold, key);
        await cold.stop();
      }),
      { numRuns: 15 },
    );
  });
});

async function assertSameBytes(one: Service, other: Service, key: string): Promise<void> {
  const [first, second] = await Promise.all([one.get('/api/pages.json', key), other.get('/api/pages.json', key)]);
  assert.ok(first.bytes.equals(second.bytes), `${first.text}\n${second.text}`);
  assert.equal(first.headers.etag, second.headers.etag);
}

function* flattenModels(pages: Model[]): Generator<Model> {
  for (const page of pages) {
    yield page;
    yield* flattenModels(page.children);
  }
}

function compare(pages: PageJson[], models: Model[], parentId: string, parentUrl: string): void {
  assert.equal(pages.length, models.length);
  assert.equal(new Set(pages.map(({ urlname }) => urlname)).size, pages.length);
  for (const [index, page] of pages.entries()) {
    const model = models[index]!;
    assert.deepEqual(
      [page.name, page.body, page.is_hidden, page.description],
      [model.name, model.body, model.hidden, model.description],
    );
    assert.equal(page.position, String(index + 1));
    assert.equal(page.parent_id, parentId);
    assert.equal(page.url, `${parentUrl}/${page.urlname}`);
    compare(page.children, model.children, page.id, page.url);
  }
}
