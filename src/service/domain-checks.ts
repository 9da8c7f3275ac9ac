import type { Logger } from 'pino';
import { takeTurnsForAll } from '../db/connection-turns.ts';
import type { Db } from '../db/database.ts';
import { type CheckSettings, checkDueDomains } from '../domains/check-due-domains.ts';
import { dnsOf } from '../domains/dns.ts';

interface DomainCheckOptions {
  readonly db: Db;
  readonly config: CheckSettings & { readonly dnsServers: readonly string[] };
  readonly log: Pick<Logger, 'warn'>;
  /** Called after checks that may have queued mail. */
  readonly onMailQueued: () => void;
}

const INTERVAL_MS = 5000;

/** Checks customers' domains while the service runs. Returns how to stop, which waits for what is being recorded. */
export function startDomainChecks({ db, config, log, onMailQueued }: DomainCheckOptions): () => Promise<void> {
  const dns = dnsOf(config.dnsServers);
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const check = async () => {
    try {
      if ((await takeTurnsForAll(() => checkDueDomains(db, dns, config, stopping.signal))) > 0) onMailQueued();
    } catch (error) {
      log.warn({ err: error }, 'could not check the domains');
    }
    running = undefined;
  };
  const timer = setInterval(() => {
    running ??= check();
  }, INTERVAL_MS).unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    dns.cancel();
    await running;
  };
}
