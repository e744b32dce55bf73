import type { KeyContext } from './context.ts';
import { KeysError } from './keysError.ts';
import { readNameOf } from './notices.ts';
import type { ForkQuestion } from './types.ts';
import { isForked, toEpochValues } from './vault.ts';
import { nextForkStep, settleForks, type ForkStep } from './vaultForks.ts';
import { nameOf } from './wire.ts';
import { isJoined, requireJoined, type Work } from './work.ts';

/** Questions about forks of the vault, which only the user answers (docs/encryption.md, section 4). */

function openQuestion(work: Work): Extract<ForkStep, { step: 'ask' }> | undefined {
  const { vault, own } = work;
  if (!vault || !own || !isJoined(work) || !isForked(vault)) return undefined;
  const next = nextForkStep(vault, own.chain);
  return next.step === 'ask' ? next : undefined;
}

/** Returns the open question, or undefined. */
export async function readQuestion(context: KeyContext, work: Work): Promise<ForkQuestion | undefined> {
  const open = openQuestion(work);
  if (!open) return undefined;
  return { id: nameOf(open.hash), kind: open.kind, deviceName: await readNameOf(context, open.device) };
}

/**
 * Notes that the user said yes.
 *
 * @throws KeysError `conflict` if another question, or none, is open
 */
export async function agree(context: KeyContext, work: Work, id: string): Promise<void> {
  const { vault, own } = requireJoined(work);
  const open = openQuestion(work);
  if (!open || nameOf(open.hash) !== id) throw new KeysError('conflict', 'This question is no longer open.');
  const agreed = settleForks({ ...vault, agreed: [...vault.agreed, open.hash] }, own.chain);
  await context.store.write(toEpochValues(vault, agreed));
  work.vault = agreed;
}
