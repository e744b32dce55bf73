import type { LinkState } from '../../src/keys/types.ts';
import type { TestDevice, World } from './keyDevices.ts';

/** Plays the user who links a device. */

export const linkOf = ({ state }: TestDevice): LinkState | null => state.link;

/** Field of the link's state, or undefined while the state has none. */
export function fieldOf(device: TestDevice, field: 'code' | 'digits'): string | undefined {
  const link = linkOf(device);
  return link && field in link ? (link as unknown as Record<string, string>)[field] : undefined;
}

export const isAt = (device: TestDevice, step: LinkState['step']): boolean => linkOf(device)?.step === step;

/** Links a new device with a camera. */
export async function linkByCode(world: World, fresh: TestDevice, old: TestDevice): Promise<void> {
  await fresh.keys.beginLink('code');
  await old.keys.scanLinkCode(fieldOf(fresh, 'code') ?? '');
  await old.keys.confirmLink();
  await world.until(() => isAt(fresh, 'done') && fresh.phase === 'ready', 'linking by a code');
}

/** A laptop and a phone of a person, which are linked. */
export async function linkedPair(world: World, userId: string): Promise<[TestDevice, TestDevice]> {
  const laptop = await world.ready(userId, 'Laptop');
  const phone = await world.ready(userId, 'Phone');
  await linkByCode(world, phone, laptop);
  await world.pass(1_000);
  return [laptop, phone];
}

/** Brings both devices to where the old one takes the new one's digits. */
export async function beginDigits(world: World, fresh: TestDevice, old: TestDevice): Promise<void> {
  await fresh.keys.beginLink('digits');
  await world.until(() => old.state.requests.length === 1, 'the request');
  await old.keys.answerLink(old.state.requests[0]?.linkId ?? '');
  await world.until(() => isAt(fresh, 'digits'), 'the digits');
}

/** Links a new device by digits. */
export async function linkByDigits(world: World, fresh: TestDevice, old: TestDevice): Promise<void> {
  await beginDigits(world, fresh, old);
  await old.keys.typeDigits(fieldOf(fresh, 'digits') ?? '');
  await fresh.keys.typeDigits(fieldOf(old, 'digits') ?? '');
  await world.until(() => isAt(fresh, 'done') && isAt(old, 'done'), 'linking by digits');
}
