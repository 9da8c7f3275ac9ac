import { createServer, Packet, type Question } from 'dns2';
import type { Lifetime } from './databases.ts';

/** A local DNS server that knows only the names that a test sets. */
export interface DnsServer {
  /** `127.0.0.1:port`, for DNS_SERVERS. */
  readonly address: string;
  /** Replaces the name's records of this type. */
  set(name: string, type: 'TXT' | 'CNAME' | 'A' | 'AAAA', ...values: string[]): void;
  /** Answers with this code from now on (2: server failure, 5: refused, 0: as usual), or not at all. */
  fail(how: number | 'silently'): void;
  /** Called with the name of each question. The answer waits until the returned promise settles. */
  onQuestion: (name: string) => void | Promise<void>;
}

/** Starts a DNS server, which stops when the test ends. */
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
      // 3: the name does not exist.
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
  // A TXT record may consist of several strings.
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
