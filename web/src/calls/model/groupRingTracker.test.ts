import type { GroupRing } from '@nolo/api';
import { jest } from '@jest/globals';
import { limits } from '@nolo/rules';
import { fakeTimers } from '../../../../packages/client/tests/fakeTimers.ts';
import { createGroupRingTracker } from './groupRingTracker.ts';

const began = new Date(fakeTimers().timers.now()).toISOString();
const ring = (callId: string, more: Partial<GroupRing> = {}): GroupRing => ({
  callId,
  groupId: 'g1',
  roomCode: 'ABC234',
  callerId: 'ada',
  type: 'video',
  since: began,
  ...more,
});

function start(now: GroupRing[] = []) {
  const ears = new Map<string, (data: never) => void>();
  let notifyOpen: (open: boolean) => void = () => {};
  const socket = {
    isOpen: true,
    subscribe: (type: string, listener: (data: never) => void) => {
      ears.set(type, listener);
      return () => ears.delete(type);
    },
    onChange: (listener: (open: boolean) => void) => {
      notifyOpen = listener;
      return () => {};
    },
  };
  const clock = fakeTimers();
  const server = { rings: now };
  const decline = jest.fn(() => Promise.resolve());
  const rings = createGroupRingTracker({
    socket: socket as never,
    timers: clock.timers,
    list: () => Promise.resolve(server.rings),
    decline,
  });
  rings.start();
  return {
    rings,
    server,
    clock,
    decline,
    emitFrame: (type: string, data: object) => ears.get(type)?.(data as never),
    reconnect: async () => {
      notifyOpen(true);
      await Promise.resolve();
      await Promise.resolve();
    },
    ids: () => rings.store.getState().rings.map(({ callId }) => callId),
  };
}

test('a group call rings until the server reports that it is over', () => {
  const { emitFrame, ids } = start();
  emitFrame('group_call_ringing', ring('c1'));
  emitFrame('group_call_ringing', ring('c2', { groupId: 'g2' }));
  emitFrame('group_call_ringing', ring('c1'));
  expect(ids()).toEqual(['c2', 'c1']);
  emitFrame('group_call_ring_ended', { callId: 'c2', groupId: 'g2', reason: 'declined' });
  expect(ids()).toEqual(['c1']);
});

test('only the current calls ring after a disconnect', async () => {
  const { emitFrame, ids, server, reconnect } = start();
  emitFrame('group_call_ringing', ring('c1'));
  server.rings = [ring('c2')];
  await reconnect();
  expect(ids()).toEqual(['c2']);
});

test('a call that starts to ring while the list is fetched keeps ringing', async () => {
  const { emitFrame, ids, server, reconnect } = start();
  server.rings = [];
  const resynced = reconnect();
  emitFrame('group_call_ringing', ring('c1'));
  await resynced;
  expect(ids()).toEqual(['c1']);
});

test('a call declined or answered here does not ring again, whatever was in transit', async () => {
  const { rings, emitFrame, ids, decline, server, reconnect } = start();
  emitFrame('group_call_ringing', ring('c1'));
  rings.decline(ring('c1'));
  expect(decline).toHaveBeenCalledWith('g1');
  emitFrame('group_call_ringing', ring('c1'));
  server.rings = [ring('c1')];
  await reconnect();
  expect(ids()).toEqual([]);
});

test('a call stops ringing without a connection when its time is over', async () => {
  const { emitFrame, ids, clock } = start();
  emitFrame('group_call_ringing', ring('c1'));
  await clock.advance(limits.callRingMs);
  expect(ids()).toEqual([]);
});

test('a call that has been ringing for a while rings for the rest of its time', async () => {
  const { emitFrame, ids, clock } = start();
  await clock.advance(limits.callRingMs - 1_000);
  emitFrame('group_call_ringing', ring('c1'));
  expect(ids()).toEqual(['c1']);
  await clock.advance(1_000);
  expect(ids()).toEqual([]);
});
