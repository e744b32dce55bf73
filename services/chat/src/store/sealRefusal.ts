import type { SealOutcome } from '../domain/ports.ts';

/** Rule of sealed conversations that refuses a message; see `epoch_stale`. */
export type SealRefusal =
  'encryption_required' | 'conversation_replaced' | 'epoch_newer' | 'epoch_removal' | 'epoch_timer' | 'epoch_none';

const staleReasons = {
  epoch_newer: 'newer',
  epoch_removal: 'removal',
  epoch_timer: 'timer',
  epoch_none: 'none',
} as const;

/** @param epoch number of the newest epoch; null without one */
export const toSealOutcome = (refusal: SealRefusal, epoch: number | null): SealOutcome =>
  refusal === 'encryption_required' || refusal === 'conversation_replaced'
    ? { kind: refusal }
    : { kind: 'epoch_stale', n: epoch ?? -1, reason: staleReasons[refusal] };

/** Seconds for which messages of the epoch before are accepted. */
const formerEpochSeconds = 10;

/**
 * Returns SQL for the rule that refuses a message as it was sealed, or null (docs/encryption.md, section 9). A
 * conversation without an epoch accepts no sealed messages. One with an epoch accepts only sealed messages and those of
 * the server. A replaced conversation accepts only those of the server.
 *
 * @param draft has `epoch` (null if not sealed) and `message_type`
 * @param conversation row of conversations, locked if the message is stored now. An epoch that began while the
 *   statement waited for the lock is not visible to it, and its messages are refused.
 */
export function buildSealRefusalSql(draft: string, conversation: string, at: string): string {
  const newest = `e.conversation_id = ${conversation}.id and e.n = ${conversation}.epoch`;
  return `nullif(case
      when ${conversation}.epoch is null then case when ${draft}.epoch is not null then 'epoch_none' end
      when ${conversation}.replaced_at is not null and ${draft}.message_type <> 'system' then 'conversation_replaced'
      when ${draft}.epoch is null then case when ${draft}.message_type <> 'system' then 'encryption_required' end
      when ${conversation}.removal_pending then 'epoch_removal'
      when ${draft}.epoch = ${conversation}.epoch then coalesce((
        select case when e.timer > 0 and e.created_at + make_interval(secs => least(3600, greatest(300, e.timer))) < ${at}
          then 'epoch_timer' else '' end
        from epochs e where ${newest}), 'epoch_newer')
      when ${draft}.epoch = ${conversation}.epoch - 1 and exists (
        select from epochs e join epochs f on f.conversation_id = e.conversation_id and f.n = e.n - 1
        where ${newest} and not e.ends_rows and f.timer = 0
        and e.created_at > ${at} - interval '${formerEpochSeconds} seconds') then ''
      else 'epoch_newer' end, '')`;
}
