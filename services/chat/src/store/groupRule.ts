import { limits } from '@nolo/rules';

/** Why a group does not take a member's message as it is: never, or not before somebody looked at it. */
export type GroupRule = 'files_refused' | 'needs_approval';

/** A voice note counts as a file: what is said in it can be anything. */
const isFile = (draft: string) => `${draft}.message_type in ('image', 'video', 'file', 'voice')`;

/**
 * The rule of the group that a draft meets, or null (decision 16). Owner and admins may everything, as may what the
 * server itself says. `draft` has `message_type`, `has_link` and `approved`, `sender` is a row of members and `group` one of
 * conversations.
 *
 * $3 the time.
 */
export function groupRuleSql(draft: string, sender: string, group: string): string {
  return `case
      when ${group}.type <> 'group' or ${sender}.role <> 'member' or ${draft}.message_type = 'system' then null
      when not ${group}.allow_file_sharing and ${isFile(draft)} then 'files_refused'
      when ${group}.moderation_enabled and not ${draft}.approved and (${draft}.has_link or ${isFile(draft)})
        and ${sender}.joined_at > $3::timestamptz - interval '${limits.newMemberDays} days' then 'needs_approval' end`;
}
