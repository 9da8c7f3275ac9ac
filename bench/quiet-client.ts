import { Agent, request } from 'node:http';

/**
 * The 99th percentile of requests made one at a time, every 20 ms, in milliseconds. By the leanest client there is: what
 * measures takes processor time from what is measured.
 */
export async function quietly(
  url: string,
  seconds: number,
  until: Promise<unknown> = Promise.resolve(),
): Promise<number> {
  const times: number[] = [];
  const agent = new Agent({ keepAlive: true });
  const end = performance.now() + seconds * 1000;
  let pending = true;
  void until.then(() => {
    pending = false;
  });
  while (performance.now() < end || (seconds === 0 && pending)) {
    const started = performance.now();
    await read(url, agent);
    times.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  agent.destroy();
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}

function read(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    request(url, { agent }, (answer) => answer.on('end', resolve).on('error', reject).resume())
      .on('error', reject)
      .end();
  });
}
