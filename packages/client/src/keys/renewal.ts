import { routes } from '@nolo/api';
import { readBoxKeys } from '@nolo/e2ee';
import { ApiError } from '../http/request.ts';
import { acceptBoxKeys } from './chains.ts';
import type { KeyContext } from './context.ts';
import { boxesKeyOf, createBoxKeys, type BoxKeySet } from './deviceKeys.ts';
import { ownKey, reloadDevice, requireJoined, type Work } from './work.ts';
import { nameOf, toSigned } from './wire.ts';

/** Renewal of a device's box keys (docs/encryption.md, section 3). */

const weekMs = 7 * 86_400_000;

/** Publishes box keys, and begins the week after which the ones before are deleted. */
async function publish(context: KeyContext, work: Work, set: BoxKeySet): Promise<boolean> {
  if (!set.statement) return false;
  try {
    await context.call(routes.renewBoxKeys, { body: { boxKeys: toSigned(set.statement) } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.passing || error.code !== 'box_keys_refused') throw error;
    await context.store.write({ [boxesKeyOf(set.number)]: undefined });
    await reloadDevice(context, work);
    return false;
  }
  const { own } = requireJoined(work);
  const { chain } = await acceptBoxKeys(own.chain, [{ ...set.statement, device: readBoxKeys(set.statement).device }]);
  work.own = { ...own, chain };
  const values: Record<string, unknown> = { [ownKey]: work.own };
  for (const one of work.boxes) {
    if (one.number === set.number) values[boxesKeyOf(one.number)] = { ...one, isPublished: true };
    else if (one.replacedAt === null) values[boxesKeyOf(one.number)] = { ...one, replacedAt: context.now() };
  }
  await context.store.write(values);
  await reloadDevice(context, work);
  return true;
}

/** Number of the next box keys, or undefined if the newest ones are young. */
function dueNumber(context: KeyContext, work: Work): number | undefined {
  const { ready, own } = requireJoined(work);
  const newest = ready.boxes.at(-1);
  const served = own.chain.boxKeys[nameOf(ready.device.id)];
  // A storage that was restored from a copy lacks the private keys of a number that it published.
  if (served && (!newest || served.number > newest.number)) return served.number + 1;
  if (!newest) return 0;
  return Math.abs(context.now() - newest.madeAt) > weekMs ? newest.number + 1 : undefined;
}

/**
 * Renews the box keys weekly, and deletes old private keys 7 days later. The caller has opened every box that is
 * addressed to them.
 *
 * @throws ApiError if the server cannot be asked
 */
export async function renewBoxKeys(context: KeyContext, work: Work): Promise<void> {
  const pending = work.boxes.find(({ isPublished }) => !isPublished);
  if (pending) await publish(context, work, pending);
  else if (work.hasOldBoxKeys) await showAgain(context, work);
  const number = dueNumber(context, work);
  if (number !== undefined) {
    const set = await createBoxKeys(context, number);
    await reloadDevice(context, work);
    await publish(context, work, set);
  }
  await deleteOld(context, work);
}

/** Shows a server that lost them the newest box keys again. */
async function showAgain(context: KeyContext, work: Work): Promise<void> {
  const newest = work.boxes.at(-1)?.statement;
  if (!newest) return;
  try {
    await context.call(routes.renewBoxKeys, { body: { boxKeys: toSigned(newest) } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.passing) throw error;
  }
}

async function deleteOld(context: KeyContext, work: Work): Promise<void> {
  const old = work.boxes.filter(({ replacedAt }) => replacedAt !== null && context.now() - replacedAt > weekMs);
  if (old.length === 0) return;
  await context.store.write(Object.fromEntries(old.map(({ number }) => [boxesKeyOf(number), undefined])));
  await reloadDevice(context, work);
}
