import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { BodyRenderer, startThread } from './body-renderer.ts';
import { type BodySource, renderAsText, renderBody } from './render-body.ts';

const long = '[a](b) **c** '.repeat(5000);
/** Renders a body in the name of a top-level account. */
function render(renderer: BodyRenderer, accountId: number, source: BodySource) {
  return renderer.render(accountId, source, async () => ({ topLevelId: accountId, customerId: accountId }));
}

const short = { body: '*a*', format: 'markdown_format' } as const;

test('long bodies are rendered exactly like short ones', async () => {
  const renderer = new BodyRenderer();
  for (const source of [
    { body: '# A\n\n**b** c [d](e) é\n\n'.repeat(1000), format: 'markdown_format' },
    { body: '<h1>A</h1><p onclick="x">b</p>'.repeat(1000), format: '' },
  ] as const) {
    assert.deepEqual(await render(renderer, 1, source), renderBody(source.body, source.format));
  }
});

test('neither a long body nor a short one full of tables delays a short one', async () => {
  const tables = '|a|\n|-|\n\n'.repeat(1200);
  const renderer = new BodyRenderer();
  for (const body of [long, tables]) {
    const finished: string[] = [];
    await Promise.all([
      render(renderer, 1, { body, format: 'markdown_format' }).then(() => finished.push('slow')),
      render(renderer, 2, short).then(() => finished.push('short')),
    ]);
    assert.deepEqual(finished, ['short', 'slow']);
  }
});

test('many long bodies of one account do not delay those of another', async () => {
  const renderer = new BodyRenderer();
  const source = { body: long, format: 'markdown_format' } as const;
  const many = Array.from({ length: 4 }, () => render(renderer, 1, source));
  await setImmediate();
  assert.equal(renderer.threads, 1, 'one body of an account at a time');
  const other = render(renderer, 2, source);
  await setImmediate();
  assert.equal(renderer.threads, 2, 'another account’s body starts at once');
  const rendered = renderBody(long, 'markdown_format');
  for (const one of await Promise.all([...many, other])) assert.deepEqual(one, rendered);
  assert.equal(renderer.threads, 2);
});

test('a thread ends after five idle minutes, and the next long body gets a new one', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const renderer = new BodyRenderer();
  for (let time = 0; time < 2; time++) {
    await render(renderer, 1, { body: long, format: 'markdown_format' });
    t.mock.timers.tick(5 * 60_000 - 1);
    assert.equal(renderer.threads, 1);
    t.mock.timers.tick(1);
    assert.equal(renderer.threads, 0);
  }
});

test('a body that needs more memory than a thread has is shown as plain text', async () => {
  const renderer = new BodyRenderer({ memory: 12 });
  const body = `<p>${'<b>b</b> '.repeat(20_000)}</p>`;
  assert.match((await render(renderer, 1, { body, format: '' })).html, /^<p>b +b +b /);
  assert.equal(renderer.threads, 1, 'a new thread has replaced the ended one');
  const small = '<p>a</p>'.repeat(2000);
  assert.deepEqual(await render(renderer, 1, { body: small, format: '' }), renderBody(small, ''));
});

test('the thread that rendered a huge body ends afterwards', async () => {
  const renderer = new BodyRenderer();
  const image = (bytes: number) => `<p>a</p><img src="data:image/png;base64,${'A'.repeat(bytes)}">`;
  const bodies = [1, 2, 3].map((accountId) => render(renderer, accountId, { body: image(2_000_000), format: '' }));
  await setImmediate();
  assert.equal(renderer.threads, 1, 'one huge body at a time');
  for (const { html } of await Promise.all(bodies)) assert.match(html, /<img src="data:image\/png;base64,A{2000000}"/);
  while (renderer.threads > 0) await setImmediate();
});

/** Returns a renderer whose threads start only if `isAllowed` returns true. */
function rendererWithThreads(isAllowed: () => boolean): BodyRenderer {
  const start: typeof startThread = (...options) => {
    if (!isAllowed()) throw new Error('no more threads');
    return startThread(...options);
  };
  return new BodyRenderer({ start });
}

test('a body whose thread cannot be started fails, and later bodies are rendered', async () => {
  const source = { body: long, format: 'markdown_format' } as const;
  let isAllowed = false;
  const renderer = rendererWithThreads(() => isAllowed);
  for (let time = 0; time < 3; time++) await assert.rejects(render(renderer, 1, source), /no more threads/);
  assert.equal(renderer.threads, 0);
  isAllowed = true;
  assert.deepEqual(await render(renderer, 1, source), renderBody(long, 'markdown_format'));
});

test('a body that gets no thread of its own is rendered by the running thread', async () => {
  const source = { body: long, format: 'markdown_format' } as const;
  let left = 1;
  const renderer = rendererWithThreads(() => left-- > 0);
  const rendered = renderBody(long, 'markdown_format');
  for (const one of await Promise.all([render(renderer, 1, source), render(renderer, 2, source)])) {
    assert.deepEqual(one, rendered);
  }
  assert.equal(renderer.threads, 1);
});

test('bodies whose thread cannot be started fail, and other waiting bodies are rendered', async () => {
  const huge = (letter: string) =>
    ({ body: `<p>a</p><img src="data:image/png;base64,${letter.repeat(2_000_000)}">`, format: '' }) as const;
  const starts = [true, false, true];
  const renderer = rendererWithThreads(() => starts.shift()!);
  const outcomes = await Promise.allSettled(
    ['A', 'B', 'C'].map((letter, index) => render(renderer, index, huge(letter))),
  );
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});

test('a body that takes too long is shown as text by another thread, and not rendered again', async () => {
  let started = 0;
  const start: typeof startThread = (...options) => {
    started += 1;
    return startThread(...options);
  };
  const renderer = new BodyRenderer({ timeLimitMs: 0, start });
  const source = { body: long, format: 'markdown_format' } as const;
  const asText = renderAsText(long);
  assert.deepEqual(await render(renderer, 1, source), asText);
  assert.equal(started, 2, 'the thread was ended, and another took its place');
  assert.deepEqual(await render(renderer, 1, source), asText);
  assert.equal(started, 2, 'the body is remembered');
  await render(renderer, 1, { ...source, body: `${long}x` });
  assert.ok(started > 2, 'another body is tried');
});

test('an account’s waiting bodies do not delay those of other accounts', async () => {
  const renderer = new BodyRenderer();
  const finished: number[] = [];
  const renderLong = (accountId: number) =>
    render(renderer, accountId, { body: long, format: 'markdown_format' }).then(() => void finished.push(accountId));
  const many = [1, 2].flatMap((accountId) => Array.from({ length: 4 }, () => renderLong(accountId)));
  await Promise.all([...many, renderLong(3)]);
  assert.ok(finished.indexOf(3) <= 3, `${finished}`);
});

test('waiting bodies of one account’s customers do not delay other top-level accounts', async () => {
  const renderer = new BodyRenderer();
  const finished: number[] = [];
  const renderLong = async (topLevelId: number, customerId: number) => {
    const findHolder = async () => ({ topLevelId, customerId });
    await renderer.render(customerId, { body: long, format: 'markdown_format' }, findHolder);
    finished.push(customerId);
  };
  const many = [11, 12, 13, 14, 15, 16].map((customerId) => renderLong(1, customerId));
  await Promise.all([...many, renderLong(2, 2)]);
  assert.ok(finished.indexOf(2) <= 3, `${finished}`);
});
