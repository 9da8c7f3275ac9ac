import autocannon from 'autocannon';
import type { Load, Measured } from './load.ts';

/* One run of autocannon in its own process, so that it can be pinned to a processor. */
const { url, connections, seconds, headers = {}, posts, tag } = JSON.parse(process.argv[2]!) as Load & { tag: string };

let count = 0;
const result = await autocannon({
  url,
  connections,
  duration: seconds,
  headers,
  ...(posts && {
    requests: [
      {
        method: 'POST' as const,
        setupRequest: (request: autocannon.Request) => {
          count += 1;
          return { ...request, path: posts[count % posts.length]!.replaceAll('{n}', `${tag}${count}`) };
        },
      },
    ],
  }),
});
const measured: Measured = {
  perSecond: result.requests.average,
  p99: result.latency.p99,
  requests: result.requests.total,
  failed: result.non2xx - (result['3xx'] ?? 0),
};
process.stdout.write(JSON.stringify(measured));
