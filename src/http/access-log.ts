import type { ServerResponse } from 'node:http';
import type { RejectedRequest } from './rejected-request.ts';
import type { RequestContext } from './request-context.ts';

/** Lines are written together when there are so many, or after this many milliseconds. */
const MAX_BATCH_LINES = 200;
const MAX_DELAY_MS = 200;

/**
 * One line a request, in pino's format, straight to pino's destination: this is the one line that every request pays
 * for, and its fields are known. Never the query, which may hold a key.
 */
export class AccessLog {
  readonly #destination: { write(lines: string): unknown };
  readonly #start: string;
  #text = '';
  #lines = 0;
  #timer: NodeJS.Timeout | undefined;
  // Successive requests have much in common: parts of the last line are reused.
  #now = 0;
  #begin = '';
  #kind = { route: '', method: '', status: 0, text: '' };
  #from: { ip: string; who: object | undefined; text: string } = { ip: '', who: undefined, text: '' };

  /** `pid` tells apart processes that log to one place. */
  constructor(destination: { write(lines: string): unknown }, pid?: number) {
    this.#destination = destination;
    this.#start = `{"level":30${pid === undefined ? '' : `,"pid":${pid}`},"time":`;
  }

  log(ctx: RequestContext, response: ServerResponse, milliseconds: number): void {
    const { id, path, route, siteAccountId } = ctx;
    const where = isPath(route) ? '' : `,"path":${shown(path)}`;
    const site = siteAccountId === undefined ? '' : `,"siteOf":${siteAccountId}`;
    // The client went away before it had the whole answer.
    const aborted = response.destroyed && !response.writableFinished ? ',"aborted":true' : '';
    this.#add(
      this.#beginning() +
        id +
        this.#kindOf(ctx, response) +
        hundredths(milliseconds) +
        where +
        site +
        aborted +
        this.#fromOf(ctx),
    );
  }

  /** A line for what was no request that could be read: there is no path to tell of. */
  logRejected({ id, status, ip }: RejectedRequest): void {
    this.#add(`${this.#beginning()}${id}","status":${status},"ip":"${ip}","msg":"request"}\n`);
  }

  #beginning(): string {
    const now = Date.now();
    if (now !== this.#now) {
      this.#now = now;
      this.#begin = `${this.#start}${now},"requestId":"`;
    }
    return this.#begin;
  }

  #kindOf({ route, request }: RequestContext, { statusCode: status }: ServerResponse): string {
    const last = this.#kind;
    const method = request.method!;
    if (last.route === route && last.method === method && last.status === status) return last.text;
    const where = isPath(route) ? `,"path":"${route}"` : '';
    const text = `","method":"${method}"${where},"status":${status},"ms":`;
    this.#kind = { route, method, status, text };
    return text;
  }

  #fromOf({ ip, caller, person }: RequestContext): string {
    const last = this.#from;
    const who = caller ?? person;
    if (last.who === who && last.ip === ip) return last.text;
    const owner = caller
      ? `,"accountId":${caller.accountId},"keyId":${caller.keyId}`
      : person
        ? `,"accountId":${person.accountId},"userId":${person.userId}`
        : '';
    const text = `,"ip":"${ip}"${owner},"msg":"request"}\n`;
    this.#from = { ip, who, text };
    return text;
  }

  #add(line: string): void {
    this.#text += line;
    this.#lines += 1;
    if (this.#lines >= MAX_BATCH_LINES) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), MAX_DELAY_MS).unref();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines > 0) this.#destination.write(this.#text);
    this.#text = '';
    this.#lines = 0;
  }
}

/** Routes of many paths have a word for a name. */
function isPath(route: string): boolean {
  return route.charCodeAt(0) === SLASH;
}

const SLASH = 0x2f;

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
  return path
    .slice(0, MAX_SHOWN_CHARACTERS + 1)
    .replace(/[^\w/.~-].*$/s, '…')
    .replace(/fh_\w+/g, 'fh_…');
}

function shown(path: string): string {
  // Nearly all of them. A key has an underscore.
  return path.length <= MAX_SHOWN_CHARACTERS && /^[A-Za-z0-9/.~-]*$/.test(path) ? `"${path}"` : quote(redacted(path));
}

function quote(path: string): string {
  return JSON.stringify(path.length > MAX_SHOWN_CHARACTERS ? `${path.slice(0, MAX_SHOWN_CHARACTERS)}…` : path);
}

const MAX_SHOWN_CHARACTERS = 200;
