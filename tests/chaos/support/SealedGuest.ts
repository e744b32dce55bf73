import type { Message } from '@nolo/api';
import type { Chats } from '@nolo/client';
import { readHeader } from '@nolo/e2ee';
import { eventually, openToGroups, signUpByPhone, TestUser } from '@nolo/testing';
import type { ChaosHistory } from '../../support/clients/ChaosHistory.ts';
import { startFirstDevice, type SealedDevice } from '../../support/clients/sealedDevices.ts';
import { openGatewayClient } from './openGatewayClient.ts';

interface Options {
  urls: readonly string[];
  gateways: readonly string[];
  history: ChaosHistory;
  random: () => number;
  owner: SealedDevice;
  group: string;
}

type CheckShown = (name: string, chats: Chats, id: string, stored: readonly Message[]) => Promise<void>;

export interface SealedGuest {
  moved(): number;
  talk(): void;
  fallSilent(): Promise<void>;
  /** Checks the rows since the guest was added, if the guest is a member. */
  check(storedAfter: (seq: number) => Message[], checkShown: CheckShown): Promise<void>;
  stop(): void;
}

/** Pause between two changes, long enough for the daily limits. */
const stepMs = 4_000;
const retryMs = 500;

/**
 * Starts a person whom the owner of a sealed group adds, with an epoch, and removes, without one: the next sender
 * begins that epoch. Everything that follows an addition must be open for them, except what was sealed before it: for
 * ten seconds the server takes messages of the epoch before.
 */
export async function startSealedGuest({
  urls,
  gateways,
  history,
  random,
  owner,
  group,
}: Options): Promise<SealedGuest> {
  const { id, phone, api } = await eventually(() => signUpByPhone(gateways[0]!));
  const user = new TestUser({ baseUrl: urls[0]!, id, phone, token: api.token ?? '' });
  await openToGroups(user);
  const device = await startFirstDevice(user);
  const gatewayClient = openGatewayClient(gateways[0]!);
  const path = `/api/group-chats/${group}/members`;
  let moved = 0;
  let addedAt: number | undefined;
  /** Epoch that the owner built last to add the guest. */
  let entered = 0;
  let talking = false;
  let running: Promise<void> | undefined;

  const send = async (method: string, to: string, body?: unknown) =>
    await gatewayClient.send(owner.user.api.token ?? '', method, to, body).catch(() => undefined);

  const isMember = () =>
    eventually(async () => {
      const reply = await send('GET', `${path}?limit=100`);
      if (reply?.status !== 200) return undefined;
      return { is: (reply.body as { userId: string }[]).some(({ userId }) => userId === id) };
    }).then(({ is }) => is);

  const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms * (0.5 + random())));

  const add = async (): Promise<void> => {
    const result = await owner.chats.changeGroup(group, [{ kind: 'add', userId: id }]).catch(() => undefined);
    if (result?.state !== 'sealed') return;
    entered = readHeader({ body: Uint8Array.from(Buffer.from(result.epoch.header.body, 'base64url')) }).n;
    const reply = await send('POST', path, { userIds: [id], epoch: result.epoch });
    if (reply && reply.status >= 400 && reply.status < 500 && reply.status !== 409 && reply.status !== 429)
      history.violation(`the guest could not be added: ${reply.status} ${JSON.stringify(reply.body)}`);
  };

  const move = async (): Promise<void> => {
    const adds = addedAt === undefined;
    while ((await isMember()) !== adds) {
      if (adds) await add();
      else await send('DELETE', `${path}/${id}`);
      await pause(retryMs);
    }
    moved += 1;
    addedAt = undefined;
    if (!adds) return;
    const newest = await eventually(async () => {
      const reply = await send('GET', `/api/conversations/${group}/messages?limit=1`);
      return reply?.status === 200 && (reply.body as Message[]);
    });
    addedAt = newest.at(-1)?.seq ?? 0;
  };

  const live = async (): Promise<void> => {
    while (talking) {
      await move();
      await pause(stepMs);
    }
  };

  return {
    moved: () => moved,
    talk() {
      talking = true;
      running ??= live().catch((error: unknown) => history.violation(`the guest: ${String(error)}`));
    },
    async fallSilent() {
      talking = false;
      await running;
      running = undefined;
    },
    async check(storedAfter, checkShown) {
      if (addedAt !== undefined) {
        await eventually(() => device.chats.open(group).then(() => true));
        const addressed = storedAfter(addedAt).filter(({ seal }) => !seal || seal.epoch >= entered);
        return await checkShown('the guest', device.chats, group, addressed);
      }
      if ((await isMember()) !== false) history.violation('the guest was removed and is a member');
    },
    stop() {
      talking = false;
      gatewayClient.close();
      device.remove();
    },
  };
}
