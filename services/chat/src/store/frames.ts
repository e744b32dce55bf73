import { announcementSubject, type Audience } from '../domain/frames.ts';

/**
 * Frames are written to the outbox by the statement that causes them: one trip to the database, and no moment in which
 * one exists without the other. A test holds this SQL against domain/frames.ts.
 */

const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The columns of `messages` under an alias, as the data of a frame. */
export function messageDataSql(alias: string): string {
  return `jsonb_build_object(
    'id', ${alias}.id, 'conversationId', ${alias}.conversation_id, 'senderId', ${alias}.sender_id,
    'seq', ${alias}.seq, 'changeSeq', ${alias}.change_seq, 'content', ${alias}.content,
    'encryption', ${alias}.encryption, 'messageType', ${alias}.message_type,
    'clientMessageId', ${alias}.client_message_id, 'fileUrl', ${alias}.file_url, 'fileName', ${alias}.file_name,
    'fileSize', ${alias}.file_size, 'voiceMessageUrl', ${alias}.voice_message_url,
    'voiceMessageDuration', ${alias}.voice_message_duration,
    'voiceMessageTranscription', ${alias}.voice_message_transcription, 'mediaInfo', ${alias}.media_info,
    'previewUrl', ${alias}.preview_url, 'mentions', to_jsonb(${alias}.mentions),
    'sender', null, 'replyTo', case when ${alias}.reply_to_seq is not null then jsonb_build_object(
      'seq', ${alias}.reply_to_seq, 'messageId', ${alias}.reply_to_id, 'senderId', ${alias}.reply_to_sender_id) end,
    'forwarded', ${alias}.forwarded, 'linkPreview', ${alias}.link_preview, 'reactions', ${alias}.reactions,
    'pinnedAt', ${iso(`${alias}.pinned_at`)}, 'expiresAt', ${iso(`${alias}.expires_at`)},
    'createdAt', ${iso(`${alias}.created_at`)}, 'editedAt', ${iso(`${alias}.edited_at`)},
    'deletedAt', ${iso(`${alias}.deleted_at`)})`;
}

/** The columns of `conversations` under an alias, as the meta of a frame. */
export function metaDataSql(alias: string): string {
  return `jsonb_build_object(
    'id', ${alias}.id, 'name', ${alias}.name,
    'description', case when ${alias}.type = 'group' then ${alias}.description end,
    'pictureUrl', ${alias}.picture_path, 'disappearingSeconds', ${alias}.disappearing_seconds,
    'group', case when ${alias}.type = 'group' then jsonb_build_object(
      'isPublic', ${alias}.is_public, 'maxMembers', ${alias}.max_members, 'roomCode', ${alias}.room_code,
      'codeExpiresAt', ${iso(`${alias}.code_expires_at`)}, 'hasInvite', ${alias}.invite_hash is not null,
      'inviteExpiresAt', ${iso(`${alias}.invite_expires_at`)},
      'settings', jsonb_build_object(
        'allowScreenShare', ${alias}.allow_screen_share, 'allowFileSharing', ${alias}.allow_file_sharing,
        'allowRecording', ${alias}.allow_recording, 'moderationEnabled', ${alias}.moderation_enabled,
        'requireApproval', not ${alias}.is_public)) end)`;
}

/** A row of `members` under an alias, as frames tell it. */
export function memberDataSql(alias: string): string {
  return `jsonb_build_object(
    'userId', ${alias}.user_id, 'role', ${alias}.role, 'changeSeq', ${alias}.change_seq,
    'joinedAt', ${iso(`${alias}.joined_at`)}, 'leftAt', ${iso(`${alias}.left_at`)})`;
}

/** What a member chose for a conversation, by a row of `members` under an alias. */
export function settingsDataSql(alias: string): string {
  return `jsonb_build_object(
    'conversationId', ${alias}.conversation_id, 'archivedAt', ${iso(`${alias}.archived_at`)},
    'pinnedAt', ${iso(`${alias}.pinned_at`)}, 'mutedUntil', ${iso(`${alias}.muted_until`)},
    'markedUnread', ${alias}.marked_unread)`;
}

/** Named people, by SQL for a jsonb array of their ids. */
export const people = (ids: string): string => `'recipients', ${ids}`;

/**
 * The members of a conversation, whom the relay looks up when it passes the row on: a statement that waited for the
 * conversation does not see who came or went meanwhile, and a list of hundreds is not written with every message.
 * Values are SQL.
 */
export function membersOf(
  conversationId: string,
  which: { [key in keyof Omit<Audience, 'conversationId'>]?: string } = {},
): string {
  const narrower = Object.entries(which).map(([key, value]) => `, '${key}', ${value}`);
  // A relay of the version before takes a row without recipients for one that nobody gets, and throws it away. By this one
  // it fails, and leaves it to a relay of this version; it goes with the next.
  const notForOlder = `'recipients', 0`;
  return `${notForOlder}, 'audience', jsonb_build_object('conversationId', ${conversationId}${narrower.join('')})`;
}

/**
 * One outbox row's columns; `place` orders the rows of one statement, `to` is `people` or `membersOf`, `key` the id of the
 * message whose content it holds or tells of, with which it goes where that is erased.
 */
export function announcementSql(place: string, to: string, type: string, data: string, key = 'null::uuid'): string {
  return `ordered_id(${place}), '${announcementSubject}',
    jsonb_build_object(${to}, 'frame', jsonb_build_object('type', '${type}', 'data', ${data})), ${key}`;
}

/** The same columns of a word to other services that listen at this moment. */
export function wakeSql(place: string, subject: string, data: string): string {
  return `ordered_id(${place}), '${subject}', ${data}, null::uuid`;
}

/** The columns of an event, which other services are told of whenever they ask; `key` is whose affair it is, as text. */
export function eventSql(subject: string, key: string, data: string): string {
  return `ordered_id(0), '${subject}', ${key}, ${data}`;
}

export const outboxColumns = '(id, subject, payload, key)';

export const eventColumns = '(id, subject, key, payload)';

/** Whether one of two people has blocked the other. */
export function blockedSql(one: string, other: string): string {
  return `exists (
    select 1 from blocks b where b.blocked
    and ((b.blocker_id = ${one} and b.blocked_id = ${other}) or (b.blocker_id = ${other} and b.blocked_id = ${one})))`;
}

/** Whether a sender is blocked from, or has blocked, the other person of a direct conversation. */
export function directlyBlockedSql(conversationId: string, senderId: string): string {
  return `exists (
    select 1 from conversations c join members o on o.conversation_id = c.id
    where c.id = ${conversationId} and c.type = 'direct' and o.user_id <> ${senderId}
    and ${blockedSql(senderId, 'o.user_id')})`;
}
