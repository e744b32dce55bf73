import type { UserId } from '@nolo/kit/ids';
import type { Self } from '@nolo/proto/identity';
import type { AccountChanges } from '../domain/ports.ts';
import type { RpcDeps } from './deps.ts';
import { toSelf } from './replies.ts';
import { userNotFound } from './requests.ts';

/** Stores changes to the actor's own account and tells the actor's other devices. */
export async function changeAccount(
  { accounts, clock, frames }: Pick<RpcDeps, 'accounts' | 'clock' | 'frames'>,
  actor: UserId,
  changes: AccountChanges,
): Promise<Self> {
  const account = await accounts.change(actor, changes, clock.now());
  if (!account) throw userNotFound();
  await frames.send([actor], { type: 'self_changed', data: {} });
  return toSelf(account);
}
