import type { ServerResponse } from 'node:http';
import type { Exchange } from './exchange.ts';
import type { Refusal } from './server.ts';

/** Lines are written together when there are so many, or after this many milliseconds. */
const BATCH = 200;
const PATIENCE = 200;

/**
 * One line a request, in pino's format, straight to pino's destination: this is the one line that every request pays
 * for, and its fields are known. Never the query, which may hold a key.
 */
export class AccessLog {
  readonly #destination: { write(lines: string): unknown };
  readonly #start: string;
  #lines: string[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** `pid` tells apart processes that log to one place. */
  constructor(destination: { write(lines: string): unknown }, pid?: number) {
    this.#destination = destination;
    this.#start = `{"level":30${pid === undefined ? '' : `,"pid":${pid}`},"time":`;
  }

  note(
    { id, request, path, route, ip, caller, person, siteAccountId }: Exchange,
    response: ServerResponse,
    milliseconds: number,
  ): void {
    const who = caller
      ? `,"accountId":${caller.accountId},"keyId":${caller.keyId}`
      : person
        ? `,"accountId":${person.accountId},"userId":${person.userId}`
        : siteAccountId === undefined
          ? ''
          : `,"siteOf":${siteAccountId}`;
    const where = route.startsWith('/') ? `"${route}"` : shown(path);
    // The client went away before it had the whole answer.
    const aborted = response.destroyed && !response.writableFinished ? ',"aborted":true' : '';
    this.#add(
      `${this.#start}${Date.now()},"requestId":"${id}","method":"${request.method}","path":${where}` +
        `,"status":${response.statusCode},"ms":${Math.round(milliseconds * 100) / 100},"ip":"${ip}"${who}${aborted},"msg":"request"}\n`,
    );
  }

  /** A line for what was no request that could be read: there is no path to tell of. */
  noteRefusal({ id, status, ip }: Refusal): void {
    this.#add(`${this.#start}${Date.now()},"requestId":"${id}","status":${status},"ip":"${ip}","msg":"request"}\n`);
  }

  #add(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length >= BATCH) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), PATIENCE).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines.length > 0) this.#destination.write(this.#lines.join(''));
    this.#lines = [];
  }
}

/**
 * A path that is none of ours. It may hold a query, and a key or a password in it, where a client forgot the question
 * mark or encoded it: it is shown as far as it looks like a path.
 */
function redacted(path: string): string {
  return path.replace(/[^\w/.~-].*$/s, '…').replace(/fh_\w+/g, 'fh_…');
}

function shown(path: string): string {
  // Nearly all of them. A key has an underscore.
  return path.length <= 200 && /^[A-Za-z0-9/.~-]*$/.test(path) ? `"${path}"` : quote(redacted(path));
}

function quote(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
}
