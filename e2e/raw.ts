import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** A response as it was received. */
export interface RawAnswer {
  status: number;
  /** The headers, with their names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/** A connection on which a test can write any bytes. */
export class RawConnection {
  readonly socket: Socket;
  /** The bytes that were received so far, one character each. */
  received = '';
  /** True once the other side has ended the connection, but not if it has reset it. */
  ended = false;
  error: NodeJS.ErrnoException | undefined;
  #changed = Promise.withResolvers<void>();

  constructor(socket: Socket) {
    this.socket = socket;
    const change = () => {
      this.#changed.resolve();
      this.#changed = Promise.withResolvers<void>();
    };
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      this.received += text;
      change();
    });
    socket.on('end', () => {
      this.ended = true;
      change();
    });
    socket.on('error', (error) => {
      this.error = error;
      change();
    });
    socket.on('close', change);
  }

  /** Resolves once all bytes are passed to the operating system. */
  write(bytes: string | Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (error?: Error | null) => (error ? reject(error) : resolve());
      if (typeof bytes === 'string') this.socket.write(bytes, 'latin1', done);
      else this.socket.write(bytes, done);
    });
  }

  /** Resolves once `count` responses are complete. Throws if the connection ends before. */
  async answers(count: number, options: { head?: boolean } = {}): Promise<RawAnswer[]> {
    for (;;) {
      const { answers } = parse(this.received, options);
      if (answers.length >= count) return answers;
      if (this.ended || this.socket.destroyed) {
        throw new Error(`${this.error?.code ?? 'The end'} after: ${this.received.slice(0, 1000)}`);
      }
      await this.#changed.promise;
    }
  }

  async answer(options?: { head?: boolean }): Promise<RawAnswer> {
    return (await this.answers(1, options))[0]!;
  }

  /** Resolves once the connection is closed. */
  async closed(): Promise<void> {
    while (!this.socket.closed) await this.#changed.promise;
  }
}

/** Opens a connection. It is closed when the test ends. */
export async function openRaw(t: TestContext, port: number, options: object = {}): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', ...options });
  t.after(() => socket.destroy());
  const connection = new RawConnection(socket);
  await once(socket, 'connect');
  return connection;
}

function parse(received: string, { head = false }: { head?: boolean }): { answers: RawAnswer[]; rest: string } {
  const answers: RawAnswer[] = [];
  let rest = received;
  for (;;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return { answers, rest };
    const [line = '', ...fields] = rest.slice(0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1]);
    if (Number.isNaN(status)) throw new Error(`Not an answer: ${rest.slice(0, 200)}`);
    const headers = Object.fromEntries(
      fields.map((field) => [
        field.slice(0, field.indexOf(':')).toLowerCase(),
        field.slice(field.indexOf(':') + 1).trim(),
      ]),
    );
    const length = head || status < 200 ? 0 : Number(headers['content-length']);
    const start = end + 4;
    if (rest.length < start + length) return { answers, rest };
    answers.push({ status, headers, body: rest.slice(start, start + length) });
    rest = rest.slice(start + length);
  }
}
