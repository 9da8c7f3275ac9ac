import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { onEachDatabase, onSqlite } from '../../../test/databases.ts';
import {
  bracketed,
  customerFields,
  type RequestOptions,
  type Service,
  startWithAccount,
} from '../../../test/service.ts';

const success = [200, { response: true, errors: [] }];
const invalidFormat = [400, { response: false, errors: 'Invalid format' }];
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const json = { 'Content-Type': 'application/json' };
const multipart = { 'Content-Type': 'multipart/form-data; boundary=X' };

interface Sent {
  /** The rest of the query after `?api_key=…&`, one byte a character. */
  query?: string;
  headers?: RequestOptions['headers'];
  body?: RequestOptions['body'];
}

onSqlite('reading a request', (open) => {
  test('the encodings of common HTTP clients are all read to the same fields', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    // `<b>Ü & "é" + 100%</b>` in each client's own encoding. The names of the pages differ, because they must be unique.
    const text = '<b>Ü & "é" + 100%</b>';
    const [upper, lower] = [
      '%3Cb%3E%C3%9C+%26+%22%C3%A9%22+%2B+100%25%3C%2Fb%3E',
      '%3cb%3e%c3%9c+%26+%22%c3%a9%22+%2b+100%25%3c%2fb%3e',
    ];
    const spaces = upper.replaceAll('+', '%20');
    const part = (name: string, value: string, more = '') =>
      `--X\r\nContent-Disposition: form-data; name="${name}"\r\n${more}\r\n${value}\r\n`;
    const clients: Record<string, Sent> = {
      'curl -G -d (raw brackets)': {
        query: 'page[name]=NAME&page[body]=<b>%C3%9C%20%26%20"%C3%A9"%20%2B%20100%25</b>',
      },
      'curl -G --data-urlencode': { query: `page[name]=NAME&page[body]=${spaces}` },
      'curl -d': { headers: form, body: `page[name]=NAME&page[body]=<b>Ü %26 "é" %2B 100%25</b>` },
      'curl --data-urlencode': { headers: form, body: `page[name]=NAME&page[body]=${spaces}` },
      'curl -F': {
        headers: { 'Content-Type': 'multipart/form-data; boundary=------------------------X' },
        body: `${part('page[name]', 'NAME')}${part('page[body]', text)}--X--\r\n`.replaceAll(
          '--X',
          '--------------------------X',
        ),
      },
      'curl -X POST --json': { headers: json, body: JSON.stringify({ page: { name: 'NAME', body: text } }) },
      'PHP http_build_query in the URL': { query: `page%5Bname%5D=NAME&page%5Bbody%5D=${upper}` },
      'PHP http_build_query in the body': { headers: form, body: `page%5Bname%5D=NAME&page%5Bbody%5D=${upper}` },
      'Ruby URI.encode_www_form': { query: `page%5Bname%5D=NAME&page%5Bbody%5D=${upper}` },
      'Ruby Net::HTTP set_form_data': { headers: form, body: `page%5Bname%5D=NAME&page%5Bbody%5D=${upper}` },
      'Ruby Net::HTTP set_form multipart': {
        headers: multipart,
        body: `${part('page[name]', 'NAME')}${part('page[body]', text)}--X--\r\n`,
      },
      'Python requests params': {
        query: `page%5Bname%5D=NAME&page%5Bbody%5D=${upper}`,
        headers: { 'Content-Length': '0' },
      },
      'Python urllib lower case': { query: `page%5bname%5d=NAME&page%5bbody%5d=${lower}` },
      'Python requests files=(None, …)': {
        headers: multipart,
        body: `${part('page[name]', 'NAME')}${part('page[body]', text)}--X--\r\n`,
      },
      'Java with a type on each part': {
        headers: { 'Content-Type': 'multipart/form-data; charset=UTF-8; boundary="X"' },
        body: `${part('page[name]', 'NAME', 'Content-Type: text/plain; charset=UTF-8\r\nContent-Transfer-Encoding: 8bit\r\n')}${part('page[body]', text, 'Content-Type: text/plain;charset=utf-8\r\n')}--X--`,
      },
      'jQuery $.param': {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8' },
        body: `page%5Bname%5D=NAME&page%5Bbody%5D=${upper}`,
      },
      'fetch with JSON': {
        headers: { 'Content-Type': 'application/json; charset=utf-8' },
        body: JSON.stringify({ page: { name: 'NAME', body: text } }),
      },
      'JSON with every character escaped': {
        headers: json,
        body: `{"page":{"name":"NAME","body":"${[...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"}}`,
      },
      'JSON with a byte order mark': {
        headers: json,
        body: `\ufeff${JSON.stringify({ page: { name: 'NAME', body: text } })}`,
      },
      'axios postForm': {
        headers: multipart,
        body: `${part('page[name]', 'NAME')}${part('page[body]', text)}--X--\r\n`,
      },
      'axios params, brackets unescaped': { query: `page[name]=NAME&page[body]=${spaces.replace('%20', '+')}` },
      'fetch without a body but with its type': {
        query: `page[name]=NAME&page[body]=${upper}`,
        headers: { ...json, 'Content-Length': '0' },
      },
      'a form type and an empty body': {
        query: `page[name]=NAME&page[body]=${upper}`,
        headers: { ...form, 'Content-Length': '0' },
      },
      'an unknown type and an empty body': {
        query: `page[name]=NAME&page[body]=${upper}`,
        headers: { 'Content-Type': 'text/html', 'Content-Length': '0' },
      },
      'an empty chunked body': {
        query: `page[name]=NAME&page[body]=${upper}`,
        headers: { ...json, 'Transfer-Encoding': 'chunked' },
      },
      'an empty form in a multipart body': {
        query: `page[name]=NAME&page[body]=${upper}`,
        headers: multipart,
        body: '--X--\r\n',
      },
      'name in the query, body in the body': { query: 'page[name]=NAME', headers: form, body: `page[body]=${upper}` },
      'JSON that says nothing of the page': { query: `page[name]=NAME&page[body]=${upper}`, headers: json, body: '{}' },
      'the body wins over the query': {
        query: 'page[name]=NAME&page[body]=query',
        headers: json,
        body: JSON.stringify({ page: { body: text } }),
      },
      'a media type in capitals': {
        headers: { 'Content-Type': 'APPLICATION/JSON ; Charset="UTF-8"' },
        body: JSON.stringify({ page: { name: 'NAME', body: text } }),
      },
    };
    const names: string[] = [];
    for (const [client, { query = '', headers = {}, body }] of Object.entries(clients)) {
      const name = `Client ${names.length}`;
      const reply = await send(service, key, {
        query: query.replace('NAME', encodeURIComponent(name)),
        headers,
        ...(body === undefined ? {} : { body: String(body).replace('NAME', name) }),
      });
      assert.deepEqual(reply.outcome, success, client);
      names.push(name);
    }
    const pages = await service.pages(key);
    for (const [index, client] of Object.keys(clients).entries()) {
      assert.equal(pages[index]!.name, names[index], client);
      assert.equal(pages[index]!.body, text, client);
    }
  });

  test('pages of up to 1 MiB fit into the URL, and pages of 16 MiB into the body', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const html = '<p class="a">Grüße &amp; mehr</p>\n'.repeat(5600);
    assert.deepEqual((await service.createPage(key, { name: 'In the URL', body: html })).outcome, success);
    const head = `/api/pages.json?api_key=${key}&page[name]=Mebibyte&page[body]=`;
    const longest = 'x'.repeat(1024 * 1024 - head.length);
    assert.deepEqual((await service.request('POST', head + longest)).outcome, success);
    const twoMegabytes = 'äöü €'.repeat(200_000);
    assert.deepEqual(
      (await send(service, key, { headers: json, body: JSON.stringify({ page: { name: 'Two', body: twoMegabytes } }) }))
        .outcome,
      success,
    );
    // With the other fields, the request is larger than that.
    const sixteen = 'y'.repeat(16 * 1024 * 1024);
    const body = `page[name]=Sixteen&page[body]=${sixteen}`;
    assert.deepEqual((await send(service, key, { headers: form, body })).outcome, success);
    const pages = await service.pages(key);
    for (const [index, body] of [html, longest, twoMegabytes, sixteen].entries()) {
      assert.ok(pages[index]!.body === body, String(index));
    }
  });

  test('the largest bodies are read or refused quickly, even if they consist of separators', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const half = 7 * 1024 * 1024;
    const spaces = await send(service, key, {
      headers: form,
      body: `page[name]=a&page[body]=${'é+'.repeat(half / 2)}`,
    });
    assert.deepEqual(spaces.outcome, success);
    assert.ok((await service.pages(key))[0]!.body === 'é '.repeat(half / 2));
    const file = `--X\r\nContent-Disposition: form-data; name="upload"; filename="a"\r\n\r\n${'x'.repeat(half)}\r\n`;
    const name = '--X\r\nContent-Disposition: form-data; name="page[name]"\r\n\r\nb\r\n--X--\r\n';
    const upload = await send(service, key, { headers: multipart, body: `${file}${name}${'y'.repeat(half)}` });
    assert.deepEqual(upload.outcome, success);
    for (const [headers, body] of [
      [form, '&'.repeat(2 * half)],
      [form, '&page[x]'.repeat(half / 4)],
      [multipart, '--X\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(half / 40)],
    ] as const) {
      assert.deepEqual((await send(service, key, { headers, body })).outcome, invalidFormat);
    }
  });

  test('a body beyond the limit is answered with 413 and a URL with 414 or 431, as JSON', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const body = Buffer.alloc(20 * 1024 * 1024 + 1, 'x');
    for (const headers of [form, { ...form, 'Transfer-Encoding': 'chunked' }]) {
      const reply = await send(service, key, { headers, body });
      assert.equal(reply.status, 413);
      assert.equal(reply.json.response, false);
      assert.equal(typeof reply.json.errors, 'string');
    }
    for (const [length, status] of [
      [1088 * 1024, 414],
      [2 * 1024 * 1024, 431],
    ] as const) {
      const reply = await send(service, key, { query: `page[body]=${'x'.repeat(length)}` });
      assert.equal(reply.status, status);
      assert.equal(reply.json.response, false);
      assert.equal(typeof reply.json.errors, 'string');
    }
    assert.deepEqual(await service.pages(key), []);
  });

  test('a malformed page creation is answered with 400 Invalid format, and creates nothing', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const part = (head: string, value: string) => `--X\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;
    const queries = [
      '',
      'page',
      'page=',
      'page=x',
      'page=x&page[name]=a',
      'page[]=x',
      'page[]=x&page[name]=a',
      'page[=x',
      'page]=x',
      'page[name=x',
      'page[name][]=x',
      'page[name][x]=y',
      'page[name]x=y',
      'page[name]=a&page[name]=b',
      'page[name]=a&page[name]=a',
      'page[name]=a&page%5Bname%5D=b',
      'page[name]=a&page[name][]=b',
      'page[name]=a&page[body]=%',
      'page[name]=a&page[body]=%2',
      'page[name]=a&page[body]=%zz',
      'page[name]=a&page[body]=%u00e9',
      'page[name]=a&x=%zz',
      'page[name]=a&page[body]=%ff',
      'page[name]=a&page[body]=%e9',
      'page[name]=a&page[body]=%c0%af',
      'page[name]=a&page[body]=%c3',
      'page[name]=a&page[body]=%ed%a0%80',
      'page[name]=a&page[body]=%f4%90%80%80',
      'page[name%ff]=a',
      'page.name=a',
      'PAGE[name]=a',
      ' page[name]=a'.replace(' ', '+'),
      'pages[name]=a',
      'name=a',
    ];
    for (const query of queries) {
      assert.deepEqual((await send(service, key, { query })).outcome, invalidFormat, query);
      const body = Buffer.from(query, 'latin1');
      assert.deepEqual(
        (await send(service, key, { headers: form, body })).outcome,
        invalidFormat,
        `${query} as a body`,
      );
    }
    for (const value of ['\xe9', '\xc3', '\xc3\x28', '\xed\xa0\x80', '\xf4\x90\x80\x80', '\xc0\xaf']) {
      const body = Buffer.from(`page[name]=a&page[body]=${value}`, 'latin1');
      assert.deepEqual((await send(service, key, { headers: form, body })).outcome, invalidFormat, value);
      // This is not a valid URL, and is refused by the HTTP parser.
      const reply = await send(service, key, { query: `page[name]=a&page[body]=${value}` });
      assert.deepEqual([reply.status, reply.json.response], [400, false]);
    }
    const documents = [
      '{',
      '{"page":{"name":"a"}',
      '{"page":{"name":"a"}}}',
      '{"page":{"name":"a"},}',
      "{'page':{'name':'a'}}",
      '{"page":{"name":a}}',
      '{"page":{"name":"a\nb"}}',
      '[]',
      '[{"page":{"name":"a"}}]',
      '"page"',
      'null',
      'true',
      '1',
      '{"page":null}',
      '{"page":[]}',
      '{"page":["name"]}',
      '{"page":"name"}',
      '{"page":1}',
      '{"page":{"name":["a"]}}',
      '{"page":{"name":{"a":"b"}}}',
      '{"page":{"name":"a","body":[]}}',
      '{"page":{"name":"a","name":"b"}}',
      '{"page":{"name":"a","name":"a"}}',
      '{"page":{"name":"a","n\\u0061me":"b"}}',
      '{"page":{"name":["a"],"name":"b"}}',
      '{"page":{"name":"a","body":"} \\" \\\\","name" :\n"b"}}',
      '{"page":{"name":"a"},"page":{"name":"b"}}',
      '{"page":{"name":"a"},"p\\u0061ge":{}}',
      '{"page":1,"page":{"name":"b"}}',
      '{"page":{"name":"\\ud800"}}',
      '{"page":{"name":"a","body":"\\udc00\\ud800"}}',
      '{"page":{"name":12345678901234567890}}',
      '{"page":{"name":"a","body":-1e999}}',
      '{"page[name]":"a"}',
      '{"name":"a"}',
      '{"__proto__":{"page":{"name":"a"}}}',
      '{"x":'.repeat(100_000),
      '['.repeat(100_000) + ']'.repeat(100_000),
    ];
    for (const body of documents) {
      assert.deepEqual((await send(service, key, { headers: json, body })).outcome, invalidFormat, body.slice(0, 100));
    }
    const bytes = Buffer.from('{"page":{"name":"caf\xe9"}}', 'latin1');
    assert.deepEqual((await send(service, key, { headers: json, body: bytes })).outcome, invalidFormat);
    const utf16 = Buffer.from('{"page":{"name":"a"}}', 'utf16le');
    assert.deepEqual((await send(service, key, { headers: json, body: utf16 })).outcome, invalidFormat);

    const multiparts = [
      '',
      '-',
      'page[name]=a',
      '--X',
      '--X\r\n',
      '--Y--\r\n',
      part('name="page[name]"', 'a'),
      part('name="page[name]"', 'a').slice(0, -2),
      '--X\r\nContent-Disposition: form-data; name="page[name]"\r\n',
      '--X\r\nContent-Disposition: form-data; name="page[name]"\r\n\r\na',
      `${part('name="page[name]"', 'a')}${part('name="page[name]"', 'b')}--X--\r\n`,
      `${part('name="page[name][]"', 'a')}--X--\r\n`,
      `${part('name="page"', 'a')}--X--\r\n`,
      `${part('name="page[]"', 'a')}--X--\r\n`,
      `${part('name="page[name]"; filename="a.txt"', 'a')}--X--\r\n`,
      `${part('name="page[name]"', 'a')}${part('name="page[body]"; filename="a.html"', 'a')}--X--\r\n`,
      `${part('name="page[name]"; filename=""', '')}--X--\r\n`,
      `${part('name="other"', 'a')}--X--\r\n`,
    ].map((body) => Buffer.from(body));
    multiparts.push(Buffer.from(`${part('name="page[name]"', 'caf\xe9')}--X--\r\n`, 'latin1'));
    for (const body of multiparts) {
      if (body.length === 0) continue;
      assert.deepEqual(
        (await send(service, key, { headers: multipart, body })).outcome,
        invalidFormat,
        body.toString(),
      );
    }
    const types = [
      '',
      'text/plain',
      'text/html',
      'application/xml',
      'application/octet-stream',
      'application/jsonp',
      'application/json/x',
      'application/json; charset=iso-8859-1',
      'application/json; charset=utf-16',
      'application/x-www-form-urlencoded; charset=latin1',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/mixed; boundary=X',
      'x',
      ';',
    ];
    for (const type of types) {
      for (const body of ['page[name]=a', '{"page":{"name":"a"}}', `${part('name="page[name]"', 'a')}--X--\r\n`]) {
        const reply = await send(service, key, { headers: { 'Content-Type': type }, body });
        assert.deepEqual(reply.outcome, invalidFormat, `${type}: ${body}`);
      }
    }
    const withoutType = await send(service, key, { query: 'page[name]=a', body: 'page[body]=b' });
    assert.deepEqual(withoutType.outcome, invalidFormat);
    assert.deepEqual(await service.pages(key), []);
  });

  test('a multipart body that is cut off at any point is malformed, and the service goes on', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const body =
      '--X\r\nContent-Disposition: form-data; name="page[name]"\r\n\r\na\r\n' +
      '--X\r\nContent-Disposition: form-data; name="upload"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\nfile\r\n' +
      '--X\r\nContent-Disposition: form-data; name="page[body]"\r\n\r\nb\r\n--X--';
    for (let length = 1; length < body.length; length++) {
      const reply = await send(service, key, { headers: multipart, body: body.slice(0, length) });
      assert.deepEqual(reply.outcome, invalidFormat, body.slice(0, length));
    }
    assert.deepEqual((await send(service, key, { headers: multipart, body })).outcome, success);
  });

  test('a multipart field with an unsupported transfer encoding is malformed', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    for (const [encoding, outcome] of [
      ['base64', invalidFormat],
      ['quoted-printable', invalidFormat],
      ['8BIT', success],
    ] as const) {
      const head = `Content-Disposition: form-data; name="page[name]"\r\nContent-Transfer-Encoding: ${encoding}`;
      const reply = await send(service, key, { headers: multipart, body: `--X\r\n${head}\r\n\r\naGk=\r\n--X--\r\n` });
      assert.deepEqual(reply.outcome, outcome, encoding);
    }
  });

  test('a malformed customer creation is answered with 400 Incorrect parameters., and creates nothing', async (t) => {
    const { service, key, db } = await startWithAccount(t, open);
    const incorrect = [400, { response: false, errors: 'Incorrect parameters.' }];
    const target = `/api/customers.json?api_key=${key}`;
    const right = new URLSearchParams(Object.entries(bracketed('customer', customerFields()))).toString();
    for (const more of [
      'customer=x',
      'customer[]=x',
      'customer[user_name]=x',
      'customer[user_name][]=x',
      'customer[account_name][x]=y',
      'customer[skip_default_pages]=1&customer[skip_default_pages]=1',
      'customer[x=y',
      'x=%',
      'x=%ff',
    ]) {
      assert.deepEqual((await service.request('POST', `${target}&${right}&${more}`)).outcome, incorrect, more);
      const inBody = { headers: form, body: `${right}&${more}` };
      assert.deepEqual((await service.request('POST', target, inBody)).outcome, incorrect, more);
    }
    const fields = JSON.stringify(customerFields()).slice(1, -1);
    for (const body of [
      '{',
      '[]',
      'null',
      '{}',
      '{"customer":null}',
      '{"customer":[]}',
      `{${fields}}`,
      `{"page":{${fields}}}`,
      `{"customer":[{${fields}}]}`,
      `{"customer":{${fields}},"customer":{${fields}}}`,
      `{"customer":{${fields},"user_name":"x"}}`,
      `{"customer":{${fields},"skip_default_pages":["1"]}}`,
      `{"customer":{${fields},"skip_default_pages":false}}`,
    ]) {
      assert.deepEqual((await service.request('POST', target, { headers: json, body })).outcome, incorrect, body);
    }
    const other = await service.request('POST', target, {
      headers: { 'Content-Type': 'text/xml' },
      body: '<customer/>',
    });
    assert.deepEqual(other.outcome, incorrect);
    assert.equal((await db.selectFrom('accounts').select('id').execute()).length, 1);
  });

  test('HTTP/1.0, absolute URLs, Expect: 100-continue, chunked bodies and reused connections work', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const target = `/api/pages.json?api_key=${key}`;
    const close = 'Host: x\r\nConnection: close\r\n';
    const created = '{"response":true,"errors":[]}';

    const old = await service.sendRaw(`POST ${target}&page[name]=a HTTP/1.0\r\n\r\n`);
    assert.match(old, /^HTTP\/1\.1 200 OK\r\n/);
    assert.ok(old.endsWith(`\r\n\r\n${created}`));

    const absolute = await service.sendRaw(`POST http://x${target}&page[name]=b HTTP/1.1\r\n${close}\r\n`);
    assert.ok(absolute.endsWith(created));

    const body = 'page[name]=c';
    const announced = `${close}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n`;
    const cautious = await service.sendRaw(
      `POST ${target} HTTP/1.1\r\n${announced}Expect: 100-continue\r\n\r\n${body}`,
    );
    assert.match(cautious, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
    assert.ok(cautious.endsWith(created));

    const chunked = `${close}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const pieces = ['{"page":', '{"name":', '"d"}}'].map((piece) => `${piece.length.toString(16)}\r\n${piece}\r\n`);
    assert.ok(
      (await service.sendRaw(`POST ${target} HTTP/1.1\r\n${chunked}${pieces.join('')}0\r\n\r\n`)).endsWith(created),
    );

    // An unread body is discarded, and the next request on the connection is answered.
    const refused = `POST /api/pages.json?api_key=wrong HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n${'x'.repeat(100_000)}`;
    const next = await service.sendRaw(`${refused}GET ${target} HTTP/1.1\r\n${close}\r\n`);
    assert.match(next, /^HTTP\/1\.1 401 /);
    assert.match(next, /HTTP\/1\.1 200 OK\r\n/);

    // The body of a GET is ignored.
    const read = await service.request('GET', target, { headers: json, body: '{"page"' });
    assert.deepEqual(
      read.json.pages.map(({ name }: { name: string }) => name),
      ['a', 'b', 'c', 'd'],
    );
  });

  test('unknown fields of any shape are ignored, also those named like members of prototypes', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const blank = [422, { response: false, errors: [['name', "can't be blank"]] }];
    for (const field of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'x', 'Name', 'id', 'page[name']) {
      assert.deepEqual((await send(service, key, { query: `page[${field}]=x` })).outcome, blank, field);
      const body = `{"page":{${JSON.stringify(field)}:{"name":"x"}}}`;
      assert.deepEqual((await send(service, key, { headers: json, body })).outcome, blank, field);
    }
    for (const [index, query] of [
      'page[x]=1&page[x]=2',
      'page[x][]=1&page[x][y][z]=2',
      'utf8=%E2%9C%93&x[]=1&x=2&commit=Save&commit=Save&&&=&==&=x',
      'pagesize=3&page_name=x&[page]=x&x[page][name]=y',
      'customer=x&customer[]=y',
    ].entries()) {
      assert.deepEqual((await send(service, key, { query: `${query}&page[name]=${index}` })).outcome, success, query);
    }
    const document =
      '{"x":[1,{"page":[]}],"x":2,"page":{"name":"JSON","id":[],"y":1,"y":{"name":1,"name":2}},"customer":"z"}';
    assert.deepEqual((await send(service, key, { headers: json, body: document })).outcome, success);
    assert.equal((await service.pages(key)).length, 6);
  });
});

// These run on each database, because the allowed characters depend on it.
onEachDatabase('storing the fields of a request', (open) => {
  test('fields are stored unchanged from the query, a form, JSON and multipart', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    let count = 0;
    const text = fc.string({ unit: 'grapheme', maxLength: 60 }).map((value) => value.replaceAll('\0', '0'));
    const fields = fc.record(
      { body: text, description: text, is_hidden: fc.constantFrom('true', 'false') },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fields, fc.string({ unit: 'grapheme', maxLength: 40 }), async (values, word) => {
        const names: string[] = [];
        for (const encode of encoders) {
          count += 1;
          const name = `${word.replaceAll('\0', '').trim()}${count}`;
          names.push(name);
          const reply = await send(service, key, await encode({ name, ...values }));
          assert.deepEqual(reply.outcome, success);
        }
        const pages = (await service.pages(key)).slice(-encoders.length);
        for (const [index, page] of pages.entries()) {
          assert.equal(page.name, names[index]);
          assert.equal(page.body, values.body ?? '');
          assert.equal(page.description, values.description ?? null);
          assert.equal(page.is_hidden, values.is_hidden === 'true');
        }
      }),
      { numRuns: 40 },
    );
  });

  test('random bytes of any content type are answered, and never with 500', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const crumbs = fc.constantFrom(
      ...[
        'page',
        '[',
        ']',
        'name',
        '=',
        '&',
        '%',
        '%00',
        '%5B',
        '+',
        '{',
        '}',
        '"',
        ':',
        ',',
        '\\',
        '--X',
        '--',
        '\r\n',
      ],
      ...[
        'Content-Disposition: form-data; ',
        'name="page[name]"',
        'filename="x"',
        '\r\n\r\n',
        'page[name]=a',
        '{"page":{',
      ],
    );
    const garbage = fc.oneof(
      fc.array(crumbs, { maxLength: 20 }).map((parts) => Buffer.from(parts.join(''))),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc
        .tuple(fc.array(crumbs, { maxLength: 8 }), fc.uint8Array({ maxLength: 20 }))
        .map(([parts, bytes]) => Buffer.concat([Buffer.from(parts.join('')), bytes])),
    );
    const types = fc.constantFrom(
      ...[
        'application/json',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=X',
        'multipart/form-data',
      ],
      ...['text/plain', 'application/json; charset=x', ''],
    );
    await fc.assert(
      fc.asyncProperty(garbage, types, garbage, async (body, type, query) => {
        const target = query.toString('latin1').replace(/[^\x21-\xff]|#/g, '+');
        const reply = await send(service, key, { query: target, headers: { 'Content-Type': type }, body });
        assert.ok([200, 400, 422].includes(reply.status), `${reply.status} ${reply.text}`);
        assert.equal(typeof reply.json.response, 'boolean');
      }),
      { numRuns: 300 },
    );
  });

  test('a malformed request is told how to send fields, except for pages and customers, whose texts are fixed', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const refuse = async (method: string, path: string, body: string, headers: RequestOptions['headers'] = form) => {
      const reply = await service.request(method, `/api/${path}.json?api_key=${key}`, { headers, body });
      assert.deepEqual([reply.status, reply.json.response], [400, false]);
      return reply.json.errors;
    };
    const keys =
      'The request is malformed. Send key[name] and other fields as a form or in the query, or {"key": {"name": …}} as application/json, each field once.';
    assert.equal(await refuse('POST', 'keys', 'name=Shop'), keys);
    assert.equal(await refuse('POST', 'keys', 'key[name]=Shop&key[name]=Till'), keys);
    assert.equal(await refuse('POST', 'keys', '{"key": {"name": "Shop",}}', json), keys);
    assert.match(await refuse('POST', 'plans', 'name=Gold'), /Send plan\[name\] and other fields/);
    assert.match(await refuse('PATCH', 'settings', '{', json), /\{"settings": \{"name": …\}\}/);
    assert.match(await refuse('POST', 'images', 'image[alt]=Bread'), /Send the file as image\[file\]/);
    assert.equal(await refuse('POST', 'pages', 'name=Prices'), 'Invalid format');
    assert.equal(await refuse('PATCH', 'pages/page_1', '{', json), 'Invalid format');
    assert.equal(await refuse('POST', 'customers', 'name=Acme'), 'Incorrect parameters.');
  });
});

/** Sends a page creation. */
function send(service: Service, key: string, { query = '', headers = {}, body }: Sent) {
  const target = `/api/pages.json?api_key=${key}${query === '' ? '' : `&${query}`}`;
  return service.request('POST', target, { headers, ...(body === undefined ? {} : { body }) });
}

type Values = Readonly<Record<string, string>>;

const pairs = (values: Values) =>
  Object.entries(values).map(([name, value]): [string, string] => [`page[${name}]`, value]);

/** Functions that encode fields in each way that a request may send them. */
const encoders: ReadonlyArray<(values: Values) => Sent | Promise<Sent>> = [
  (values) => ({ query: new URLSearchParams(pairs(values)).toString() }),
  (values) => ({
    query: pairs(values)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&'),
  }),
  (values) => ({ headers: form, body: new URLSearchParams(pairs(values)).toString() }),
  (values) => ({ headers: json, body: JSON.stringify({ page: values }) }),
  async (values) => {
    // Assembled by hand, because FormData would turn every line break into CRLF.
    const boundary = 'a-boundary-that-nobody-writes';
    const parts = pairs(values).map(
      ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const type = `multipart/form-data; boundary=${boundary}`;
    return { headers: { 'Content-Type': type }, body: `${parts.join('')}--${boundary}--\r\n` };
  },
];
