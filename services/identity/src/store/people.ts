import type { Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import type { PersonWithRelation, PeopleReader, PresenceWatcher } from '../domain/peoplePorts.ts';
import { listStoredForms } from '../domain/phoneNumbers.ts';
import { toPrefixLikePattern, toContainsLikePattern } from './likePatterns.ts';
import { privacyColumns } from './privacyColumns.ts';

/**
 * Excludes strangers who have blocked the viewer from searches by name, as if they did not want to be found. Searches
 * by number, by address, and among the viewer's own contacts find them with hidden presence: adding a number shows that
 * someone has it, so a search that denied that would reveal the block.
 */
const notBlockingViewer = 'not exists (select from blocks b where b.blocker_id = u.id and b.blocked_id = :viewer)';

/** Excludes closed accounts, as if they were gone. */
const open = 'not exists (select from closures x where x.user_id = u.id)';

/** Lower-case name, searched while a name is not folded yet. */
const lowerName = `lower(u.first_name || ' ' || u.last_name)`;

/**
 * Returns SQL for two IDs that is true if the viewer `v` shares when they were last seen with the other and has not
 * blocked them.
 */
const showsLastSeen = (viewer: string, other: string) =>
  `((v.last_seen_visibility = 'everyone' or (v.last_seen_visibility = 'contacts' and exists (
     select from contacts k where k.owner_id = ${viewer} and k.user_id = ${other})))
     and not exists (select from blocks b where b.blocker_id = ${viewer} and b.blocked_id = ${other}))`;

export function createPeopleReader(db: Knex): PeopleReader {
  const ids = async (sql: string, bindings: Record<string, string | number>): Promise<UserId[]> => {
    const { rows } = await db.raw<{ rows: { id: UserId }[] }>(sql, bindings);
    return rows.map((row) => row.id);
  };

  return {
    async acquaintances(viewerId, userIds) {
      const { rows } = await db.raw<{ rows: PersonWithRelation[] }>(
        `select u.id, u.first_name as "firstName", u.last_name as "lastName",
           u.profile_image_path as "profileImagePath", u.status_message as "statusMessage",
           u.presence_status as "presenceStatus", ${privacyColumns}, s.seen_at as "lastSeenAt",
           coalesce(${showsLastSeen(':viewer', 'u.id')}, false) as "viewerShowsLastSeen",
           c.display_name as "contactName",
           c.phone_number as "contactNumber", coalesce(c.named, false) as "contactNamed",
           exists (select from blocks b where b.blocker_id = :viewer and b.blocked_id = u.id) as "isBlocked",
           exists (select from blocks b where b.blocker_id = u.id and b.blocked_id = :viewer) as "blocksViewer",
           exists (select from contacts k where k.owner_id = u.id and k.user_id = :viewer) as "knowsViewer"
         from users u
         left join users v on v.id = :viewer
         left join last_seen s on s.user_id = u.id
         left join contacts c on c.owner_id = :viewer and c.user_id = u.id
         where u.id = any(:ids) and (${open} or u.id = :viewer)`,
        { viewer: viewerId, ids: [...userIds] as unknown as string },
      );
      return rows;
    },

    contactsNamed: (viewerId, searched, limit) =>
      ids(
        `select u.id from contacts c join users u on u.id = c.user_id
         where c.owner_id = :viewer and ${open}
           and (c.folded_name like :folded or u.folded_name like :folded
             or (c.folded_name is null and lower(c.display_name) like :written)
             or (u.folded_name is null and ${lowerName} like :written))
         order by coalesce(c.folded_name, lower(c.display_name)) collate "C", c.id limit :limit`,
        {
          viewer: viewerId,
          folded: toContainsLikePattern(searched.folded),
          written: toContainsLikePattern(searched.written),
          limit,
        },
      ),

    discoverableNamed: (viewerId, prefix, limit) =>
      ids(
        `select u.id from users u
         where u.discoverable and u.id <> :viewer and ${open} and ${notBlockingViewer}
           and (u.folded_name like :folded or u.folded_last_name like :folded
             or (u.folded_name is null and (${lowerName} like :written or lower(u.last_name) like :written)))
         order by coalesce(u.folded_name, ${lowerName}) collate "C", u.id limit :limit`,
        {
          viewer: viewerId,
          folded: toPrefixLikePattern(prefix.folded),
          written: toPrefixLikePattern(prefix.written),
          limit,
        },
      ),

    withPhoneNumber: (viewerId, phoneNumber) =>
      ids(
        `select u.id from user_phones p join users u on u.id = p.user_id
         where p.phone_number = any(:forms) and u.id <> :viewer and ${open}`,
        { viewer: viewerId, forms: listStoredForms(phoneNumber) as unknown as string },
      ),

    withEmail: (viewerId, email, limit) =>
      ids(
        `select u.id from users u
         where lower(u.email) = :email and u.id <> :viewer and ${open}
         order by u.id limit :limit`,
        { viewer: viewerId, email, limit },
      ),

    async watchers(userId, limit) {
      const { rows } = await db.raw<{ rows: PresenceWatcher[] }>(
        `select w.id as "userId",
           exists (select from contacts k where k.owner_id = :user and k.user_id = w.id) as "knowsViewer",
           exists (select from blocks b where b.blocker_id = :user and b.blocked_id = w.id) as "blocksViewer",
           ${showsLastSeen('w.id', ':user')} as "viewerShowsLastSeen"
         from (select owner_id as id from contacts where user_id = :user
               union
               select user_id from contacts where owner_id = :user and user_id is not null) w
         join users v on v.id = w.id
         limit :limit`,
        { user: userId, limit },
      );
      return rows;
    },
  };
}
