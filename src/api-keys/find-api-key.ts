import { LRUCache } from 'lru-cache';
import { batchLoader } from '../db/batch-loader.ts';
import { cacheUntilWrite, type Lookup } from '../db/change-cache.ts';
import type { Db } from '../db/database.ts';
import { inJsonList } from '../db/json-list.ts';
import { prepared } from '../db/prepared.ts';
import { agencyMayUse } from './agency-may-use.ts';
import { hashApiKey, isWellFormedKey } from './api-key.ts';
import type { StoredScopes } from './scopes.ts';

/**
 * A valid key and the data of its account that every request needs, including what determines whether a cached response is
 * still valid.
 */
export interface KeyOwner {
  keyId: number;
  userId: number;
  accountId: number;
  expiresAt: number | null;
  scopes: StoredScopes;
  status: 'active' | 'suspended';
  contentVersion: number;
  customersVersion: number;
  planName: string | null;
  planPriceCents: number | null;
  /** Set if the key came with a message from an assistant. */
  isAssistant?: true;
}

/** Returns the key lookup of one process. It reads the owner at some time after the call. Concurrent callers share a query. */
export function keyFinder(db: Db): Lookup<KeyOwner> {
  // Caches the hashes of recently valid keys, so that they are computed once. Keys that a stranger invents are never cached.
  const hashes = new LRUCache<string, string>({ max: 10_000 });

  const loadOwners = async (keys: readonly string[]): Promise<Map<string, KeyOwner>> => {
    const owners = new Map<string, KeyOwner>();
    const addOwner = (key: string, hash: string, owner: KeyOwner) => {
      hashes.set(key, hash);
      if (isLive(owner)) owners.set(key, owner);
    };
    // The usual case has its own query, since a list of one key takes twice as long.
    if (keys.length === 1) {
      const key = keys[0]!;
      const hash = hashes.get(key) ?? hashApiKey(key);
      const [owner] = await selectOwner(db, { hash });
      if (owner) addOwner(key, hash, owner);
      return owners;
    }
    const byHash = new Map(keys.map((key) => [hashes.get(key) ?? hashApiKey(key), key]));
    for (const owner of await selectOwners(db, { hashes: JSON.stringify([...byHash.keys()]) })) {
      addOwner(byHash.get(owner.hash)!, owner.hash, owner);
    }
    return owners;
  };
  const find = batchLoader(loadOwners, { isWorthAsking: (key) => hashes.has(key) || isWellFormedKey(key) });
  return cacheUntilWrite(db, find, isLive);
}

function isLive({ expiresAt }: KeyOwner): boolean {
  return expiresAt === null || expiresAt > Date.now();
}

const selectOwner = prepared<{ hash: string }, KeyOwner>((db, parameter) =>
  selectLive(db).where('api_keys.hash', '=', parameter('hash')),
);

const selectOwners = prepared<{ hashes: string }, KeyOwner & { hash: string }>((db, parameter) =>
  selectLive(db)
    .select('api_keys.hash')
    .where(inJsonList(db, 'api_keys.hash', parameter('hashes'))),
);

function selectLive(db: Db) {
  return db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .leftJoin('plans', (join) =>
      join.onRef('plans.account_id', '=', 'accounts.parent_id').onRef('plans.id', '=', 'accounts.plan_id'),
    )
    .select([
      'api_keys.id as keyId',
      'api_keys.user_id as userId',
      'api_keys.account_id as accountId',
      'api_keys.expires_at as expiresAt',
      'api_keys.scopes',
      'accounts.status',
      'accounts.content_version as contentVersion',
      'accounts.customers_version as customersVersion',
      'plans.name as planName',
      'plans.price_cents as planPriceCents',
    ])
    .where('api_keys.revoked_at', 'is', null)
    .where(agencyMayUse);
}
