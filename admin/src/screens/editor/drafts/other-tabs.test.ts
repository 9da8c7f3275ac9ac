import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { OtherTabs } from './other-tabs.ts';

test('a tab that opens a page and the tabs that already have it open exchange their states of the page', async (t) => {
  const first = open(t, 'published');
  const second = open(t, 'with a draft');
  assert.deepEqual([await first.heard(), await second.heard()], ['with a draft', 'published']);
  assert.deepEqual([first.hellos(), second.hellos()], [1, 0]);
  second.setState('with another draft');
  assert.equal(await first.heard(), 'with another draft');
});

function open(t: TestContext, initial: string) {
  let state = initial;
  let hellos = 0;
  const states: string[] = [];
  let onState = () => {};
  const tabs = new OtherTabs('1:2', {
    state: () => state,
    onHello: () => {
      hellos += 1;
    },
    onChanged: (told) => {
      states.push(told);
      onState();
    },
  });
  t.after(() => tabs.close());
  return {
    hellos: () => hellos,
    setState: (next: string) => {
      state = next;
      tabs.tellChanged();
    },
    /** Returns the next state that the tab is told. */
    heard: async () => {
      while (states.length === 0) await new Promise<void>((resolve) => (onState = resolve));
      return states.shift();
    },
  };
}
