import type { Knex } from '@nolo/kit/db';
import type { FrameDelivery } from '@nolo/kit/delivery';
import type { ConversationId, UserId } from '@nolo/kit/ids';
import type { MemberRole } from '@nolo/rules';
import type { FrameAudience, ChatFrame, OutboxFact } from '../domain/frames.ts';
import { createFrameLoader } from './frameLoader.ts';
import { defineStatement } from './statement.ts';

interface PresentMember {
  conversation_id: ConversationId;
  user_id: UserId;
  joined_seq: number;
  role: MemberRole;
  shares: boolean;
}

/** $1 conversations. */
const presentMembers = defineStatement<PresentMember>(
  'present_members',
  `select m.conversation_id, m.user_id, m.joined_seq, m.role, coalesce(p.share_receipts, true) as shares
  from members m left join preferences p on p.user_id = m.user_id
  where m.conversation_id = any($1::uuid[]) and m.left_at is null`,
);

/** $1 positions of messages. */
const selectHiddenBy = defineStatement<{ conversation_id: ConversationId; seq: number; user_id: UserId }>(
  'told_hiders',
  `select h.conversation_id, h.seq, h.user_id from json_to_recordset($1::json) as t(conversation_id uuid, seq bigint)
  cross join lateral (
    select * from hidden_messages p where p.conversation_id = t.conversation_id and p.seq = t.seq) h`,
);

/** Content of an outbox row of this service: for named people, or for some of a conversation's members. */
type FactPayload = { readonly fact: OutboxFact } & (
  { readonly to: readonly UserId[] } | { readonly audience: FrameAudience }
);

/** Returns the message whose change a fact describes. */
function changedMessage(
  fact: OutboxFact,
): { readonly conversationId: ConversationId; readonly seq: number } | undefined {
  return fact.type === 'message_updated' || fact.type === 'message_reaction' ? fact.of : undefined;
}

function belongs(member: PresentMember, { readersOf, sharing, deciding, except }: FrameAudience): boolean {
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
 * Returns the frame for people who may not read the changed message or who get no receipts: only the counter moves.
 * Otherwise they would treat the next number as following a lost one.
 */
function counterOf(frame: FrameDelivery['frame']): ChatFrame | undefined {
  if (!['message_updated', 'message_reaction', 'receipt'].includes(frame.type)) return undefined;
  const { conversationId, changeSeq } = frame.data as { conversationId: string; changeSeq: number };
  return { type: 'receipt', data: { conversationId, changeSeq } };
}

function splitAmong(
  frame: FrameDelivery['frame'],
  present: readonly PresentMember[],
  audience: FrameAudience,
): FrameDelivery[] {
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
 * Creates deliveries from outbox rows. A row exists only after its transaction, and transactions that change a
 * conversation are serialized. A person removed before the event is therefore gone by now, and a person added before it
 * is present. A person who left since is not notified.
 */
export function createDeliveryResolver(db: Knex) {
  const framesOf = createFrameLoader(db);

  const membersOf = async (ids: ReadonlySet<ConversationId>): Promise<Map<ConversationId, PresentMember[]>> =>
    ids.size === 0
      ? new Map<ConversationId, PresentMember[]>()
      : Map.groupBy(await presentMembers(db, [...ids]), (member) => member.conversation_id);

  /** Returns the people who hid the changing messages, by position: they are no longer notified of changes. */
  const loadHiddenBy = async (rows: readonly FactPayload[]): Promise<Map<string, UserId[]>> => {
    const places = rows.flatMap((row) => {
      const changed = 'audience' in row && changedMessage(row.fact);
      return changed ? [{ conversation_id: changed.conversationId, seq: changed.seq }] : [];
    });
    if (places.length === 0) return new Map();
    const found = Map.groupBy(
      await selectHiddenBy(db, JSON.stringify(places)),
      (one) => `${one.conversation_id} ${one.seq}`,
    );
    return new Map([...found].map(([place, some]) => [place, some.map((one) => one.user_id)]));
  };

  return async (payloads: readonly unknown[]): Promise<FrameDelivery[][]> => {
    const rows = payloads as readonly FactPayload[];
    const ids = new Set(rows.flatMap((row) => ('audience' in row ? [row.audience.conversationId] : [])));
    const [members, hidden, frames] = await Promise.all([
      membersOf(ids),
      loadHiddenBy(rows),
      framesOf(rows.map(({ fact }) => fact)),
    ]);
    return rows.map((row): FrameDelivery[] => {
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
