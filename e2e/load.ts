import type { Agent as HttpAgent } from 'node:http';
import type { TestContext } from 'node:test';
import { Agent, request } from '../src/http/node-http.ts';

/** Returns an agent with many connections, which reach all workers. They are closed when the test ends. */
export function manyConnections(t: TestContext): HttpAgent {
  const agent = new Agent({ keepAlive: true, maxSockets: 100, scheduling: 'fifo' });
  t.after(() => agent.destroy());
  return agent;
}

export interface Sent {
  status: number;
  body: string;
}

/** Sends a request through the agent. Rejects if there is no response. */
export function send(agent: HttpAgent, port: number, method: string, path: string, headers = {}): Promise<Sent> {
  return new Promise((resolve, reject) => {
    request({ agent, port, host: '127.0.0.1', method, path, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => resolve({ status: response.statusCode!, body }));
      response.on('error', reject);
    })
      .on('error', reject)
      .end();
  });
}

export function pagePath(key: string, name: string, more: Readonly<Record<string, string>> = {}): string {
  return `/api/pages.json?${new URLSearchParams({ api_key: key, 'page[name]': name, ...more })}`;
}

export function customerPath(key: string, subdomain: string): string {
  const fields = {
    account_name: `Customer ${subdomain}`,
    account_subdomain: subdomain,
    user_name: 'Carl Customer',
    user_email: `${subdomain}@example.com`,
    user_password: 'correct horse battery',
    user_password_confirmation: 'correct horse battery',
  };
  const bracketed = Object.entries(fields).map(([name, value]) => [`customer[${name}]`, value]);
  return `/api/customers.json?${new URLSearchParams([['api_key', key], ...(bracketed as [string, string][])])}`;
}
