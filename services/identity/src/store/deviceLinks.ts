import { equalBytes } from '@nolo/e2ee';
import { inTransaction, type Knex } from '@nolo/kit/db';
import { newId } from '@nolo/kit/ids';
import { enqueue } from '@nolo/kit/outbox';
import {
  linkSteps,
  readOfferedDevice,
  readOpenedDevice,
  type DeviceLink,
  type DeviceLinkStore,
  type LinkStep,
} from '../domain/deviceLinks.ts';
import type { DeviceId } from '../domain/keyPorts.ts';
import type { RequestingSession } from '../domain/securityPorts.ts';
import { findDeviceOfSession } from './deviceRows.ts';
import { ownsSession } from './proofs.ts';
import { lockAccount } from './signInMethods.ts';

type LinkRow = Omit<DeviceLink, 'own'> & { sessionId: string; oldSessionId: string | null };

/** Notifies all clients of the account, one of which is the other side. */
const sendLinkChanged = (trx: Knex, { userId }: RequestingSession, id: string): Promise<void> =>
  enqueue(trx, {
    subject: 'deliver',
    payload: { recipients: [userId], frame: { type: 'device_link_changed', data: { id } } },
  });

/** Selects the open links of an account. */
const openLinks = (trx: Knex, { userId }: RequestingSession, now: Date) =>
  trx('device_links as l')
    .join('sessions as s', 's.id', 'l.session_id')
    .where('l.user_id', userId)
    .where('l.expires_at', '>', now);

const columns = {
  id: 'l.id',
  state: 'l.state',
  sessionId: 'l.session_id',
  oldSessionId: 'l.old_session_id',
  expiresAt: 'l.expires_at',
  commitment: 'l.commitment',
  offer: 'l.offer',
  newRandom: 'l.new_random',
  oldRandom: 'l.old_random',
  head: 'l.head',
  answer: 'l.answer',
  done: 'l.done',
  name: 's.user_agent',
  country: 's.country',
  city: 's.city',
};

const toLink = ({ sessionId, oldSessionId: _old, ...row }: LinkRow, requester: RequestingSession): DeviceLink => ({
  ...row,
  own: sessionId === requester.sessionId,
});

/** Returns whether a session may see a link: it began it, or it has a device and no other old device took it up. */
const takesPart = (row: LinkRow, { sessionId }: RequestingSession, device: DeviceId | undefined): boolean =>
  row.sessionId === sessionId ||
  (device !== undefined && (row.oldSessionId === null || row.oldSessionId === sessionId));

async function findRow(
  trx: Knex,
  requester: RequestingSession,
  linkId: string,
  now: Date,
): Promise<LinkRow | undefined> {
  const row: LinkRow | undefined = await openLinks(trx, requester, now).where('l.id', linkId).first(columns);
  return row && takesPart(row, requester, await findDeviceOfSession(trx, requester)) ? row : undefined;
}

/** Returns the columns that a step fills. */
async function contentOf(
  { userId, sessionId }: RequestingSession,
  { commitment }: LinkRow,
  step: LinkStep,
): Promise<Record<string, unknown>> {
  switch (step.is) {
    case 'challenge':
      return { old_random: Buffer.from(step.random), head: Buffer.from(step.head), old_session_id: sessionId };
    case 'answer':
      return { answer: Buffer.from(step.answer), old_session_id: sessionId };
    case 'done':
      return { done: Buffer.from(step.done) };
    case 'opening':
      return {
        offer: Buffer.from(step.offer),
        new_random: Buffer.from(step.random),
        device_id: await readOpenedDevice(userId, commitment ?? Buffer.alloc(0), step),
      };
  }
}

const isSame = (stored: Buffer | null, sent: Uint8Array): boolean => stored !== null && equalBytes(stored, sent);

