import type { MediaSession } from '@nolo/api';
import { createSocketConnection } from '../socket/socketRequests.ts';
import { fakeTimers } from '../../tests/fakeTimers.ts';
import { PreJoinTransports } from './PreJoinTransports.ts';
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

function createPreJoin(answers: (MediaSession | null)[]) {
  const clock = fakeTimers();
  const requests: Record<string, unknown>[] = [];
  const links: { session: MediaSession; closed: boolean; gone: () => void }[] = [];
  const socket = createSocketConnection({
    timers: clock.timers,
    write({ id, data }) {
      requests.push(data as Record<string, unknown>);
      const media = answers.shift() ?? null;
      queueMicrotask(() => socket.receive({ type: 'ack', id, data: { media, goodForMs: 60_000 } } as never));
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
  const preparedTransports = new PreJoinTransports({
    socket,
    timers: clock.timers,
    device: async () => device,
    roomCode: 'ABC234',
    inviteToken: undefined,
    participantId: undefined,
  });
  socket.setOpen(true);
  return { preparedTransports, clock, asked: requests, links, socket };
}

test('transports are prepared once, and used if the join assigns them', async () => {
  const { preparedTransports, asked: requests, links } = createPreJoin([session('first'), session('second')]);
  await Promise.all([preparedTransports.warm(), preparedTransports.warm()]);
  await preparedTransports.warm();
  const browser = { dtlsParameters: { role: 'client' }, rtpCapabilities: { codecs: [] } };
  expect(requests).toEqual([{ roomCode: 'ABC234', attemptId: preparedTransports.attemptId, ...browser }]);
  expect(preparedTransports.claim()).toEqual({ preparedNodeId: 'node-1', readyConsumerIds: ['described'] });
  expect(preparedTransports.take(session('first'))).toBeDefined();
  expect(preparedTransports.take(session('first'))).toBeUndefined();
  preparedTransports.close();
  await preparedTransports.warm();
  expect([requests.length, links[0]?.closed]).toEqual([1, false]);
});

test('prepared transports are closed if the join assigns others', async () => {
  const { preparedTransports, links } = createPreJoin([session('first')]);
  await preparedTransports.warm();
  expect(preparedTransports.take(session('other'))).toBeUndefined();
  expect(links[0]?.closed).toBe(true);
});

test('unused transports are closed in time, and prepared again on activity', async () => {
  const { preparedTransports, clock, links } = createPreJoin([session('first'), session('second')]);
  await preparedTransports.warm();
  await clock.advance(59_000);
  expect([links[0]?.closed, preparedTransports.claim()]).toEqual([true, undefined]);
  await preparedTransports.warm();
  expect(preparedTransports.claim()).toMatchObject({ preparedNodeId: 'node-1' });
  // A user is joining with it.
  await clock.advance(120_000);
  links[1]?.gone();
  expect([links.length, links[1]?.closed]).toEqual([2, false]);
});

test('transports that are missing or have no path are requested again only after a while', async () => {
  const { preparedTransports, clock, asked: requests, links } = createPreJoin([null, session('second'), null]);
  await preparedTransports.warm();
  await preparedTransports.warm();
  expect(requests).toHaveLength(1);
  await clock.advance(20_000);
  await preparedTransports.warm();
  links[0]?.gone();
  expect([links[0]?.closed, preparedTransports.claim()]).toEqual([true, undefined]);
  await preparedTransports.warm();
  expect(requests).toHaveLength(2);
});

test('transports are not requested without a connection, and leaving drops those that arrive later', async () => {
  const { preparedTransports, socket, links } = createPreJoin([session('first')]);
  socket.setOpen(false);
  await preparedTransports.warm();
  expect(links).toEqual([]);
  socket.setOpen(true);
  const warming = preparedTransports.warm();
  preparedTransports.close();
  await warming;
  expect(links).toEqual([]);
});
