import { readRoster, toUuid } from '@nolo/e2ee';
import type { Knex } from '@nolo/kit/db';
import type { ConversationId, MessageId, UserId } from '@nolo/kit/ids';
import type { DeviceId } from '../domain/epochPorts.ts';
import type { SealingEpoch, SealingStore, SealTarget } from '../domain/seals.ts';
import { toBytes } from './epochRows.ts';
import { buildNotHiddenSql } from './rows.ts';
import { defineStatement } from './statement.ts';

/** Members of all kept epochs together: few enough for some ten megabytes. */
const maxKeptMembers = 50_000;

interface EpochRow {
  n: number;
  hash: Buffer;
  roster: Buffer;
  timer: number;
}

/** $1 conversation, $2 number. */
const findEpoch = defineStatement<EpochRow>(
  'sealing_epoch',
  'select n, hash, roster, timer from epochs where conversation_id = $1 and n = $2',
);

/** $1 actor, $2 conversation. */
const findNewest = defineStatement<{ n: number }>(
  'sealing_newest',
  `select coalesce(c.epoch, -1) as n from conversations c
  join members m on m.conversation_id = c.id and m.user_id = $1 and m.left_at is null where c.id = $2`,
);

/** $1 conversation. */
const findBeginners = defineStatement<{ userId: UserId }>(
  'sealing_beginners',
  `select m.user_id as "userId" from conversations c
  join members m on m.conversation_id = c.id and m.left_at is null
  where c.id = $1 and c.type <> 'meeting' and c.epoch is null and not exists (
    select from messages x where x.conversation_id = c.id and x.message_type <> 'system')`,
);

/** $1 actor, $2 conversation, $3 seq. */
const findTarget = defineStatement<{ id: MessageId; row_hash: Buffer | null }>(
  'sealing_target',
  `select m.id, m.row_hash from messages m
  join members me on me.conversation_id = m.conversation_id and me.user_id = $1 and me.left_at is null
  where m.conversation_id = $2 and m.seq = $3 and m.seq > me.joined_seq and ${buildNotHiddenSql('m', '$1')}`,
);

function toSealingEpoch({ n, hash, roster, timer }: EpochRow): SealingEpoch {
  const members = readRoster(roster).filter(({ devices }) => devices.length > 0);
  return {
    n,
    headerHash: toBytes(hash),
    timer,
    members: new Map(
      members.map(({ account, role, devices }) => [
        toUuid(account) as UserId,
        { role, devices: new Set(devices.map((device) => toUuid(device) as DeviceId)) },
      ]),
    ),
  };
}

/** Keeps epochs, least recently used first, so that sealed messages need no look-up. Epochs never change. */
function createEpochCache() {
  const kept = new Map<string, SealingEpoch>();
  let members = 0;

  return {
    get(key: string): SealingEpoch | undefined {
      const epoch = kept.get(key);
      if (epoch && kept.delete(key)) kept.set(key, epoch);
      return epoch;
    },
    set(key: string, epoch: SealingEpoch): void {
      if (kept.has(key)) return;
      kept.set(key, epoch);
      members += epoch.members.size;
      for (const [oldest, { members: gone }] of kept) {
        if (members <= maxKeptMembers) return;
        kept.delete(oldest);
        members -= gone.size;
      }
    },
  };
}

export function createSealingStore(db: Knex): SealingStore {
  const cache = createEpochCache();

  return {
    async epoch(conversationId: ConversationId, n) {
      const key = `${conversationId} ${n}`;
      const known = cache.get(key);
      if (known) return known;
      const [row] = await findEpoch(db, conversationId, n);
      if (!row) return undefined;
      const epoch = toSealingEpoch(row);
      cache.set(key, epoch);
      return epoch;
    },

    async newest(actorId, conversationId) {
      const [row] = await findNewest(db, actorId, conversationId);
      return row?.n;
    },

    async beginners(conversationId) {
      return (await findBeginners(db, conversationId)).map(({ userId }) => userId);
    },

    async target(actorId, conversationId, seq): Promise<SealTarget | undefined> {
      const [row] = await findTarget(db, actorId, conversationId, seq);
      return row && { messageId: row.id, rowHash: row.row_hash };
    },
  };
}
