import { EventEmitter } from 'node:events';
import type { types } from 'mediasoup';
import { PeerTransport } from './PeerTransport.ts';

const { jest } = import.meta;
const lostAfterMs = 2000;
const pathWithinMs = 4000;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Simulates what mediasoup reports about a transport, without a worker: a client's ICE and DTLS cannot be run here. */
class Reported extends EventEmitter {
  iceState = 'new';
  dtlsState = 'new';
  closed = false;

  ice(state: string) {
    this.iceState = state;
    this.emit('icestatechange', state);
  }

  dtls(state: string) {
    this.dtlsState = state;
    this.emit('dtlsstatechange', state);
  }

  async connect() {
    this.dtls('connecting');
  }

  close() {
    this.closed = true;
  }
}

function watched() {
  const reported = new Reported();
  const states: string[] = [];
  const searches: boolean[] = [];
  const transport = new PeerTransport(reported as unknown as types.WebRtcTransport, {
    lostAfterMs,
    pathWithinMs,
    searched: (found) => void searches.push(found),
    changed: () => void states.push(transport.state),
    orphaned: () => void states.push('orphaned'),
  });
  return { reported, transport, states, searches };
}

function connect(reported: Reported) {
  reported.ice('connected');
  reported.dtls('connecting');
  reported.dtls('connected');
}

test('a transport is connected once both ICE and DTLS are', () => {
  const { reported, states } = watched();
  reported.ice('connected');
  reported.ice('completed');
  expect(states).toEqual([]);
  reported.dtls('connected');
  expect(states).toEqual(['connected']);
});

test('a transport that reconnects in time is not lost', () => {
  const { reported, states } = watched();
  connect(reported);
  reported.ice('disconnected');
  jest.advanceTimersByTime(lostAfterMs - 1);
  reported.ice('connected');
  jest.advanceTimersByTime(60_000);
  expect(states).toEqual(['connected', 'away', 'connected']);
});

test('a transport that stays disconnected is lost, and may still reconnect', () => {
  const { reported, states } = watched();
  connect(reported);
  reported.ice('disconnected');
  jest.advanceTimersByTime(lostAfterMs);
  reported.ice('completed');
  expect(states).toEqual(['connected', 'away', 'lost', 'connected']);
});

test('a client that closes DTLS counts as disconnected', () => {
  const { reported, states } = watched();
  connect(reported);
  reported.dtls('closed');
  jest.advanceTimersByTime(lostAfterMs);
  expect(states).toEqual(['connected', 'away', 'lost']);
});

test('a transport closed by the server is not lost', () => {
  const { reported, transport, states } = watched();
  connect(reported);
  reported.ice('disconnected');
  transport.close();
  jest.advanceTimersByTime(60_000);
  expect(states).toEqual(['connected', 'away']);
  expect(reported.closed).toBe(true);
});

test('a dead worker is distinguished from a lost client', () => {
  const { reported, states } = watched();
  connect(reported);
  reported.emit('routerclose');
  jest.advanceTimersByTime(60_000);
  expect(states).toEqual(['connected', 'orphaned']);
});

const dtlsParameters = { fingerprints: [] };

test('a client that connects is counted once', async () => {
  const { reported, transport, searches } = watched();
  await transport.connect(dtlsParameters);
  transport.expect();
  connect(reported);
  reported.ice('disconnected');
  jest.advanceTimersByTime(60_000);
  connect(reported);
  transport.close();
  expect(searches).toEqual([true]);
});

test('a client that fails to connect is counted once, and one that only looked in is not', async () => {
  const lost = watched();
  await lost.transport.connect(dtlsParameters);
  lost.transport.expect();
  jest.advanceTimersByTime(pathWithinMs - 1);
  expect(lost.searches).toEqual([]);
  jest.advanceTimersByTime(60_000);
  connect(lost.reported);
  expect(lost.searches).toEqual([false]);

  const brief = watched();
  await brief.transport.connect(dtlsParameters);
  brief.transport.expect();
  brief.transport.close();
  const idle = watched();
  // Parameters are known from the start, but the transport has nothing to carry.
  await idle.transport.connect(dtlsParameters);
  jest.advanceTimersByTime(60_000);
  expect([brief.searches, idle.searches]).toEqual([[], []]);
});
