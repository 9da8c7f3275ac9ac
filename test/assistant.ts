import type { TestContext } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Service } from './service.ts';

/** Returns a client of the Model Context Protocol's own library, connected with the key. */
export async function connectAssistant(
  t: TestContext,
  { port }: Service,
  key: string,
  options: ConstructorParameters<typeof Client>[1] = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, options);
  const headers = { Authorization: `Bearer ${key}` };
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  t.after(() => client.close());
  return client;
}

/** Returns the tool's answer as JSON, or `{ refused }` with the message of its refusal. */
export async function callTool(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [part] = content as { type: string; text: string }[];
  return isError ? { refused: part!.text } : JSON.parse(part!.text);
}
