import { limits } from '@nolo/rules';

/** Reason why a group refuses a member's message as it is: always, or until it is approved. */
export type GroupMessageRefusal = 'files_refused' | 'needs_approval';

/** Returns SQL that is true for a file. A voice note is one because it can contain anything. */
const isFile = (draft: string) => `${draft}.message_type in ('image', 'video', 'file', 'voice')`;

/**
 * Returns SQL for the group rule that a draft violates, or null (decision 16). The owner, admins and system messages
 * are exempt. `draft` has `message_type`, `has_link` and `approved`, `sender` is a row of members and `group` one of
 * conversations.
 *
 * $3 time.
 */
export function buildGroupMessageRefusalSql(draft: string, sender: string, group: string): string {
  return `case
      when ${group}.type <> 'group' or ${sender}.role <> 'member' or ${draft}.message_type = 'system' then null
      when not ${group}.allow_file_sharing and ${isFile(draft)} then 'files_refused'
      when ${group}.moderation_enabled and not ${draft}.approved and (${draft}.has_link or ${isFile(draft)})
        and ${sender}.joined_at > $3::timestamptz - interval '${limits.newMemberDays} days' then 'needs_approval' end`;
}
