import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { onEachDatabase, type TestDatabase } from '../../../test/databases.ts';
import { startWithAccount } from '../../../test/service.ts';

onEachDatabase('settings over the API', (open) => {
  test('the settings that are sent are changed, and the others are not', async (t) => {
    const { service, key, change, read } = await setUp(t, open);
    const before = await read();
    await service.createPage(key, { name: 'Team' });
    const [page] = await service.pages(key);
    const changed = {
      name: 'Acme Bakery',
      theme: 'portfolio',
      accent: '#112233',
      time_zone: 'Europe/Berlin',
      editor: 'markdown_format',
      language: 'de',
      second_button: page!.id,
    };
    const reply = await change(changed);
    assert.deepEqual([reply.status, reply.json], [200, { response: true, errors: [] }]);
    assert.deepEqual(await read(), { ...before, ...changed });
    await change({ second_button: '' });
    assert.deepEqual(await read(), { ...before, ...changed, second_button: null });
  });

  test('invalid settings are refused with every wrong field, and nothing is changed', async (t) => {
    const { change, read } = await setUp(t, open);
    const before = await read();
    const wrong = { name: '', accent: 'red', time_zone: 'Mars', editor: 'word', theme: 'x', language: '?' };
    const { status, json } = await change(wrong);
    assert.equal(status, 422);
    assert.deepEqual(json.errors.map(([field]: [string]) => field).sort(), [
      'accent',
      'editor',
      'language',
      'name',
      'theme',
      'time_zone',
    ]);
    const missing = await change({ second_button: 'page_999999' });
    assert.deepEqual([missing.status, missing.json.errors], [422, [['second_button', 'does not exist']]]);
    assert.deepEqual(await read(), before);
  });
});

async function setUp(t: TestContext, open: (t: TestContext) => Promise<TestDatabase>) {
  const started = await startWithAccount(t, open);
  const { service, key } = started;
  const change = (settings: Readonly<Record<string, string>>) =>
    service.request('PATCH', '/api/settings.json', {
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ settings }),
    });
  const read = async () => (await service.get('/api/settings.json', key)).json.settings;
  return { ...started, change, read };
}
