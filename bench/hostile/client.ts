import { connect, type Socket } from 'node:net';
import type { Request } from './attack.ts';

/** How long an attacker waits for an answer. */
const MAX_WAIT_MS = 10_000;

let serial = 0;

/** Sends a complete request on a new connection. The status is 0 if no answer came. */
export function sendOnce(port: number, request: Request): Promise<{ status: number }> {
  return new Promise((resolve) => {
    const socket = open(port, request);
    let head = '';
    socket.on('data', (chunk: Buffer) => {
      if (head.length < 16) head += chunk.toString('latin1', 0, 16);
    });
    socket.setTimeout(MAX_WAIT_MS, () => socket.destroy());
    socket.on('close', () => resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0) }));
  });
}

/** Connects and writes the request. */
export function open(port: number, request: Request): Socket {
  const socket = openSilent(port);
  write(socket, request);
  return socket;
}

/** Connects without writing anything. */
export function openSilent(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  // The service may hang up on an attacker.
  socket.on('error', () => {});
  return socket;
}

export function write(socket: Socket, { head, body, tail }: Request): void {
  serial += 1;
  socket.write(head(serial), 'latin1');
  if (body) socket.write(body);
  if (tail) socket.write(tail(serial), 'latin1');
}
