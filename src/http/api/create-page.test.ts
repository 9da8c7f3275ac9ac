import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount, makePage } from '../../../test/factories.ts';
import { flatten, startWithAccount } from '../../../test/service.ts';

const success = [200, { response: true, errors: [] }];
const invalidFormat = [400, { response: false, errors: 'Invalid format' }];
const failure = (...errors: string[][]) => [422, { response: false, errors }];

onEachDatabase('creating a page', (open) => {
  test('a successful creation is answered with response true and an empty array of errors', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const reply = await service.createPage(key, { name: 'Home' });
    assert.deepEqual(reply.outcome, success);
    assert.equal(reply.text, '{"response":true,"errors":[]}');
    assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(reply.headers['cache-control'], 'private, no-cache');
  });

  test('a name already taken is refused with an array of [field, message] pairs', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    await service.createPage(key, { name: 'Home' });
    const taken = failure(['name', 'has already been taken']);
    assert.deepEqual((await service.createPage(key, { name: 'Home' })).outcome, taken);
    assert.deepEqual((await service.createPage(key, { name: '  Home\t' })).outcome, taken);
    // Names are unique within the account, not only among siblings.
    const [home] = await service.pages(key);
    assert.deepEqual((await service.createPage(key, { name: 'Home', parent_id: home!.id })).outcome, taken);
    assert.equal((await service.pages(key)).length, 1);
  });

  test('a name that another account uses may be used', async (t) => {
    const { service, key, db } = await startWithAccount(t, open);
    const other = await makeAccount(db);
    assert.deepEqual((await service.createPage(key, { name: 'Home' })).outcome, success);
    assert.deepEqual((await service.createPage(other.key, { name: 'Home' })).outcome, success);
  });

  test('a missing or blank name is a validation failure, not a malformed request', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const blank = failure(['name', "can't be blank"]);
    assert.deepEqual((await service.createPage(key, { body: 'x' })).outcome, blank);
    assert.deepEqual((await service.createPage(key, { name: '' })).outcome, blank);
    assert.deepEqual((await service.createPage(key, { name: ' \t\n\u00a0' })).outcome, blank);
  });

  test('names are trimmed and must have 1 to 255 characters, whatever their size in bytes', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    assert.deepEqual((await service.createPage(key, { name: ' \n About us \u00a0' })).outcome, success);
    assert.deepEqual((await service.createPage(key, { name: '😀'.repeat(255) })).outcome, success);
    assert.deepEqual((await service.createPage(key, { name: ` ${'a'.repeat(255)} ` })).outcome, success);
    const long = failure(['name', 'is too long (maximum is 255 characters)']);
    assert.deepEqual((await service.createPage(key, { name: 'a'.repeat(256) })).outcome, long);
    assert.deepEqual((await service.createPage(key, { name: '😀'.repeat(256) })).outcome, long);
    const names = (await service.pages(key)).map(({ name }) => name);
    assert.deepEqual(names, ['About us', '😀'.repeat(255), 'a'.repeat(255)]);
  });

  test('all invalid fields of a page are reported together', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    await service.createPage(key, { name: 'Home' });
    const reply = await service.createPage(key, {
      name: 'Home',
      body: 'a\0b',
      parent_id: 'page_999999',
      is_hidden: 'maybe',
      description: '\0',
      body_format: 'html',
    });
    assert.deepEqual(reply.status, 422);
    assert.deepEqual(reply.json.errors.toSorted(), [
      ['body', 'contains a NUL character'],
      ['body_format', 'is not included in the list'],
      ['description', 'contains a NUL character'],
      ['is_hidden', 'is not true or false'],
      ['name', 'has already been taken'],
      ['parent_id', 'does not exist'],
    ]);
    const blank = await service.createPage(key, { name: ' ', parent_id: 'nowhere' });
    assert.deepEqual(blank.json.errors, [
      ['name', "can't be blank"],
      ['parent_id', 'does not exist'],
    ]);
    const takenUnderUnknownParent = await service.createPage(key, { name: 'Home', parent_id: '77' });
    assert.deepEqual(takenUnderUnknownParent.json.errors, [
      ['name', 'has already been taken'],
      ['parent_id', 'does not exist'],
    ]);
    assert.equal((await service.pages(key)).length, 1);
  });

  test('a NUL character is a field error in every field', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    for (const field of ['name', 'body', 'parent_id', 'is_hidden', 'description', 'body_format']) {
      const reply = await service.createPage(key, { name: 'Home', [field]: 'a\0b' });
      assert.equal(reply.status, 422, field);
      assert.equal(reply.json.errors.length, 1);
      assert.equal(reply.json.errors[0][0], field);
    }
    assert.deepEqual(await service.pages(key), []);
  });

  test('parent_id takes an id with or without its prefix, and blank or 0 for a root-level page', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    await service.createPage(key, { name: 'Root' });
    const [root] = await service.pages(key);
    const number = root!.id.replace('page_', '');
    for (const [name, parent] of [
      ['a', root!.id],
      ['b', number],
      ['c', ''],
      ['d', '0'],
      ['e', '  '],
      ['f', ` ${root!.id} `],
    ] as const) {
      assert.deepEqual((await service.createPage(key, { name, parent_id: parent })).outcome, success, name);
    }
    const pages = await service.pages(key);
    assert.deepEqual(
      pages.map(({ name, parent_id }) => [name, parent_id]),
      [
        ['Root', '0'],
        ['c', '0'],
        ['d', '0'],
        ['e', '0'],
      ],
    );
    assert.deepEqual(
      pages[0]!.children.map(({ name, parent_id }) => [name, parent_id]),
      [
        ['a', root!.id],
        ['b', root!.id],
        ['f', root!.id],
      ],
    );
  });

  test('an unknown parent, or one in another account, is refused as not existing', async (t) => {
    const { service, key, db } = await startWithAccount(t, open);
    const other = await makeAccount(db);
    const foreign = await makePage(db, other.accountId, { userId: other.userId });
    const own = await service.createPage(key, { name: 'Own' });
    assert.deepEqual(own.outcome, success);
    for (const parent of [
      `page_${foreign}`,
      String(foreign),
      'page_999999',
      'page_',
      'page_0',
      'page_-1',
      '-1',
      '1.5',
      '1e1',
      '0x1',
      '９',
      'PAGE_1',
      'page_page_1',
      'account_1',
      "1' or '1'='1",
      '999999999999999999999999999',
      '9223372036854775807',
      'root',
    ]) {
      const reply = await service.createPage(key, { name: 'Child', parent_id: parent });
      assert.deepEqual(reply.outcome, failure(['parent_id', 'does not exist']), parent);
    }
    assert.equal((await service.pages(key)).length, 1);
    assert.deepEqual((await service.pages(other.key))[0]!.children, []);
  });

  test('pages may be nested 30 levels deep, and no deeper', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    let parent = '';
    for (let level = 1; level <= 30; level++) {
      const reply = await service.createPage(key, { name: `Level ${level}`, parent_id: parent });
      assert.deepEqual(reply.outcome, success);
      parent = [...flatten(await service.pages(key))].at(-1)!.id;
    }
    const tooDeep = await service.createPage(key, { name: 'Level 31', parent_id: parent });
    assert.deepEqual(tooDeep.outcome, failure(['parent_id', 'is nested too deeply']));
    const pages = [...flatten(await service.pages(key))];
    assert.equal(pages.length, 30);
    assert.equal(pages.at(-1)!.url, Array.from({ length: 30 }, (_, index) => `/level-${index + 1}`).join(''));
  });

  test('is_hidden takes the usual words for true and false, in upper or lower case, and nothing else', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const words: Array<[string, boolean]> = [
      ...['true', 'TRUE', 'True', '1', 'yes', 'Yes', 'on', 'ON', 't', 'T'].map((word): [string, boolean] => [
        word,
        true,
      ]),
      ...['false', 'FALSE', '0', 'no', 'NO', 'off', 'Off', 'f', 'F', '', '  '].map((word): [string, boolean] => [
        word,
        false,
      ]),
    ];
    for (const [index, [word]] of words.entries()) {
      const reply = await service.createPage(key, { name: `Page ${index}`, is_hidden: word });
      assert.deepEqual(reply.outcome, success, word);
    }
    const shown = (await service.pages(key)).map(({ is_hidden }) => is_hidden);
    assert.deepEqual(
      shown,
      words.map(([, hidden]) => hidden),
    );
    for (const word of ['2', '-1', 'y', 'n', 'wahr', 'null', 'true1', '1.0']) {
      const reply = await service.createPage(key, { name: 'Maybe', is_hidden: word });
      assert.deepEqual(reply.outcome, failure(['is_hidden', 'is not true or false']), word);
    }
  });

  test('body_format allows only markdown_format and wysiwyg_format', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    assert.deepEqual((await service.createPage(key, { name: 'a', body_format: 'markdown_format' })).outcome, success);
    assert.deepEqual((await service.createPage(key, { name: 'b', body_format: 'wysiwyg_format' })).outcome, success);
    for (const wrong of ['markdown', 'MARKDOWN_FORMAT', 'html', '1', 'toString']) {
      const reply = await service.createPage(key, { name: 'c', body_format: wrong });
      assert.deepEqual(reply.outcome, failure(['body_format', 'is not included in the list']), wrong);
    }
    const formats = (await service.pages(key)).map(({ body_format }) => body_format);
    assert.deepEqual(formats, ['markdown_format', 'wysiwyg_format']);
  });

  test('body_format defaults to the editor in the account settings at the time of creation', async (t) => {
    const { service, key, db, accountId } = await startWithAccount(t, open);
    const chooseEditor = (editor: 'markdown_format' | 'wysiwyg_format') =>
      db
        .transaction()
        .execute((trx) => trx.updateTable('accounts').set({ editor }).where('id', '=', accountId).execute());
    await chooseEditor('markdown_format');
    await service.createPage(key, { name: 'a' });
    await chooseEditor('wysiwyg_format');
    await service.createPage(key, { name: 'b', body_format: '' });
    await service.createPage(key, { name: 'c', body_format: 'markdown_format' });
    const formats = (await service.pages(key)).map(({ body_format }) => body_format);
    assert.deepEqual(formats, ['markdown_format', 'wysiwyg_format', 'markdown_format']);
  });

  test('body and description are stored unchanged and never sanitized', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const bodies = [
      '<script>alert("1 < 2 && 3 > 2")</script>\r\n\t<p onclick=x>é e\u0301 \u202e 😀 \ufeff\u0001\u007f\ufffd\uffff</p>  ',
      '  leading and trailing \n\n',
      '\ufeffbegins with a byte order mark',
      '+ %2B %20 & = ; #?',
      '{"a":"\\u0041"}',
      '\r\n',
    ];
    for (const [index, body] of bodies.entries()) {
      assert.deepEqual(
        (await service.createPage(key, { name: `Page ${index}`, body, description: body })).outcome,
        success,
      );
    }
    for (const [index, page] of (await service.pages(key)).entries()) {
      assert.equal(page.body, bodies[index]);
      assert.equal(page.description, bodies[index]);
    }
  });

  test('every field but the name is optional, and has its documented default', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    await service.createPage(key, { name: 'Bare' });
    const [page] = await service.pages(key);
    assert.equal(page!.body, '');
    assert.equal(page!.description, null);
    assert.equal(page!.is_hidden, false);
    assert.equal(page!.parent_id, '0');
    assert.equal(page!.position, '1');
    assert.equal(page!.body_format, 'wysiwyg_format');
  });

  test('a new page comes last, and its urlname gets -2, -3… if siblings have the same one', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    for (const name of ['Über uns', 'Uber uns', 'uber uns!', 'UBER  UNS', '日本', '!!!', '???', 'Page', 'Ye’s']) {
      assert.deepEqual((await service.createPage(key, { name })).outcome, success);
    }
    const [first] = await service.pages(key);
    await service.createPage(key, { name: 'uber uns?', parent_id: first!.id });
    const pages = await service.pages(key);
    assert.deepEqual(
      pages.map(({ urlname, position }) => [urlname, position]),
      [
        ['uber-uns', '1'],
        ['uber-uns-2', '2'],
        ['uber-uns-3', '3'],
        ['uber-uns-4', '4'],
        [pages[4]!.urlname, '5'],
        ['page', '6'],
        ['page-2', '7'],
        ['page-3', '8'],
        ['yes', '9'],
      ],
    );
    // Pages under another parent may have the same urlname.
    assert.equal(pages[0]!.children[0]!.url, '/uber-uns/uber-uns');
  });

  test('generated urlnames do not collide with names that end in numbers', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    for (const name of ['News 2', 'News', 'news', 'News!', 'News-2', 'news 4']) {
      assert.deepEqual((await service.createPage(key, { name })).outcome, success);
    }
    const urlnames = (await service.pages(key)).map(({ urlname }) => urlname);
    assert.deepEqual(urlnames, ['news-2', 'news', 'news-3', 'news-4', 'news-2-2', 'news-4-2']);
    // The lowest free number is used, even if higher ones are taken.
    for (const name of ['Foo', 'Foo 2', 'Foo 4', 'foo!', 'foo?']) await service.createPage(key, { name });
    assert.deepEqual(
      (await service.pages(key)).slice(6).map(({ urlname }) => urlname),
      ['foo', 'foo-2', 'foo-4', 'foo-3', 'foo-5'],
    );
  });

  test('a request in an invalid format is answered with a string instead of an array', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    assert.deepEqual((await service.post('/api/pages.json', key, {})).outcome, invalidFormat);
    assert.deepEqual((await service.post('/api/pages.json', key, { page: 'Home' })).outcome, invalidFormat);
    assert.deepEqual((await service.post('/api/pages.json', key, { name: 'Home' })).outcome, invalidFormat);
    assert.deepEqual((await service.post('/api/pages.json', key, { 'customer[name]': 'x' })).outcome, invalidFormat);
  });

  test('page fields may be JSON strings, numbers or booleans, depending on the field', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const send = (page: unknown) =>
      service.request('POST', `/api/pages.json?api_key=${key}`, {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ page }),
      });
    assert.deepEqual((await send({ name: 2026, body: 1.5, is_hidden: true, description: 7 })).outcome, success);
    const [page] = await service.pages(key);
    assert.deepEqual([page!.name, page!.body, page!.is_hidden, page!.description], ['2026', '1.5', true, '7']);
    const parent = Number(page!.id.replace('page_', ''));
    assert.deepEqual((await send({ name: 'Child', parent_id: parent, is_hidden: 0 })).outcome, success);
    assert.deepEqual((await send({ name: 'Root', parent_id: 0, is_hidden: 1 })).outcome, success);
    // Clients send null for a field that they leave out.
    assert.deepEqual((await send({ name: 'Null', parent_id: null, description: null, body: null })).outcome, success);
    for (const wrong of [
      { name: true },
      { name: 'x', body: false },
      { name: 'x', parent_id: true },
      { name: 'x', body_format: 1 },
    ]) {
      assert.deepEqual((await send(wrong)).outcome, invalidFormat, JSON.stringify(wrong));
    }
    const pages = await service.pages(key);
    assert.deepEqual(
      pages.map(({ name, is_hidden, description }) => [name, is_hidden, description]),
      [
        ['2026', true, '7'],
        ['Root', true, null],
        ['Null', false, null],
      ],
    );
    assert.equal(pages[0]!.children[0]!.is_hidden, false);
  });

  test('created_by and updated_by name the user of the key', async (t) => {
    const { service, key, db, accountId } = await startWithAccount(t, open);
    await service.createPage(key, { name: 'Home' });
    const [page] = await service.pages(key);
    const { name } = await db
      .selectFrom('users')
      .select('name')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    assert.deepEqual([page!.created_by, page!.updated_by], [name, name]);
  });

  test('exactly one of 50 concurrent creations of pages with one name succeeds', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const replies = await Promise.all(Array.from({ length: 50 }, () => service.createPage(key, { name: 'Prices' })));
    assert.equal(replies.filter(({ status }) => status === 200).length, 1);
    for (const reply of replies) {
      assert.deepEqual(reply.outcome, reply.status === 200 ? success : failure(['name', 'has already been taken']));
    }
    assert.equal((await service.pages(key)).length, 1);
  });

  test('200 concurrent creations under several parents result in positions 1 to n', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    for (const name of ['A', 'B', 'C']) await service.createPage(key, { name });
    const parents = ['', ...(await service.pages(key)).map(({ id }) => id)];
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        service.createPage(key, { name: `Same${'!'.repeat(index)}`, parent_id: parents[index % 4]! }),
      ),
    );
    for (const reply of replies) assert.deepEqual(reply.outcome, success);
    const pages = await service.pages(key);
    for (const siblings of [pages, ...pages.map(({ children }) => children)]) {
      assert.deepEqual(
        siblings.map(({ position }) => position),
        siblings.map((_, index) => String(index + 1)),
      );
      assert.equal(new Set(siblings.map(({ urlname }) => urlname)).size, siblings.length);
    }
    assert.equal([...flatten(pages)].length, 203);
  });
});
