import { WorkerThread } from '../worker-thread.ts';
import type { Attempt, SendSettings } from './send.ts';
import type { MessagesToSend, SendMessages } from './send-messages.ts';

export type Question = MessagesToSend | 'stop';

type Thread = WorkerThread<Question, Attempt[]>;

/**
 * Sends messages in a separate thread. The next message to a receiver is sent when the last one was answered, and must not
 * wait for requests that the main thread handles.
 */
export class SendingThread {
  readonly #settings: SendSettings;
  #thread: Thread | undefined;
  #isStopping = false;

  constructor({ dnsServers, webhooksToPrivateNetworks }: SendSettings) {
    this.#settings = { dnsServers, webhooksToPrivateNetworks };
  }

  readonly send: SendMessages = async (toSend) => {
    if (this.#isStopping) return [];
    this.#thread ??= this.#start();
    return this.#thread.request(toSend);
  };

  /** Ends all attempts at once. Pending calls return without the attempt that was cut off. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#thread?.request('stop');
  }

  /** Ends the thread. Nothing may be sent afterwards. */
  async end(): Promise<void> {
    await this.#thread?.end();
  }

  #start(): Thread {
    const script = new URL('./send-thread.js', import.meta.url);
    const thread: Thread = new WorkerThread(script, { name: 'webhooks', workerData: this.#settings }, () => {
      if (this.#thread === thread) this.#thread = undefined;
    });
    return thread;
  }
}
