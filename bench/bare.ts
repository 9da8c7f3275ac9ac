import { createServer, type RequestListener } from 'node:http';
import { DatabaseSync } from 'node:sqlite';

/*
 * A bare server for comparison: the least that any program could do with `node:http`.
 * /bytes/N    writes N bytes
 * /304        answers 304
 * POST        reads the request and answers
 * /tree       selects the rows and stringifies the tree; POST /tree adds a page
 */
const bodies = new Map<number, Buffer>();
const database = process.env.BARE_DATABASE ? openDatabase(process.env.BARE_DATABASE) : undefined;

const handle: RequestListener = (request, response) => {
  const { url = '/', method } = request;
  if (url.startsWith('/tree')) {
    if (method === 'POST') {
      database!.add();
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"response":true,"errors":[]}');
      return;
    }
    const body = JSON.stringify({ pages: database!.tree() });
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
    return;
  }
  if (url.startsWith('/bytes/')) {
    const size = Number.parseInt(url.slice('/bytes/'.length), 10);
    let body = bodies.get(size);
    if (!body) {
      body = Buffer.alloc(size, 'a');
      bodies.set(size, body);
    }
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': size }).end(body);
    return;
  }
  if (url.startsWith('/304')) {
    response.writeHead(304, { etag: 'W/"bare"' }).end();
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 29 });
  response.end('{"response":true,"errors":[]}');
};

createServer(handle).listen(Number(process.env.PORT), '127.0.0.1');

interface Row {
  id: number;
  parent_id: number | null;
  children?: Row[];
}

function openDatabase(file: string) {
  const sqlite = new DatabaseSync(file);
  const select = sqlite.prepare('select * from pages where account_id = 1 order by coalesce(parent_id, 0), position');
  const insert = sqlite.prepare(
    `insert into pages (account_id, name, urlname, position, is_hidden, body_format, custom_date, created_at,
       created_by, updated_at, updated_by, version, body)
     select 1, 'New ' || count(*), 'new-' || count(*), count(*) + 1000, 0, '', 0, 0, min(created_by), 0,
       min(created_by), 0, ? from pages where account_id = 1`,
  );
  const body = '<p>A page that came later.</p>';
  return {
    add: () => insert.run(body),
    tree: () => {
      const rows = select.all() as unknown as Row[];
      const byId = new Map(rows.map((row) => [row.id, row]));
      const roots: Row[] = [];
      for (const row of rows) row.children = [];
      for (const row of rows) (row.parent_id === null ? roots : byId.get(row.parent_id)!.children!).push(row);
      return roots;
    },
  };
}
