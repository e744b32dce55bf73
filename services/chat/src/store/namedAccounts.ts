import type { UserId } from '@nolo/kit/ids';
import { defineStatement } from './statement.ts';

/**
 * Finds accounts that rosters of a conversation name: of one in which somebody else is still a member, or of one in
 * which the actor is or was a member. A header names nobody whom neither its roster nor the one before has.
 *
 * $1 accounts, $2 actor or null.
 */
export const findNamedAccounts = defineStatement<{ id: UserId }>(
  'named_accounts',
  `select a.id from unnest($1::uuid[]) as a(id) where exists (
    select from members m join conversations c on c.id = m.conversation_id
    where m.user_id = a.id and c.epoch is not null and exists (
      select from members o where o.conversation_id = c.id and o.user_id <> a.id
      and case when $2::uuid is null then o.left_at is null else o.user_id = $2::uuid end
    ) and exists (
      select from epochs e where e.conversation_id = c.id and position(uuid_send(a.id) in e.roster) > 0
    )
  )`,
);
