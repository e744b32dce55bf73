import type { GroupRing } from '@nolo/api';
import { jest } from '@jest/globals';
import { limits } from '@nolo/rules';
import { fakeTimers } from '../../../tests/fakeTimers.ts';
import { createGroupRings } from './groupRings.ts';

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
  let onLine: (open: boolean) => void = () => {};
  const line = {
    isOpen: true,
    subscribe: (type: string, hear: (data: never) => void) => {
      ears.set(type, hear);
      return () => ears.delete(type);
    },
    onChange: (hear: (open: boolean) => void) => {
      onLine = hear;
      return () => {};
    },
  };
  const clock = fakeTimers();
  const server = { rings: now };
  const decline = jest.fn(() => Promise.resolve());
  const rings = createGroupRings({
    line: line as never,
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
    tell: (type: string, data: object) => ears.get(type)?.(data as never),
    reconnect: async () => {
      onLine(true);
      await Promise.resolve();
      await Promise.resolve();
    },
    ids: () => rings.store.getState().rings.map(({ callId }) => callId),
  };
}

test('a call of a group rings until the server says that it is over', () => {
  const { tell, ids } = start();
  tell('group_call_ringing', ring('c1'));
  tell('group_call_ringing', ring('c2', { groupId: 'g2' }));
  tell('group_call_ringing', ring('c1'));
  expect(ids()).toEqual(['c2', 'c1']);
  tell('group_call_ring_ended', { callId: 'c2', groupId: 'g2', reason: 'declined' });
  expect(ids()).toEqual(['c1']);
});

test('after a break it rings for what rings now, and for nothing else', async () => {
  const { tell, ids, server, reconnect } = start();
  tell('group_call_ringing', ring('c1'));
  server.rings = [ring('c2')];
  await reconnect();
  expect(ids()).toEqual(['c2']);
});

test('a call that begins to ring while the list is asked for keeps ringing', async () => {
  const { tell, ids, server, reconnect } = start();
  server.rings = [];
  const resynced = reconnect();
  tell('group_call_ringing', ring('c1'));
  await resynced;
  expect(ids()).toEqual(['c1']);
});

test('what was declined or answered here does not ring again, whatever was on its way', async () => {
  const { rings, tell, ids, decline, server, reconnect } = start();
  tell('group_call_ringing', ring('c1'));
  rings.decline(ring('c1'));
  expect(decline).toHaveBeenCalledWith('g1');
  tell('group_call_ringing', ring('c1'));
  server.rings = [ring('c1')];
  await reconnect();
  expect(ids()).toEqual([]);
});

test('without a connection it stops when its time is over', async () => {
  const { tell, ids, clock } = start();
  tell('group_call_ringing', ring('c1'));
  await clock.advance(limits.callRingMs);
  expect(ids()).toEqual([]);
});

test('a call that has been ringing for a while rings for the rest of its time', async () => {
  const { tell, ids, clock } = start();
  await clock.advance(limits.callRingMs - 1_000);
  tell('group_call_ringing', ring('c1'));
  expect(ids()).toEqual(['c1']);
  await clock.advance(1_000);
  expect(ids()).toEqual([]);
});
