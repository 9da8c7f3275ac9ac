import cluster, { type Worker } from 'node:cluster';
import type { Server, Socket } from 'node:net';
import type { Grant } from '../http/limits.ts';
import type { ConnectionMessage } from './distributor.ts';
import type { Entrance } from './listen.ts';

/** The questions that workers may ask the primary, with the types of the answers. */
interface Questions {
  take: { question: { name: string; key: string; limit: number; wanted: number }; answer: Grant };
  metrics: { question: null; answer: string };
  /** Announces that the worker can serve. The worker starts serving when it has the answer. */
  ready: { question: null; answer: null };
  /** Asks for no more connections. The answer arrives after the last connection. */
  leave: { question: null; answer: null };
  /**
   * Reports the damage that this worker found in the database, if any. The answer is the damage that any worker has found.
   */
  damage: { question: string | null; answer: string | null };
}

type Kind = keyof Questions;
type Handlers = {
  [K in Kind]: (
    question: Questions[K]['question'],
    worker: Worker,
  ) => Questions[K]['answer'] | Promise<Questions[K]['answer']>;
};

interface Ask {
  ask: Kind;
  id: number;
  question: unknown;
}
interface Reply {
  reply: number;
  answer?: unknown;
  error?: string;
}

/** Makes the primary answer the workers' questions. */
export function answerWorkers(handlers: Handlers): void {
  cluster.on('message', (worker: Worker, message: Partial<Ask>) => {
    if (message.ask === undefined || message.id === undefined) return;
    const { ask, id, question } = message;
    const send = (reply: Reply) => {
      if (worker.isConnected()) worker.send(reply);
    };
    Promise.resolve()
      .then(() => (handlers[ask] as (question: unknown, worker: Worker) => unknown)(question, worker))
      .then(
        (answer) => send({ reply: id, answer }),
        (error: unknown) => send({ reply: id, error: String(error) }),
      );
  });
}

interface StopMessage {
  readonly stop: true;
}

/** Sends the primary's request to stop to a worker. */
export function sendStop(worker: Worker): void {
  if (worker.isConnected()) worker.send({ stop: true } satisfies StopMessage);
}

/** Returns a promise that resolves when the primary tells this worker to stop. */
export function waitForStop(): Promise<void> {
  return new Promise((resolve) => {
    process.on('message', ({ stop }: Partial<StopMessage>) => {
      if (stop) resolve();
    });
  });
}

/** Returns the entrance of a worker, which receives its connections from the primary's `Distributor`. */
export function primaryEntrance(ask: ReturnType<typeof askPrimary>): Entrance {
  return {
    open: async (servers) => {
      process.on('message', ({ connection }: Partial<ConnectionMessage>, socket: Socket | undefined) => {
        // The socket is undefined if the client has disconnected already.
        if (connection === undefined || !socket) return;
        const server = servers.get(connection);
        if (!server) return;
        // Copies the setting of the server's own sockets. HTTP clients may close their half after a request. TLS signals
        // its own end, and an HTTPS socket that waits for the other half would never be closed.
        socket.allowHalfOpen = (server as Server & { allowHalfOpen: boolean }).allowHalfOpen;
        server.emit('connection', socket);
      });
      // Node enforces request timeouts only after this event.
      for (const server of servers.values()) server.emit('listening');
    },
    close: async () => {
      await ask('leave', null);
    },
  };
}

/** Returns the function with which a worker asks the primary. */
export function askPrimary(): <K extends Kind>(
  kind: K,
  question: Questions[K]['question'],
) => Promise<Questions[K]['answer']> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let count = 0;
  process.on('message', (message: Partial<Reply>) => {
    if (message.reply === undefined) return;
    const pending = waiting.get(message.reply);
    waiting.delete(message.reply);
    if (message.error === undefined) pending?.resolve(message.answer);
    else pending?.reject(new Error(message.error));
  });
  return (kind, question) => {
    const pending = Promise.withResolvers<unknown>();
    count += 1;
    waiting.set(count, pending);
    process.send!({ ask: kind, id: count, question } satisfies Ask);
    return pending.promise as Promise<never>;
  };
}
