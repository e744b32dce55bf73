import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@nolo/kit/clock';
import { GatewayError } from '../domain/gateway.ts';

/** Source addresses that a gateway notifies from. */
export interface NotificationSourceAllowlist {
  /** Checks an address. @throws GatewayError if that depends on a name that cannot be resolved now */
  include(address: string): Promise<boolean>;
}

const resolvedForMs = 10 * 60_000;
const lookupTimeoutMs = 5_000;

/**
 * Creates the allowlist.
 *
 * @param list host names, addresses and ranges
 */
export function createNotificationSourceAllowlist(
  list: readonly string[],
  clock: Clock,
  resolve = resolveName,
): NotificationSourceAllowlist {
  const fixed = new BlockList();
  const names = list.filter((one) => !addTo(fixed, one));
  const resolved = new Map<string, { list: BlockList; until: number }>();

  const listOf = async (name: string): Promise<BlockList> => {
    const now = clock.now().getTime();
    const kept = resolved.get(name);
    if (kept && kept.until > now) return kept.list;
    const found = new BlockList();
    for (const address of await resolve(name)) addTo(found, address);
    resolved.set(name, { list: found, until: now + resolvedForMs });
    return found;
  };
  return {
    async include(given) {
      const address = given.replace(/^::ffff:(?=\d+\.)/i, '');
      const family = isIP(address);
      if (family === 0) return false;
      const has = (one: BlockList) => one.check(address, family === 4 ? 'ipv4' : 'ipv6');
      if (has(fixed)) return true;
      const lists = await Promise.allSettled(names.map(listOf));
      if (lists.some((one) => one.status === 'fulfilled' && has(one.value))) return true;
      if (lists.some(({ status }) => status === 'rejected')) {
        throw new GatewayError('sources_unresolved', { retryable: true });
      }
      return false;
    },
  };
}

function addTo(list: BlockList, one: string): boolean {
  const [address = '', bits] = one.split('/');
  const family = isIP(address);
  if (family === 0) return false;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  if (bits === undefined) list.addAddress(address, type);
  else list.addSubnet(address, Number(bits), type);
  return true;
}

/** Resolves a name. A nonexistent one has no addresses; the list may name hosts that PayFast has retired. */
async function resolveName(name: string): Promise<string[]> {
  const limit = new AbortController();
  try {
    const found = await Promise.race([
      lookup(name, { all: true }),
      sleep(lookupTimeoutMs, undefined, { signal: limit.signal }).then(() => {
        throw new Error('no answer in time');
      }),
    ]);
    return found.map(({ address }) => address);
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOTFOUND') return [];
    throw error;
  } finally {
    limit.abort();
  }
}
