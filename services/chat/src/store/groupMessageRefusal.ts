import { limits } from '@nolo/rules';

/**
 * Reason why a group refuses a member's message as it is: always, until it is approved, or because it was sealed to
 * wait for approval, which nobody decides about here.
 */
export type GroupMessageRefusal = 'files_refused' | 'needs_approval' | 'not_held';

/** Returns SQL that is true for a file. A voice note is one because it can contain anything. */
const isFile = (draft: string) => `${draft}.message_type in ('image', 'video', 'file', 'voice')`;

/**
 * Returns SQL for the group rule that a draft violates, or null (decision 16). The owner, admins and system messages
 * are exempt. `draft` has `message_type`, `has_link`, `approved` and `held`, `sender` is a row of members and `group`
 * one of conversations.
 *
 * $3 time.
 */
export function buildGroupMessageRefusalSql(draft: string, sender: string, group: string): string {
  return `case
      when ${group}.type <> 'group' or ${sender}.role <> 'member' or ${draft}.message_type = 'system'
        then case when ${draft}.held then 'not_held' end
      when not ${group}.allow_file_sharing and ${isFile(draft)} then 'files_refused'
      when ${draft}.held then case when ${group}.moderation_enabled then 'needs_approval' else 'not_held' end
      when ${group}.moderation_enabled and not ${draft}.approved and (${draft}.has_link or ${isFile(draft)})
        and ${sender}.joined_at > $3::timestamptz - interval '${limits.newMemberDays} days' then 'needs_approval' end`;
}
