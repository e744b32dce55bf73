import { barredHostsChangedSubject } from '@nolo/installation/barredHosts';
import { inTransaction, type Knex } from '@nolo/kit/db';
import { newId } from '@nolo/kit/ids';
import { enqueue } from '@nolo/kit/outbox';
import { formatBarredHost, barredHostLimits } from '@nolo/rules';
import type { BarredHost, BarredHostStore } from '../domain/barredHosts.ts';
import { findOperatorRefusal, recordOperatorAct } from './operators.ts';

const columns = ['host', 'with_subdomains as withSubdomains', 'since'] as const;

async function countIn(trx: Knex): Promise<number> {
  const { rows } = await trx.raw<{ rows: { n: number }[] }>('select count(*)::int as n from barred_hosts');
  return rows[0]?.n ?? 0;
}

/** Changes the version of the list and notifies other services. */
async function enqueueBarredHostsChanged(trx: Knex): Promise<void> {
  await trx('barred_hosts_version').update({ version: newId() });
  await enqueue(trx, { subject: barredHostsChangedSubject, payload: {} });
}

/** Serializes changes of the list, so a concurrent change counts earlier entries. */
const takeTurn = (trx: Knex) => trx.raw('select pg_advisory_xact_lock(hashtextextended(?, 4))', ['barred_hosts']);

/** @param wake called after a commit that wrote to the outbox */
export function createBarredHostStore(db: Knex, wake: () => void): BarredHostStore {
  return {
    async current(knownVersion) {
      // A single statement keeps hosts and version consistent.
      const { rows } = await db.raw<{ rows: { version: string; hosts: BarredHost[] | null }[] }>(
        `select version, case when version::text is distinct from :known then (
           select json_agg(json_build_object('host', host, 'withSubdomains', with_subdomains) order by host)
           from barred_hosts) end as hosts
         from barred_hosts_version`,
        { known: knownVersion ?? null },
      );
      const { version = '', hosts = null } = rows[0] ?? {};
      return { version, hosts: (hosts ?? []).map((one) => formatBarredHost(one.host, one.withSubdomains)) };
    },

    list: (acting, { query, after, limit }, now) =>
      inTransaction(db, async (trx) => {
        const refused = await findOperatorRefusal(trx, acting, now);
        if (refused) return refused;
        const page = trx('barred_hosts').orderBy('host').limit(limit);
        if (query !== '') void page.whereRaw('strpos(host, ?) > 0', [query]);
        if (after !== undefined) void page.where('host', '>', after);
        const hosts: BarredHost[] = await page.select(...columns);
        return { outcome: 'listed' as const, hosts };
      }),

    async bar(acting, { hosts, withSubdomains, reason }, now) {
      const done = await inTransaction(db, async (trx) => {
        const refused = await findOperatorRefusal(trx, acting, now);
        if (refused) return refused;
        await takeTurn(trx);
        const wanted = [...new Set(hosts)];
        const there = await trx('barred_hosts').whereIn('host', wanted).pluck('host');
        if ((await countIn(trx)) + wanted.length - there.length > barredHostLimits.hosts) {
          return { outcome: 'too_many' as const };
        }
        const returned: BarredHost[] = await trx('barred_hosts')
          .insert(wanted.map((host) => ({ host, with_subdomains: withSubdomains, since: now })))
          .onConflict('host')
          .merge()
          .where('barred_hosts.with_subdomains', !withSubdomains)
          .returning([...columns]);
        const barred = returned.toSorted((one, other) => (one.host < other.host ? -1 : 1));
        if (barred.length > 0) await enqueueBarredHostsChanged(trx);
        for (const { host } of barred) {
          const details = { host, subdomains: withSubdomains };
          await recordOperatorAct(trx, { acting, action: 'host_barred', userId: null, reason, details, now });
        }
        return { outcome: 'barred' as const, hosts: barred };
      });
      if (done.outcome === 'barred') wake();
      return done;
    },

    async unbar(acting, { host, reason }, now) {
      const done = await inTransaction(db, async (trx) => {
        const refused = await findOperatorRefusal(trx, acting, now);
        if (refused) return refused;
        await takeTurn(trx);
        if ((await trx('barred_hosts').where({ host }).delete()) === 0) return { outcome: 'none' as const };
        await enqueueBarredHostsChanged(trx);
        await recordOperatorAct(trx, { acting, action: 'host_unbarred', userId: null, reason, details: { host }, now });
        return { outcome: 'unbarred' as const };
      });
      if (done.outcome === 'unbarred') wake();
      return done;
    },
  };
}
