import type { Knex } from '@nolo/kit/db';
import type { Delivery } from '@nolo/kit/delivery';
import type { ConversationId, UserId } from '@nolo/kit/ids';
import type { MemberRole } from '@nolo/rules';
import type { Audience, ChatFrame, Fact } from '../domain/frames.ts';
import { createFrames } from './rowFrames.ts';
import { statement } from './statement.ts';

interface PresentMember {
  conversation_id: ConversationId;
  user_id: UserId;
  joined_seq: number;
  role: MemberRole;
  shares: boolean;
}

/** $1 conversations. */
const presentMembers = statement<PresentMember>(
  'present_members',
  `select m.conversation_id, m.user_id, m.joined_seq, m.role, coalesce(p.share_receipts, true) as shares
  from members m left join preferences p on p.user_id = m.user_id
  where m.conversation_id = any($1::uuid[]) and m.left_at is null`,
);

/** $1 places of messages. */
const hiders = statement<{ conversation_id: ConversationId; seq: number; user_id: UserId }>(
  'told_hiders',
  `select h.conversation_id, h.seq, h.user_id from json_to_recordset($1::json) as t(conversation_id uuid, seq bigint)
  cross join lateral (
    select * from hidden_messages p where p.conversation_id = t.conversation_id and p.seq = t.seq) h`,
);

/** What an outbox row of this service holds: for named people, or for some of a conversation's members. */
type Told = { readonly fact: Fact } & ({ readonly to: readonly UserId[] } | { readonly audience: Audience });

/** The message that a fact tells a change of. */
function changedMessage(fact: Fact): { readonly conversationId: ConversationId; readonly seq: number } | undefined {
  return fact.type === 'message_updated' || fact.type === 'message_reaction' ? fact.of : undefined;
}

function belongs(member: PresentMember, { readersOf, sharing, deciding, except }: Audience): boolean {
  return (
    (readersOf === undefined || member.joined_seq < readersOf) &&
    (sharing === undefined || member.shares === sharing) &&
    (deciding !== true || member.role !== 'member') &&
    except?.includes(member.user_id) !== true
  );
}

function split(members: readonly PresentMember[], isMeant: (member: PresentMember) => boolean): [UserId[], UserId[]] {
  const meant: UserId[] = [];
  const others: UserId[] = [];
  for (const member of members) (isMeant(member) ? meant : others).push(member.user_id);
  return [meant, others];
}

/**
 * What those learn who may not read the message that changed, or are not told of receipts: that the counter moved. They
 * would take the next number for one after a loss.
 */
function counterOf(frame: Delivery['frame']): ChatFrame | undefined {
  if (!['message_updated', 'message_reaction', 'receipt'].includes(frame.type)) return undefined;
  const { conversationId, changeSeq } = frame.data as { conversationId: string; changeSeq: number };
  return { type: 'receipt', data: { conversationId, changeSeq } };
}

function splitAmong(frame: Delivery['frame'], present: readonly PresentMember[], audience: Audience): Delivery[] {
  const [recipients, others] = split(present, (member) => belongs(member, audience));
  const counter = counterOf(frame);
  return counter && others.length > 0
    ? [
        { frame, recipients },
        { frame: counter, recipients: others },
      ]
    : [{ frame, recipients }];
}

/**
 * Makes of rows of the outbox what is told, and to whom. A row is there once its transaction is, and transactions that
 * change a conversation follow one another; so whoever was taken out before what it tells is gone by now, and whoever came
 * before it is here. Somebody who left since is not told any more.
 */
export function createTold(db: Knex) {
  const framesOf = createFrames(db);

  const membersOf = async (ids: ReadonlySet<ConversationId>): Promise<Map<ConversationId, PresentMember[]>> =>
    ids.size === 0
      ? new Map<ConversationId, PresentMember[]>()
      : Map.groupBy(await presentMembers(db, [...ids]), (member) => member.conversation_id);

  /** Who has hidden the messages that change, by their places: of what becomes of those they hear no more. */
  const hidersOf = async (rows: readonly Told[]): Promise<Map<string, UserId[]>> => {
    const places = rows.flatMap((row) => {
      const changed = 'audience' in row && changedMessage(row.fact);
      return changed ? [{ conversation_id: changed.conversationId, seq: changed.seq }] : [];
    });
    if (places.length === 0) return new Map();
    const found = Map.groupBy(await hiders(db, JSON.stringify(places)), (one) => `${one.conversation_id} ${one.seq}`);
    return new Map([...found].map(([place, some]) => [place, some.map((one) => one.user_id)]));
  };

  return async (payloads: readonly unknown[]): Promise<Delivery[][]> => {
    const rows = payloads as readonly Told[];
    const ids = new Set(rows.flatMap((row) => ('audience' in row ? [row.audience.conversationId] : [])));
    const [members, hidden, frames] = await Promise.all([
      membersOf(ids),
      hidersOf(rows),
      framesOf(rows.map(({ fact }) => fact)),
    ]);
    return rows.map((row): Delivery[] => {
      const made = frames.get(row.fact) ?? [];
      if ('audience' in row) {
        const present = members.get(row.audience.conversationId) ?? [];
        const changed = changedMessage(row.fact);
        const without = changed && hidden.get(`${changed.conversationId} ${changed.seq}`);
        const { except = [] } = row.audience;
        const audience = without ? { ...row.audience, except: [...except, ...without] } : row.audience;
        return made.flatMap((frame) => splitAmong(frame, present, audience));
      }
      return made.map((frame) => ({ recipients: row.to, frame }));
    });
  };
}
