import { limits } from '@nolo/rules';

/**
 * Returns SQL for the expiry of a new message: in a meeting chat after its retention (decision 23), elsewhere if
 * messages disappear. System messages do not expire, except in meeting chats.
 */
export function buildMessageExpirySql(conversation: string, messageType: string, at: string): string {
  // `least` ignores a timer that is not set.
  return `case when ${conversation}.type = 'meeting'
      then ${at} + least(make_interval(days => ${limits.meetingChatDays}), make_interval(secs => ${conversation}.disappearing_seconds))
      when ${messageType} <> 'system' then ${at} + make_interval(secs => ${conversation}.disappearing_seconds) end`;
}
