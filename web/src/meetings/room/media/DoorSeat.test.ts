import type { MediaSession } from '@nolo/api';
import { createSocketLine } from '../../../api/socketRequests.ts';
import { fakeTimers } from '../../../../tests/fakeTimers.ts';
import { DoorSeat } from './DoorSeat.ts';
import type { MediaDevice } from './ports.ts';

const session = (name: string): MediaSession => ({
  nodeId: 'node-1',
  routerRtpCapabilities: {},
  sendTransport: { id: `${name} send`, iceParameters: {}, iceCandidates: [], dtlsParameters: {} },
  receiveTransport: { id: `${name} receive`, iceParameters: {}, iceCandidates: [], dtlsParameters: {} },
  consumers: [],
  iceServers: [],
  connected: true,
});

function atTheDoor(answers: (MediaSession | null)[]) {
  const clock = fakeTimers();
  const asked: Record<string, unknown>[] = [];
  const links: { session: MediaSession; closed: boolean; gone: () => void }[] = [];
  const line = createSocketLine({
    timers: clock.timers,
    write({ id, data }) {
      asked.push(data as Record<string, unknown>);
      const media = answers.shift() ?? null;
      queueMicrotask(() => line.receive({ type: 'ack', id, data: { media, goodForMs: 60_000 } } as never));
    },
  });
  const device = {
    dtlsParameters: { role: 'client' },
    rtpCapabilities: { codecs: [] },
    warm(media: MediaSession, gone: () => void) {
      const link = { session: media, closed: false, gone };
      links.push(link);
      return { readyConsumerIds: ['described'], use: () => link, close: () => void (link.closed = true) };
    },
  } as unknown as MediaDevice;
  const seat = new DoorSeat({
    line,
    timers: clock.timers,
    device: async () => device,
    roomCode: 'ABC234',
    inviteToken: undefined,
    participantId: undefined,
  });
  line.setOpen(true);
  return { seat, clock, asked, links, line };
}

test('transports are kept once, and gone on with by whoever is given these', async () => {
  const { seat, asked, links } = atTheDoor([session('first'), session('second')]);
  await Promise.all([seat.warm(), seat.warm()]);
  await seat.warm();
  const browser = { dtlsParameters: { role: 'client' }, rtpCapabilities: { codecs: [] } };
  expect(asked).toEqual([{ roomCode: 'ABC234', attemptId: seat.attemptId, ...browser }]);
  expect(seat.claim()).toEqual({ seatNodeId: 'node-1', readyConsumerIds: ['described'] });
  expect(seat.take(session('first'))).toBeDefined();
  expect(seat.take(session('first'))).toBeUndefined();
  seat.close();
  await seat.warm();
  expect([asked.length, links[0]?.closed]).toEqual([1, false]);
});

test('who is given others has no use for them', async () => {
  const { seat, links } = atTheDoor([session('first')]);
  await seat.warm();
  expect(seat.take(session('other'))).toBeUndefined();
  expect(links[0]?.closed).toBe(true);
});

test('what nobody comes to is closed in time, and kept again for who stirs', async () => {
  const { seat, clock, links } = atTheDoor([session('first'), session('second')]);
  await seat.warm();
  await clock.advance(59_000);
  expect([links[0]?.closed, seat.claim()]).toEqual([true, undefined]);
  await seat.warm();
  expect(seat.claim()).toMatchObject({ seatNodeId: 'node-1' });
  // A user is joining with it.
  await clock.advance(120_000);
  links[1]?.gone();
  expect([links.length, links[1]?.closed]).toEqual([2, false]);
});

test('where nothing is kept, or there is no path, it is asked for again only after a while', async () => {
  const { seat, clock, asked, links } = atTheDoor([null, session('second'), null]);
  await seat.warm();
  await seat.warm();
  expect(asked).toHaveLength(1);
  await clock.advance(20_000);
  await seat.warm();
  links[0]?.gone();
  expect([links[0]?.closed, seat.claim()]).toEqual([true, undefined]);
  await seat.warm();
  expect(asked).toHaveLength(2);
});

test('without a line nothing is asked, and who leaves keeps nothing that comes after', async () => {
  const { seat, line, links } = atTheDoor([session('first')]);
  line.setOpen(false);
  await seat.warm();
  expect(links).toEqual([]);
  line.setOpen(true);
  const warming = seat.warm();
  seat.close();
  await warming;
  expect(links).toEqual([]);
});
