import type { Knex } from '@nolo/kit/db';
import { inTransaction } from '@nolo/kit/db';
import type { ConversationId, UserId } from '@nolo/kit/ids';
import { createKeyedSerialQueue } from '@nolo/kit/serialQueue';
import { limits } from '@nolo/rules';
import type { GroupRevision, GroupStanding } from '../domain/group.ts';
import type { LockedGroup, GroupStore, GroupListPage } from '../domain/groupPorts.ts';
import { encryptionRequired, sendContended } from '../errors.ts';
import { beginEpochOfChange, countRemovals } from './conversationEpochs.ts';
import * as sql from './groupStatements.ts';
import { endAllInvitationsOfGroup, forgetInvitations, createInvitationOperations } from './invitations.ts';
import { lockConversation } from './locks.ts';
import { writeSystemMessage } from './systemMessages.ts';
import { mapMemberRow, mapConversationMetaRow } from './rows.ts';
import { addAddition, addLeave } from './signedChanges.ts';

/** Returns the columns that a revision writes; undefined leaves a column unchanged. */
function revisedColumns({ settings, ...revision }: GroupRevision): Record<string, unknown> {
  const columns = {
    name: revision.name,
    description: revision.description,
    picture_path: revision.picturePath,
    is_public: revision.isPublic,
    max_members: revision.maxMembers,
    allow_screen_share: settings?.allowScreenShare,
    allow_file_sharing: settings?.allowFileSharing,
    allow_recording: settings?.allowRecording,
    moderation_enabled: settings?.moderationEnabled,
    room_code: revision.roomCode,
    code_expires_at: revision.codeExpiresAt,
    invite_hash: revision.inviteHash,
    invite_expires_at: revision.inviteExpiresAt,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

async function standingsOf(
  db: Knex,
  id: ConversationId,
  people: readonly UserId[],
): Promise<Map<UserId, GroupStanding>> {
  const rows = await sql.findStandings(db, id, people);
  return new Map(
    rows.map((row) => [
      row.user_id,
      {
        userId: row.user_id,
        role: row.role,
        leftReason: row.left_reason,
        banned: row.banned,
        waiting: row.waiting,
        invitation: row.invitation,
      },
    ]),
  );
}

/** Changes of a group for which a sealed one needs an epoch. */
interface EpochNeed {
  readonly entered: UserId[];
  rolesChanged: boolean;
  admissionChanged: boolean;
}

/** Opens a locked group: its data and the operations on it. */
async function open(
  trx: Knex,
  id: ConversationId,
  people: readonly UserId[],
  { at, need }: { at: Date; need: EpochNeed },
): Promise<LockedGroup | undefined> {
  const [row] = await sql.findGroup(trx, id);
  if (!row) return undefined;
  const standings = await standingsOf(trx, id, people);
  const standing = (userId: UserId): GroupStanding => {
    const found = standings.get(userId);
    if (!found) throw new Error('A person was not named when the group was locked.');
    return found;
  };
  const writeRoles = (roles: Parameters<LockedGroup['setRoles']>[0]) =>
    sql.setRoles(
      trx,
      id,
      roles.map(({ userId }) => userId),
      roles.map(({ role }) => role),
      at,
    );
  const waited = (userIds: readonly UserId[]) => userIds.some((userId) => standings.get(userId)?.waiting === true);

  return {
    id,
    meta: mapConversationMetaRow(row),
    memberCount: row.member_count,
    inviteHash: row.invite_hash,
    standing,
    isInvited: (userId) => (standings.get(userId)?.invitation ?? null) !== null,
    ...createInvitationOperations(trx, id, at),
    async enter(userIds, role, way) {
      if (userIds.length === 0) return;
      if (way !== 'own') need.entered.push(...userIds);
      await sql.enterGroupStatement(trx, id, userIds, role, at);
      if (waited(userIds)) await sql.enqueueJoinRequestsChanged(trx, id);
    },
    async leave(userId, reason) {
      await sql.leaveGroupStatement(trx, id, userId, at, reason);
    },
    async setRoles(roles) {
      need.rolesChanged = true;
      await writeRoles(roles);
    },
    async appoint(successor) {
      await writeRoles([{ userId: successor, role: 'owner' }]);
    },
    async keepLeave(userId, leave) {
      await addLeave(trx, id, userId, Buffer.from(leave), at);
    },
    async keepAddition(userId, addition) {
      await addAddition(trx, id, userId, Buffer.from(addition), at);
    },
    async revise(revision) {
      if (revision.isPublic !== undefined && revision.isPublic !== row.c_is_public) need.admissionChanged = true;
      await trx('conversations')
        .where({ id })
        .update({
          ...revisedColumns(revision),
          last_change_seq: trx.raw('last_change_seq + 1'),
          meta_change_seq: trx.raw('last_change_seq + 1'),
          updated_at: trx.raw('greatest(updated_at, ?::timestamptz)', [at]),
        });
      await sql.enqueueConversationUpdated(trx, id);
    },
    addSystemMessage: (actorId, systemMessage) =>
      writeSystemMessage(trx, { conversationId: id, actorId, entry: systemMessage, at }),
    async countRequests() {
      const [counted] = await sql.countJoinRequestsStatement(trx, id);
      return counted?.count ?? 0;
    },
    async addRequest(userId) {
      await sql.addJoinRequestStatement(trx, id, userId, at);
      await sql.enqueueJoinRequestSent(trx, id, userId);
      await sql.enqueueJoinRequestsChanged(trx, id);
    },
    async removeRequest(userId) {
      await sql.removeJoinRequestStatement(trx, id, userId);
      await sql.enqueueJoinRequestsChanged(trx, id);
    },
    async notifyJoinRequestDenied(userId, { withdrawn }) {
      await sql.enqueueJoinRequestDenied(trx, id, userId, withdrawn);
    },
    async ban(userId, by) {
      await sql.banMemberStatement(trx, id, userId, by, at);
    },
    async unban(userId) {
      await sql.unbanMemberStatement(trx, id, userId);
    },
    async unavailable(actorId, userIds) {
      const rows = await sql.findUnaddableUsers(trx, actorId, userIds, limits.groupsPerUser);
      return new Set(rows.map(({ user_id: userId }) => userId));
    },
    async successorOf(ownerId) {
      const [successor] = await sql.findSuccessor(trx, id, ownerId);
      return successor?.user_id;
    },
    async close() {
      await sql.closeGroupStatement(trx, id);
      await endAllInvitationsOfGroup(trx, id);
    },
    async member(userId) {
      const [found] = await sql.findMember(trx, id, userId);
      if (!found) throw new Error('A former member has no row.');
      return mapMemberRow(found);
    },
  };
}

const noNeed = (): EpochNeed => ({ entered: [], rolesChanged: false, admissionChanged: false });

/** @throws encryption_required if a sealed group was changed in a way that an epoch must contain */
function refuseWithoutEpoch({ entered, rolesChanged, admissionChanged }: EpochNeed): void {
  if (entered.length > 0) throw encryptionRequired({ userIds: entered });
  if (rolesChanged || admissionChanged) throw encryptionRequired();
}

/** Returns a page, given one extra row that shows whether more follow. */
function pageOf<Row, T>(rows: readonly Row[], limit: number, read: (row: Row) => T): GroupListPage<T> {
  return { rows: rows.slice(0, limit).map(read), hasMore: rows.length > limit };
}

export function createGroupStore(db: Knex): GroupStore {
  const inTurn = createKeyedSerialQueue(sendContended);

  return {
    create: (group, at, work) =>
      inTransaction(db, async (trx) => {
        const { settings } = group;
        await sql.insertGroup(
          trx,
          group.id,
          group.name,
          group.description,
          group.isPublic,
          group.maxMembers,
          settings.allowScreenShare,
          settings.allowFileSharing,
          settings.allowRecording,
          settings.moderationEnabled,
          group.roomCode,
          group.ownerId,
          at,
        );
        const created = await open(trx, group.id, [], { at, need: noNeed() });
        if (!created) throw new Error('The group that was just created is missing.');
        await work(created);
      }),

    change: (id, people, at, work, epoch) =>
      inTurn(id, () =>
        inTransaction(db, async (trx) => {
          if (!(await lockConversation(trx, id))) return undefined;
          const removals = await countRemovals(trx, id);
          const need = noNeed();
          const group = await open(trx, id, people, { at, need });
          if (!group) return undefined;
          const done = await work(group);
          if (epoch) await beginEpochOfChange(trx, { conversationId: id, removals, entered: need.entered }, epoch, at);
          else if (group.meta.sealedFromSeq !== null) refuseWithoutEpoch(need);
          return done;
        }),
      ),

    async findByCode(code) {
      const [row] = await sql.findByCode(db, code);
      return row?.id;
    },

    async findWithStanding(id, userId) {
      const [row] = await sql.findGroup(db, id);
      const standing = row && (await standingsOf(db, id, [userId])).get(userId);
      if (!standing) return undefined;
      return {
        meta: mapConversationMetaRow(row),
        memberCount: row.member_count,
        inviteHash: row.invite_hash,
        standing,
      };
    },

    async countOf(userId) {
      const [row] = await sql.countGroupsOfStatement(db, userId);
      return row?.count ?? 0;
    },

    async deciders(id) {
      const rows = await db<{ user_id: UserId }>('members as m')
        .join('conversations as c', 'c.id', 'm.conversation_id')
        .where({ 'm.conversation_id': id, 'm.left_at': null, 'c.type': 'group' })
        .whereIn('m.role', ['owner', 'admin'])
        .select('m.user_id');
      return rows.map((row) => row.user_id);
    },

    owners: (ids) =>
      db('members as m')
        .join('conversations as c', 'c.id', 'm.conversation_id')
        .where({ 'm.left_at': null, 'm.role': 'owner', 'c.type': 'group' })
        .whereIn('m.conversation_id', [...ids])
        .select('m.conversation_id as conversationId', 'm.user_id as userId'),

    async forget(userId) {
      for (const { conversation_id: id } of await sql.forgetBansAndJoinRequestsStatement(db, userId))
        await sql.enqueueJoinRequestsChanged(db, id);
      await forgetInvitations(db, userId);
    },

    async members(id, place, limit) {
      const rows = await sql.listMembers(
        db,
        id,
        place?.rank ?? null,
        place?.at ?? null,
        place?.userId ?? null,
        limit + 1,
      );
      return pageOf(rows, limit, mapMemberRow);
    },

    async bans(id, place, limit) {
      const rows = await sql.listBans(db, id, place?.at ?? null, place?.id ?? null, limit + 1);
      return pageOf(rows, limit, (row) => ({
        userId: row.user_id,
        bannedBy: row.banned_by,
        bannedAt: row.banned_at,
      }));
    },

    async ownRequests(userId, limit) {
      const rows = await sql.listOwnJoinRequestsStatement(db, userId, limit);
      return rows.map((row) => ({
        conversationId: row.conversation_id,
        name: row.name ?? '',
        picturePath: row.picture_path,
        memberCount: row.member_count,
        requestedAt: row.requested_at,
      }));
    },

    async requests(id, place, limit) {
      const rows = await sql.listJoinRequestsStatement(db, id, place?.at ?? null, place?.id ?? null, limit + 1);
      return pageOf(rows, limit, (row) => ({ userId: row.user_id, requestedAt: row.requested_at }));
    },
  };
}
