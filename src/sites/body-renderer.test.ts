import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { BodyRenderer, startThread } from './body-renderer.ts';
import { type BodySource, renderAsText, renderBody } from './render-body.ts';

const long = '[a](b) **c** '.repeat(5000);
/** Renders a body of a top-level account. */
function render(renderer: BodyRenderer, accountId: number, source: BodySource) {
  return renderer.render(accountId, source, async () => ({ topLevelId: accountId, customerId: accountId }));
}

const short = { body: '*a*', format: 'markdown_format' } as const;

test('long bodies come out like short ones', async () => {
  const renderer = new BodyRenderer();
  for (const source of [
    { body: '# A\n\n**b** c [d](e) é\n\n'.repeat(1000), format: 'markdown_format' },
    { body: '<h1>A</h1><p onclick="x">b</p>'.repeat(1000), format: '' },
  ] as const) {
    assert.deepEqual(await render(renderer, 1, source), renderBody(source.body, source.format));
  }
});

test('a long body holds up no short one, nor does a short one that is nothing but tables', async () => {
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

test('many long bodies of one account hold up no other account’s', async () => {
  const renderer = new BodyRenderer();
  const source = { body: long, format: 'markdown_format' } as const;
  const many = Array.from({ length: 4 }, () => render(renderer, 1, source));
  await setImmediate();
  assert.equal(renderer.threads, 1, 'one of an account at a time');
  const other = render(renderer, 2, source);
  await setImmediate();
  assert.equal(renderer.threads, 2, 'another account’s begins at once');
  const rendered = renderBody(long, 'markdown_format');
  for (const one of await Promise.all([...many, other])) assert.deepEqual(one, rendered);
  assert.equal(renderer.threads, 2);
});

test('a thread ends when it has had nothing to do for five minutes, and the next long body gets another', async (t) => {
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

test('a body that a thread has not enough memory for is shown as the text it is', async () => {
  const renderer = new BodyRenderer({ memory: 12 });
  const body = `<p>${'<b>b</b> '.repeat(20_000)}</p>`;
  assert.match((await render(renderer, 1, { body, format: '' })).html, /^<p>b +b +b /);
  assert.equal(renderer.threads, 1, 'another has taken the place of the one that ended');
  const small = '<p>a</p>'.repeat(2000);
  assert.deepEqual(await render(renderer, 1, { body: small, format: '' }), renderBody(small, ''));
});

test('a thread with a huge heap ends with the body that it was for', async () => {
  const renderer = new BodyRenderer();
  const image = (bytes: number) => `<p>a</p><img src="data:image/png;base64,${'A'.repeat(bytes)}">`;
  const bodies = [1, 2, 3].map((accountId) => render(renderer, accountId, { body: image(2_000_000), format: '' }));
  await setImmediate();
  assert.equal(renderer.threads, 1, 'one at a time');
  for (const { html } of await Promise.all(bodies)) assert.match(html, /<img src="data:image\/png;base64,A{2000000}"/);
  while (renderer.threads > 0) await setImmediate();
});

/** A renderer whose threads are started or not, as `isAllowed` says. */
function withRoomFor(isAllowed: () => boolean): BodyRenderer {
  const start: typeof startThread = (...how) => {
    if (!isAllowed()) throw new Error('no more threads');
    return startThread(...how);
  };
  return new BodyRenderer({ start });
}

test('a body whose thread cannot be started fails, and later ones are rendered', async () => {
  const source = { body: long, format: 'markdown_format' } as const;
  let isAllowed = false;
  const renderer = withRoomFor(() => isAllowed);
  for (let time = 0; time < 3; time++) await assert.rejects(render(renderer, 1, source), /no more threads/);
  assert.equal(renderer.threads, 0);
  isAllowed = true;
  assert.deepEqual(await render(renderer, 1, source), renderBody(long, 'markdown_format'));
});

test('a body that finds no thread of its own is rendered by the one that is at work', async () => {
  const source = { body: long, format: 'markdown_format' } as const;
  let left = 1;
  const renderer = withRoomFor(() => left-- > 0);
  const rendered = renderBody(long, 'markdown_format');
  for (const one of await Promise.all([render(renderer, 1, source), render(renderer, 2, source)])) {
    assert.deepEqual(one, rendered);
  }
  assert.equal(renderer.threads, 1);
});

test('bodies that wait for a thread which then cannot be started fail, and the others get their turn', async () => {
  const huge = (letter: string) =>
    ({ body: `<p>a</p><img src="data:image/png;base64,${letter.repeat(2_000_000)}">`, format: '' }) as const;
  const starts = [true, false, true];
  const renderer = withRoomFor(() => starts.shift()!);
  const outcomes = await Promise.allSettled(
    ['A', 'B', 'C'].map((letter, index) => render(renderer, index, huge(letter))),
  );
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});

test('a body that takes too long is shown as the text it is, in another thread, and not tried again', async () => {
  let started = 0;
  const start: typeof startThread = (...how) => {
    started += 1;
    return startThread(...how);
  };
  const renderer = new BodyRenderer({ timeLimitMs: 0, start });
  const source = { body: long, format: 'markdown_format' } as const;
  const asText = renderAsText(long);
  assert.deepEqual(await render(renderer, 1, source), asText);
  assert.equal(started, 2, 'the thread was ended, and another took its place');
  assert.deepEqual(await render(renderer, 1, source), asText);
  assert.equal(started, 2, 'it is known');
  await render(renderer, 1, { ...source, body: `${long}x` });
  assert.ok(started > 2, 'another body is tried');
});

test('an account’s waiting bodies stand behind those of others', async () => {
  const renderer = new BodyRenderer();
  const finished: number[] = [];
  const renderLong = (accountId: number) =>
    render(renderer, accountId, { body: long, format: 'markdown_format' }).then(() => void finished.push(accountId));
  const many = [1, 2].flatMap((accountId) => Array.from({ length: 4 }, () => renderLong(accountId)));
  await Promise.all([...many, renderLong(3)]);
  assert.ok(finished.indexOf(3) <= 3, `${finished}`);
});

test('waiting bodies of one account’s customers stand behind those of other top-level accounts', async () => {
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
