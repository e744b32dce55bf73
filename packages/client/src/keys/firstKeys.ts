import type { KeyContext } from './context.ts';
import { dropDevice, restoreFormer } from './deviceKeys.ts';
import { signFirst } from './lists.ts';
import { sendPending, type ListOutcome } from './pendingLists.ts';
import { reloadDevice, refreshOwn, type Work } from './work.ts';

/** First keys of an account (docs/encryption.md, section 3). */

/**
 * Settles what became of a list in flight. Who loses the race for list 0 discards it and its keys, and links instead;
 * a refused new identity leaves the device with its former keys.
 */
export async function settleFirst(context: KeyContext, work: Work, sent: ListOutcome | undefined): Promise<void> {
  const isFirst = sent?.pending.purpose === 'first' || sent?.pending.purpose === 'identity';
  if (sent?.outcome !== 'refused' || !isFirst) return;
  if (!work.device?.isListed) await dropDevice(context);
  if (sent.pending.purpose === 'identity') await restoreFormer(context);
  await reloadDevice(context, work);
}

/**
 * Creates the first keys of an account that has none.
 *
 * @throws ApiError if the request has to be repeated later
 */
export async function createFirstKeys(context: KeyContext, work: Work): Promise<void> {
  await signFirst(context, work, 'first');
  const sent = await sendPending(context, work);
  await settleFirst(context, work, sent);
  await refreshOwn(context, work);
}
