import type { ConversationMeta, Member, MemberState } from '@nolo/api';
import type { ChatState } from './state.ts';
import { getMaxNamedMembers, unknownRowVersions, updateRow, withRowVersions } from './chatStore.ts';

/** Applies changes of a conversation's row from frames and the change feed, in any order. */

export function withMember(state: ChatState, conversationId: string, member: Member): Partial<ChatState> {
  const { members: listedAt } = state.knownUpTo[conversationId] ?? unknownRowVersions;
  return updateRow(state, conversationId, (row) => {
    const known = row.members.find((one) => one.userId === member.userId);
    if (known && known.changeSeq > member.changeSeq) return row;
    const changeSeq = Math.max(row.changeSeq, member.changeSeq);
    const isNamed = known || (member.changeSeq > listedAt && row.members.length < getMaxNamedMembers(row));
    if (!isNamed && row.type !== 'direct') return { ...row, changeSeq };
    const others = row.members.filter((one) => one.userId !== member.userId);
    const myRole = member.userId === state.selfId ? member.role : row.myRole;
    return { ...row, changeSeq, myRole, members: [...others, member] };
  });
}

/** Applies changes of the conversation itself: name, picture, settings, code, timer. */
export function withMeta(
  state: ChatState,
  conversationId: string,
  changeSeq: number,
  meta: ConversationMeta,
): Partial<ChatState> {
  const isOlder = changeSeq < (state.knownUpTo[conversationId] ?? unknownRowVersions).meta;
  if (isOlder || !state.conversations[conversationId]) return {};
  const updated = updateRow(state, conversationId, (row) => ({
    ...row,
    ...meta,
    changeSeq: Math.max(row.changeSeq, changeSeq),
  }));
  return { ...updated, ...withRowVersions(state, conversationId, { meta: changeSeq }) };
}

/** Applies joins, departures, and role changes. Known receipts stay. */
export function withMemberStates(
  state: ChatState,
  conversationId: string,
  change: { changeSeq: number; memberCount: number; members: readonly MemberState[] },
): Partial<ChatState> {
  if (!state.conversations[conversationId]) return {};
  const upTo = state.knownUpTo[conversationId] ?? unknownRowVersions;
  const isNewest = change.changeSeq >= upTo.memberCount;
  const updated = updateRow(state, conversationId, (row) => {
    const members = new Map(row.members.map((one) => [one.userId, one]));
    let { myRole } = row;
    for (const member of change.members) {
      const known = members.get(member.userId);
      if (known && known.changeSeq > member.changeSeq) continue;
      if (member.userId === state.selfId) myRole = member.role;
      // Departed members stay too, so that an older change of theirs that arrives later does not restore them.
      const isNamed =
        known !== undefined || (member.changeSeq > upTo.members && members.size < getMaxNamedMembers(change));
      if (isNamed) members.set(member.userId, { deliveredSeq: 0, readSeq: 0, ...known, ...member });
    }
    const changeSeq = Math.max(row.changeSeq, change.changeSeq);
    const memberCount = isNewest ? change.memberCount : row.memberCount;
    return { ...row, changeSeq, memberCount, myRole, members: [...members.values()] };
  });
  return { ...updated, ...(isNewest && withRowVersions(state, conversationId, { memberCount: change.changeSeq })) };
}

/** Applies a member's shared cursors. In a large group this is not a change of the conversation. */
export function withReceipt(
  state: ChatState,
  conversationId: string,
  receipt: { userId: string; changeSeq?: number; deliveredSeq: number; readSeq: number },
): Partial<ChatState> {
  const member = state.conversations[conversationId]?.members.find((one) => one.userId === receipt.userId);
  if (!member) return {};
  return withMember(state, conversationId, {
    ...member,
    changeSeq: receipt.changeSeq ?? member.changeSeq,
    deliveredSeq: Math.max(member.deliveredSeq, receipt.deliveredSeq),
    readSeq: Math.max(member.readSeq, receipt.readSeq),
  });
}
