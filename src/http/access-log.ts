import type { ServerResponse } from 'node:http';
import type { Exchange } from './exchange.ts';
import type { Refusal } from './refusal.ts';

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
  #text = '';
  #lines = 0;
  /** How lines of this millisecond begin. */
  #now = 0;
  #startNow = '';
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
      `${this.#begin()},"requestId":"${id}","method":"${request.method}","path":${where}` +
        `,"status":${response.statusCode},"ms":${hundredths(milliseconds)},"ip":"${ip}"${who}${aborted},"msg":"request"}\n`,
    );
  }

  /** A line for what was no request that could be read: there is no path to tell of. */
  noteRefusal({ id, status, ip }: Refusal): void {
    this.#add(`${this.#begin()},"requestId":"${id}","status":${status},"ip":"${ip}","msg":"request"}\n`);
  }

  #begin(): string {
    const now = Date.now();
    if (now !== this.#now) {
      this.#now = now;
      this.#startNow = this.#start + now;
    }
    return this.#startNow;
  }

  #add(line: string): void {
    this.#text += line;
    this.#lines += 1;
    if (this.#lines >= BATCH) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), PATIENCE).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines > 0) this.#destination.write(this.#text);
    this.#text = '';
    this.#lines = 0;
  }
}

/** Nearly all times are among these, and writing out a fraction takes as long as half of the line. */
const HUNDREDTHS = Array.from({ length: 1000 }, (_, count) => String(count / 100));

function hundredths(milliseconds: number): string | number {
  const count = Math.round(milliseconds * 100);
  return HUNDREDTHS[count] ?? count / 100;
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
