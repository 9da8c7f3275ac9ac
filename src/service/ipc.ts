import cluster, { type Worker } from 'node:cluster';
import type { Server, Socket } from 'node:net';
import type { Grant } from '../http/limits.ts';
import type { ConnectionMessage } from './distributor.ts';
import type { Entrance } from './listen.ts';

/** The questions that workers may ask the primary, with the answers. */
interface Questions {
  take: { question: { name: string; key: string; limit: number; wanted: number }; answer: Grant };
  metrics: { question: null; answer: string };
  /** Not so much a question as the news that the worker can serve. It says that it serves when it has the answer. */
  ready: { question: null; answer: null };
  /** Asks for no more connections. The answer comes behind the last one. */
  leave: { question: null; answer: null };
  /** Reports the damage of the database that this worker has found, if any, and asks what any worker has found. */
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

/** Answers the workers' questions, in the primary. */
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

/** Tells the worker to stop, in the primary. */
export function sendStop(worker: Worker): void {
  if (worker.isConnected()) worker.send({ stop: true } satisfies StopMessage);
}

/** Resolves in a worker when the primary tells it to stop. */
export function stopOfPrimary(): Promise<void> {
  return new Promise((resolve) => {
    process.on('message', ({ stop }: Partial<StopMessage>) => {
      if (stop) resolve();
    });
  });
}

/** The entrance of a worker: the primary's `Distributor`. */
export function connectionsOfPrimary(ask: ReturnType<typeof askPrimary>): Entrance {
  return {
    open: async (servers) => {
      process.on('message', ({ connection }: Partial<ConnectionMessage>, socket: Socket | undefined) => {
        // There is none where the client is gone already.
        if (connection === undefined || !socket) return;
        const server = servers.get(connection);
        if (!server) return;
        // As the server's own sockets have it. With HTTP, who has sent a request may say at once that there is no more to come; with
        // HTTPS, TLS says so, and a socket that waited for its other half would never be closed.
        socket.allowHalfOpen = (server as Server & { allowHalfOpen: boolean }).allowHalfOpen;
        server.emit('connection', socket);
      });
      // Only then does Node look after the time that requests take.
      for (const server of servers.values()) server.emit('listening');
    },
    close: async () => {
      await ask('leave', null);
    },
  };
}

/** Returns the function by which a worker asks the primary. */
export function askPrimary(): <K extends Kind>(
  kind: K,
  question: Questions[K]['question'],
) => Promise<Questions[K]['answer']> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let count = 0;
  process.on('message', (message: Partial<Reply>) => {
    if (message.reply === undefined) return;
    const asked = waiting.get(message.reply);
    waiting.delete(message.reply);
    if (message.error === undefined) asked?.resolve(message.answer);
    else asked?.reject(new Error(message.error));
  });
  return (kind, question) => {
    const asked = Promise.withResolvers<unknown>();
    count += 1;
    waiting.set(count, asked);
    process.send!({ ask: kind, id: count, question } satisfies Ask);
    return asked.promise as Promise<never>;
  };
}