/** Returns whether a step was taken with the same content, so that a client can repeat it after a lost answer. */
function wasTaken(row: LinkRow, step: LinkStep): boolean {
  switch (step.is) {
    case 'challenge':
      return isSame(row.oldRandom, step.random) && isSame(row.head, step.head);
    case 'answer':
      return isSame(row.answer, step.answer);
    case 'done':
      return isSame(row.done, step.done);
    case 'opening':
      return isSame(row.offer, step.offer) && isSame(row.newRandom, step.random);
  }
}

/** @param wake called after a commit that wrote to the outbox */
export function createDeviceLinkStore(db: Knex, wake: () => void): DeviceLinkStore {
  return {
    async begin(requester, first, { now, expiresAt }) {
      const { userId, sessionId } = requester;
      const begun = await inTransaction(db, async (trx) => {
        if (!(await lockAccount(trx, userId)) || !(await ownsSession(trx, requester, now))) return 'session_missing';
        const device = first.is === 'offer' ? await readOfferedDevice(userId, first.offer) : null;
        const id = device ?? newId();
        const known = device && (await trx('devices').where({ id: device }).first('id'));
        const inserted: unknown[] = known
          ? []
          : await trx('device_links')
              .insert({
                id,
                user_id: userId,
                session_id: sessionId,
                state: first.is === 'offer' ? 'offered' : 'committed',
                device_id: device,
                offer: first.is === 'offer' ? Buffer.from(first.offer) : null,
                commitment: first.is === 'commitment' ? Buffer.from(first.commitment) : null,
                expires_at: expiresAt,
              })
              .onConflict()
              .ignore()
              .returning('id');
        if (inserted.length === 0) return 'conflict';
        await sendLinkChanged(trx, requester, id);
        const row = await findRow(trx, requester, id, now);
        return row ? toLink(row, requester) : 'conflict';
      });
      if (typeof begun !== 'string') wake();
      return begun;
    },

    async find(requester, linkId, now) {
      const row = await findRow(db, requester, linkId, now);
      return row && toLink(row, requester);
    },

    async list(requester, now) {
      const device = await findDeviceOfSession(db, requester);
      const rows: LinkRow[] = await openLinks(db, requester, now)
        .whereNull('l.linked_at')
        .orderBy('l.expires_at')
        .select(columns);
      return rows.filter((row) => takesPart(row, requester, device)).map(({ id }) => id);
    },

    async advance(requester, linkId, step, now) {
      const advanced = await inTransaction(db, async (trx) => {
        // Two old devices may answer at the same time; the first one continues.
        await lockAccount(trx, requester.userId);
        const row = await findRow(trx, requester, linkId, now);
        if (!row) return { outcome: 'missing' as const };
        const { before, after, byNewDevice } = linkSteps[step.is];
        const isNewDevice = row.sessionId === requester.sessionId;
        if (isNewDevice !== byNewDevice) return { outcome: 'conflict' as const };
        if (row.state !== before) {
          if (wasTaken(row, step)) return { outcome: 'repeated' as const, link: toLink(row, requester) };
          return { outcome: 'conflict' as const };
        }
        const content = await contentOf(requester, row, step);
        await trx('device_links')
          .where({ id: linkId })
          .update({ state: after, ...content });
        await sendLinkChanged(trx, requester, linkId);
        const taken = await findRow(trx, requester, linkId, now);
        return taken ? { outcome: 'taken' as const, link: toLink(taken, requester) } : { outcome: 'missing' as const };
      });
      if (advanced.outcome === 'taken') wake();
      return advanced;
    },

    async end(requester, linkId, now) {
      const ended = await inTransaction(db, async (trx) => {
        await lockAccount(trx, requester.userId);
        if (!(await findRow(trx, requester, linkId, now))) return false;
        await trx('device_links').where({ id: linkId }).delete();
        await sendLinkChanged(trx, requester, linkId);
        return true;
      });
      if (ended) wake();
      return ended;
    },

    async sweep(now) {
      const swept: { linked_at: Date | null }[] = await db('device_links')
        .where('expires_at', '<=', now)
        .delete(['linked_at']);
      return swept.filter((link) => link.linked_at === null).length;
    },
  };
}
