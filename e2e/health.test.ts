import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { makeMigratedDatabase } from '../test/databases.ts';
import { freePort } from '../test/free-port.ts';
import { Service } from '../test/service.ts';
import { startProgram } from './program.ts';
import { openRaw } from './raw.ts';

/** Headers that proxies and content delivery networks add. A single one is enough to detect a proxy. */
const ofProxies = [
  ...['X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Forwarded', 'Forwarded', 'Forwarded-For', 'Via'],
  ...['X-Real-IP', 'X-Client-IP', 'True-Client-IP', 'Client-IP', 'X-Cluster-Client-IP', 'Fastly-Client-IP'],
  ...['CF-Connecting-IP', 'CF-Ray', 'CDN-Loop', 'X-Original-Forwarded-For', 'X-Envoy-External-Address'],
  ...['Fly-Client-IP', 'X-Amzn-Trace-Id', 'X-Azure-ClientIP', 'X-Remote-Addr', 'X-ProxyUser-Ip', 'X-Scheme', 'X-Host'],
  ...['Front-End-Https', 'CloudFront-Viewer-Address', 'Ali-Cdn-Real-Ip', 'Akamai-Origin-Hop', 'Surrogate-Capability'],
  ...['Traceparent', 'Whatever-A-Proxy-May-Say'],
];

/** The headers of clients on the same machine: Prometheus, Caddy, a Node.js program, and a browser. */
const direct = [
  [
    ...['Host: localhost:8080', 'User-Agent: Prometheus/3.5.0', 'Accept-Encoding: gzip', 'Authorization: Basic eDp5'],
    ...['Accept: application/openmetrics-text;version=1.0.0,*/*;q=0.1', 'X-Prometheus-Scrape-Timeout-Seconds: 10'],
  ],
  ['Host: [::1]', 'User-Agent: Go-http-client/1.1', 'Accept-Encoding: gzip'],
  [
    ...['Host: 127.0.0.1:8080', 'User-Agent: node', 'Accept: */*', 'Accept-Language: *', 'Sec-Fetch-Mode: cors'],
    'Accept-Encoding: gzip, deflate',
  ],
  [
    ...[
      'Host: 127.0.0.1:8080',
      'Cookie: of=another-port',
      'Upgrade-Insecure-Requests: 1',
      'DNT: 1',
      'Priority: u=0, i',
    ],
    ...['Sec-CH-UA-Mobile: ?0', 'Sec-Fetch-Site: none', 'Cache-Control: max-age=0', 'Pragma: no-cache'],
  ],
];

const paths = ['/healthz', '/readyz', '/metrics', '/internal/tls-allowed?domain=agency.localhost'];

test('health and metrics answer only this machine, not through a proxy on it, and count invalid requests', async (t) => {
  const program = await startProgram(t, await makeMigratedDatabase(t, 'sqlite'), { HOST: '0.0.0.0' });
  const { service } = program;
  for (const path of paths) {
    const reply = await service.request('GET', path);
    assert.equal(reply.status, 200, path);
    assert.equal((await service.request('HEAD', path)).status, 200, path);
    assert.equal((await service.request('POST', path)).status, 405, path);
    for (const name of ofProxies) {
      const proxied = await service.request('GET', path, { headers: { [name]: '192.0.2.1' } });
      assert.deepEqual(proxied.outcome, [404, { response: false, errors: 'Not found.' }], `${path} ${name}`);
    }
    const statusOf = async (request: string) => {
      const connection = await openRaw(t, program.port);
      await connection.write(`GET ${path} ${request}\r\nConnection: close\r\n\r\n`);
      return (await connection.answer()).status;
    };
    for (const headers of direct)
      assert.equal(await statusOf(`HTTP/1.1\r\n${headers.join('\r\n')}`), 200, headers.join());
    // The health check of a load balancer on the machine.
    assert.equal(await statusOf('HTTP/1.0'), 200);
    // A bare `proxy_pass` of nginx, and proxies that forward the host or name their upstream.
    assert.equal(await statusOf('HTTP/1.0\r\nHost: 127.0.0.1:8080'), 404);
    assert.equal(await statusOf('HTTP/1.1\r\nHost: 192.0.2.1'), 404);
    assert.equal(await statusOf('HTTP/1.1\r\nHost: freehold'), 404);
  }
  const broken = await openRaw(t, program.port);
  await broken.write('GET / HTTP/1.1\r\nno header\r\n\r\n');
  assert.equal((await broken.answer()).status, 400);
  assert.match((await service.request('GET', '/metrics')).text, /^freehold_http_refusals_total\{status="400"\} 1$/m);

  const address = Object.values(networkInterfaces())
    .flat()
    .find((candidate) => candidate?.family === 'IPv4' && !candidate.internal)?.address;
  if (!address) return t.diagnostic('no address but loopback here');
  for (const path of paths) {
    const connection = await openRaw(t, program.port, { host: address });
    await connection.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    assert.equal((await connection.answer()).status, 404);
  }
});

for (const WORKERS of ['1', '2']) {
  test(`METRICS_PORT is the only port that serves health and metrics, until the service has stopped (${WORKERS} processes)`, async (t) => {
    const METRICS_PORT = String(await freePort());
    const program = await startProgram(t, await makeMigratedDatabase(t, 'sqlite'), { METRICS_PORT, WORKERS });
    const own = new Service(Number(METRICS_PORT), [], async () => {});
    for (const path of paths) {
      assert.equal((await program.service.request('GET', path)).status, 404, path);
      const headers = { 'X-Forwarded-For': '192.0.2.1' };
      assert.equal((await own.request('GET', path, { headers })).status, 200, path);
    }
    assert.equal((await own.get('/api/account.json', program.key)).status, 404);
    await own.stop();
    // A half-sent request keeps its connection open while the service stops.
    const half = 'GET /readyz HTTP/1.1\r\nHost: x\r\n';
    const connection = await openRaw(t, Number(METRICS_PORT));
    await connection.write(`${half}\r\n${half}`);
    assert.equal((await connection.answer()).status, 200);
    program.signal('SIGTERM');
    await program.until(({ out }) => out.split('"stopping: ').length > Number(WORKERS));
    await connection.write('\r\n');
    assert.equal((await connection.answers(2))[1]!.status, 503, 'a stopping service reports that it is not ready');
    assert.deepEqual(await program.ended, { code: 0, signal: null });
  });
}
