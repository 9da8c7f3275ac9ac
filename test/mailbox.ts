import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Lifetime } from './databases.ts';

/** How the server treats a recipient. `drop` takes the whole message and hangs up instead of answering. */
export type Treatment = 'accept' | 'refuse' | 'defer' | 'mute' | 'drop';

export interface Received {
  /** As it came over the wire. */
  raw: string;
  email: Email;
  from: string;
  to: string[];
  secure: boolean;
}

/** A real mail server, for tests, that treats recipients as it is told. */
export class Mailbox {
  readonly messages: Received[] = [];
  /** Each recipient that was named to the server, whatever became of the message. */
  readonly recipients: string[] = [];
  /** May be replaced at any time. */
  treat: (recipient: string) => Treatment = () => 'accept';
  /** Called with each message that was taken. */
  onReceived: (message: Received) => void = () => {};
  readonly #options: SMTPServerOptions;
  #server: SMTPServer;
  #port = 0;
  #changed = Promise.withResolvers<void>();

  constructor(options: SMTPServerOptions) {
    this.#options = options;
    this.#server = this.#make();
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.#port}`;
  }

  async open(): Promise<void> {
    this.#server = this.#make();
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server.server, 'listening');
    this.#port = (this.#server.server.address() as AddressInfo).port;
  }

  /** A dead server: connections are refused until it is opened again. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(resolve));
  }

  /** Resolves once so many messages have arrived since the server was made. */
  async received(count: number): Promise<Received[]> {
    await this.#until(() => this.messages.length >= count);
    return this.messages;
  }

  /** Waits for a number of messages, and counts one that came twice once. */
  async receivedOnce(count: number): Promise<Received[]> {
    await this.#until(() => new Set(this.messages.map(({ email }) => email.messageId)).size >= count);
    return this.messages;
  }

  /** Resolves with the first message that is such a one, once there is one. */
  async find(isSuch: (message: Received) => boolean): Promise<Received> {
    await this.#until(() => this.messages.some(isSuch));
    return this.messages.find(isSuch)!;
  }

  /** Resolves once so many recipients were named to the server. */
  async asked(count: number): Promise<void> {
    await this.#until(() => this.recipients.length >= count);
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition()) await this.#changed.promise;
  }

  #change(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }

  #make(): SMTPServer {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      closeTimeout: 10,
      logger: false,
      onRcptTo: ({ address }, _session, answer) => {
        this.recipients.push(address);
        this.#change();
        const treatment = this.treat(address);
        if (treatment === 'refuse') answer(smtpError(550, `5.1.1 <${address}>: nobody of that name`));
        else if (treatment === 'defer') answer(smtpError(451, `4.7.1 <${address}>: greylisted, come back later`));
        else if (treatment !== 'mute') answer();
      },
      onData: async (stream, { envelope, secure }, answer) => {
        // A client that dies in the middle gets no answer, and its message never came.
        const content = await buffer(stream).catch(() => undefined);
        if (!content) return;
        const to = envelope.rcptTo.map(({ address }) => address);
        if (to.some((address) => this.treat(address) === 'drop')) {
          for (const connection of server.connections) connection.close();
          return;
        }
        const email = await PostalMime.parse(content);
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const message = { raw: content.toString(), email, from, to, secure };
        this.messages.push(message);
        this.onReceived(message);
        this.#change();
        answer();
      },
      ...this.#options,
    });
    // Clients that hang up are part of the tests.
    server.on('error', () => {});
    return server;
  }
}

/** An open mailbox that is gone when the test ends. */
export async function openMailbox(t: Lifetime, options: SMTPServerOptions = {}): Promise<Mailbox> {
  const mailbox = new Mailbox(options);
  await mailbox.open();
  t.after(() => mailbox.close());
  return mailbox;
}

function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
