import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Lifetime } from './databases.ts';

/** How the server treats a recipient. `drop` reads the whole message and hangs up instead of answering. */
export type Treatment = 'accept' | 'refuse' | 'defer' | 'mute' | 'drop';

export interface Received {
  /** The message as it came over the wire. */
  raw: string;
  email: Email;
  from: string;
  to: string[];
  secure: boolean;
}

/** A real mail server for tests that decide how it treats each recipient. */
export class Mailbox {
  readonly messages: Received[] = [];
  /** Each recipient that was named to the server, even if its message was refused. */
  readonly recipients: string[] = [];
  /** May be replaced at any time. */
  treat: (recipient: string) => Treatment = () => 'accept';
  /** Called with each accepted message. */
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

  /** Closes the server: connections are refused until it is opened again. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(resolve));
  }

  /** Resolves once this many messages have arrived since the server was created. */
  async received(count: number): Promise<Received[]> {
    await this.#until(() => this.messages.length >= count);
    return this.messages;
  }

  /** Resolves once this many different messages have arrived. */
  async receivedOnce(count: number): Promise<Received[]> {
    await this.#until(() => new Set(this.messages.map(({ email }) => email.messageId)).size >= count);
    return this.messages;
  }

  /** Resolves with the first message that matches, once one has arrived. */
  async find(matches: (message: Received) => boolean): Promise<Received> {
    await this.#until(() => this.messages.some(matches));
    return this.messages.find(matches)!;
  }

  /** Resolves once this many recipients were named to the server. */
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
        // If the client dies midway, the message does not count as received.
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

/** Opens a mailbox, which closes when the test ends. */
export async function openMailbox(t: Lifetime, options: SMTPServerOptions = {}): Promise<Mailbox> {
  const mailbox = new Mailbox(options);
  await mailbox.open();
  t.after(() => mailbox.close());
  return mailbox;
}

function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
