import { connect, type Socket } from 'node:net';

/**
 * Returns the 99th percentile of requests made one at a time, every 20 ms, in milliseconds. It uses a bare socket, so that the
 * measurement takes little processor time from the service.
 */
export async function quietly(
  url: string,
  seconds: number,
  until: Promise<unknown> = Promise.resolve(),
): Promise<number> {
  const times: number[] = [];
  const { hostname, port, host, pathname, search } = new URL(url);
  const request = `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const socket = connect(Number(port), hostname);
  const end = performance.now() + seconds * 1000;
  let pending = true;
  void until.then(() => {
    pending = false;
  });
  while (performance.now() < end || (seconds === 0 && pending)) {
    const started = performance.now();
    await answerTo(request, socket);
    times.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  socket.destroy();
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}

/** Resolves once the complete answer is there, as long as its head announces. */
function answerTo(request: string, socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const end = (error?: Error) => {
      socket.off('data', read).off('error', end).off('close', closed);
      if (error) reject(error);
      else resolve();
    };
    const closed = () => end(new Error('The service closed the connection.'));
    const read = (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      const body = answer.indexOf('\r\n\r\n') + 4;
      if (body < 4) return;
      if (!answer.startsWith('HTTP/1.1 200 ')) return end(new Error(answer.slice(0, answer.indexOf('\r'))));
      const length = Number(/^content-length: (\d+)/im.exec(answer.slice(0, body))?.[1] ?? Number.NaN);
      if (Number.isNaN(length)) return end(new Error('The answer does not say how long it is.'));
      if (answer.length >= body + length) end();
    };
    socket.on('data', read).on('error', end).on('close', closed);
    socket.write(request);
  });
}
