import { jest } from '@jest/globals';
import { createOwnCall } from '../../../tests/fakeCalls.ts';
import { fakeTimers, settlePromises } from '../../../../packages/client/tests/fakeTimers.ts';
import type { LiveCall } from '../model/callPhase.ts';
import { CallMedia, noCallPathNoticeMs } from './CallMedia.ts';
import { connectWithinMs } from './DirectCall.ts';
import type { OwnDevices } from '@nolo/client/rooms/ports';

/** Creates an answered call whose other side never responds. */
function answered() {
  const clock = fakeTimers();
  const call = createOwnCall({ status: 'connecting' });
  const toRoom = jest.fn(() => new Promise<boolean>(() => undefined));
  const media = new CallMedia({
    selfId: 'me',
    engine: { deviceId: 'tab', flowing: () => undefined, toRoom, lost: () => undefined },
    socket: {
      isOpen: true,
      send: () => undefined,
      request: () => new Promise<never>(() => undefined),
      subscribe: () => () => undefined,
      onChange: () => () => undefined,
    },
    timers: clock.timers,
    own: { open: () => new Promise(() => undefined), onTrack: () => () => undefined } as unknown as OwnDevices,
    newId: () => 'life',
    createPeer: () => ({}) as RTCPeerConnection,
    frames: { sender: () => undefined, receiver: () => undefined },
    iceServers: async () => [],
    device: () => new Promise(() => undefined),
    onProblem: () => undefined,
    onTime: () => undefined,
  });
  const live: LiveCall = {
    phase: 'connecting',
    call,
    conversationId: call.conversationId,
    type: 'audio',
    withCamera: false,
    talkingSince: null,
    endedAt: null,
    ending: null,
    answering: false,
    minimised: false,
  };
  media.follow(live);
  return { media, live, clock, toRoom, link: () => media.store.getState().link };
}

test('a missing path is reported within ten seconds, and stays so while another one is tried', async () => {
  const { media, live, clock, toRoom, link } = answered();
  await settlePromises();
  await clock.advance(noCallPathNoticeMs - 1);
  expect(link()).toBe('connecting');
  await clock.advance(1);
  expect(link()).toBe('noPath');
  expect(noCallPathNoticeMs).toBeLessThan(10_000);

  await clock.advance(connectWithinMs - noCallPathNoticeMs);
  expect(toRoom).toHaveBeenCalledTimes(1);
  expect(link()).toBe('noPath');
  media.follow({ ...live, call: live.call && { ...live.call, mode: 'room' } });
  await settlePromises();
  expect(media.store.getState()).toMatchObject({ path: 'room', link: 'noPath' });
  media.close();
});

test('a call that has ended reports nothing further', async () => {
  const { media, clock, link } = answered();
  await settlePromises();
  media.close();
  await clock.advance(noCallPathNoticeMs);
  expect(link()).toBe('connecting');
});
