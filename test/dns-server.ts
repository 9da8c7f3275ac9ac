import { createServer, Packet, type Question } from 'dns2';
import type { Lifetime } from './databases.ts';

/** A DNS server on this machine that knows the names the test tells it, and no other. */
export interface DnsServer {
  /** `127.0.0.1:port`, for DNS_SERVERS. */
  readonly address: string;
  /** Puts these records in the place of those that the name has of that type. */
  set(name: string, type: 'TXT' | 'CNAME' | 'A' | 'AAAA', ...values: string[]): void;
  /** From now on it answers with this code (2: it failed, 5: it refuses; 0: as usual), or not at all. */
  fail(how: number | 'silently'): void;
  /** Is called with the name of every question before it is answered, and holds the answer up for as long as it takes. */
  onQuestion: (name: string) => void | Promise<void>;
}

/** Starts a DNS server; it is gone when the test ends. */
export async function startDnsServer(t: Lifetime): Promise<DnsServer> {
  const records = new Map<string, string[]>();
  let failing: number | 'silently' = 0;
  const server = createServer({
    udp: true,
    handle: async (request, send) => {
      const [question] = request.questions;
      if (!question) return;
      await told.onQuestion(question.name);
      if (failing === 'silently') return;
      const response = Packet.createResponseFromRequest(request);
      const isKnown = [...records.keys()].some((key) => key.startsWith(`${question.name.toLowerCase()} `));
      // 3: there is no such name.
      response.header.rcode = failing || (isKnown ? 0 : 3);
      if (failing === 0) {
        const values = records.get(keyOf(question.name, question.type)) ?? [];
        response.answers.push(...values.map((value) => answerTo(question, value)));
      }
      void send(response);
    },
  });
  const { udp } = await server.listen({ udp: { port: 0, address: '127.0.0.1' } });
  t.after(() => server.close());
  const told: DnsServer = {
    address: `127.0.0.1:${udp!.port}`,
    set: (name, type, ...values) => {
      records.set(keyOf(name, Packet.TYPE[type]), values);
    },
    fail: (how) => {
      failing = how;
    },
    onQuestion: () => {},
  };
  return told;
}

function answerTo(question: Question, value: string) {
  // A text may come in any number of parts.
  const contents = new Map<number, object>([
    [Packet.TYPE.TXT, { data: value.match(/.{1,20}/gs) ?? [''] }],
    [Packet.TYPE.CNAME, { domain: value }],
  ]);
  const content = contents.get(question.type) ?? { address: value };
  return Packet.createResourceFromQuestion(question, { ttl: 1, ...content });
}

function keyOf(name: string, type: number): string {
  return `${name.toLowerCase()} ${type}`;
}
