import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AggregatorRegistry, Registry } from 'prom-client';
import { RequestTimes } from './request-times.ts';

const lines = (text: string, start: string) => text.split('\n').filter((line) => line.startsWith(start));

test('requests are counted in the right buckets, each of which includes the shorter times', async () => {
  const registry = new Registry();
  const times = new RequestTimes(registry);
  for (const milliseconds of [0.2, 1, 1.1, 30, 20_000]) times.observe('/a', 'GET', 200, milliseconds);
  times.observe('/a', 'GET', 304, 2);
  times.observe('/a', 'POST', 200, 2);

  const text = await registry.metrics();
  const of200 = lines(text, 'freehold_http_request_seconds_bucket{').filter((line) =>
    line.includes('route="/a",method="GET",status="200"'),
  );
  const counts = of200.map((line) => `${/le="([^"]+)"/.exec(line)![1]} ${line.split(' ').at(-1)}`);
  assert.deepEqual(counts, [
    ...['0.001 2', '0.0025 3', '0.005 3', '0.01 3', '0.025 3', '0.05 4', '0.1 4'],
    ...['0.25 4', '0.5 4', '1 4', '2.5 4', '10 4', '+Inf 5'],
  ]);
  assert.match(text, /# TYPE freehold_http_request_seconds histogram/);
  assert.match(text, /freehold_http_request_seconds_sum\{route="\/a",method="GET",status="200"\} 20\.0323/);
  assert.match(text, /freehold_http_request_seconds_count\{route="\/a",method="GET",status="200"\} 5/);
  assert.match(text, /freehold_http_request_seconds_count\{route="\/a",method="GET",status="304"\} 1/);
});

test('the request counts of several processes are added up', async () => {
  const parts = await Promise.all(
    [1, 2].map(async (count) => {
      const registry = new Registry();
      const times = new RequestTimes(registry);
      for (let index = 0; index < count; index++) times.observe('/a', 'GET', 200, 3);
      // Serialized as when it is sent between processes.
      return JSON.parse(JSON.stringify(await registry.getMetricsAsJSON()));
    }),
  );
  const text = await AggregatorRegistry.aggregate(parts).metrics();
  assert.match(text, /freehold_http_request_seconds_count\{route="\/a",method="GET",status="200"\} 3/);
  assert.match(text, /freehold_http_request_seconds_bucket\{le="0\.005",route="\/a",method="GET",status="200"\} 3/);
});
