import { limits } from '@nolo/rules';

/**
 * When a new message of a conversation goes by itself: what was said beside a meeting after its days (decision 23), all
 * else where messages disappear. What the server says of itself stays, but beside a meeting.
 */
export function expirySql(conversation: string, messageType: string, at: string): string {
  // `least` takes no notice of a timer that is not set.
  return `case when ${conversation}.type = 'meeting'
      then ${at} + least(make_interval(days => ${limits.meetingChatDays}), make_interval(secs => ${conversation}.disappearing_seconds))
      when ${messageType} <> 'system' then ${at} + make_interval(secs => ${conversation}.disappearing_seconds) end`;
}
