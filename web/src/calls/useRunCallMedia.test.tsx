/** @jest-environment jsdom */
import { act, cleanup, render, waitFor } from '@testing-library/react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { createIncomingCall } from '../../tests/fakeCalls.ts';
import { ChatContext } from '../chat/context/chatContext.ts';
import { sessionStore } from '../session/session.ts';
import { TestProviders } from '../testing/TestProviders.tsx';
import { callSession } from './callSession.ts';
import type { LiveCall } from './model/callPhase.ts';
import { useRunCallMedia } from './useRunCallMedia.tsx';
// Loaded while ringing, which takes no time here.
import './CallSound.tsx';
import './media/CallMedia.ts';
import '../meetings/room/media/loadMediaDevice.ts';

const call = createIncomingCall();
const ringing = { phase: 'incoming', call, type: 'audio', answering: false, withCamera: false } as LiveCall;
const socket = {
  isOpen: true,
  send() {},
  request: async () => ({}),
  subscribe: () => () => {},
  onChange: () => () => {},
};
const handlers = { onProblem() {}, onTime() {}, iceServers: async () => [] };

const store = createStore<{ live: LiveCall | null }>(() => ({ live: ringing }));
const engine = { store, deviceId: 'tab', flowing() {}, lost() {}, toRoom: async () => true } as never;

function Runs() {
  const live = useStore(store, (state) => state.live);
  return useRunCallMedia(engine, live, handlers).sound;
}

beforeEach(() => {
  store.setState({ live: ringing });
  sessionStore.setState({ user: { id: 'me' } as never });
  // APIs that jsdom lacks.
  Object.assign(globalThis, { RTCPeerConnection: EventTarget, MediaStream: class {} });
  const devices = { getUserMedia: () => new Promise(() => {}), enumerateDevices: async () => [] };
  const mediaDevices = Object.assign(new EventTarget(), devices);
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: mediaDevices });
  HTMLMediaElement.prototype.play = async () => undefined;
});
afterEach(cleanup);

async function ring() {
  const { container } = render(
    <TestProviders>
      <ChatContext value={{ engine: { socket } } as never}>
        <Runs />
      </ChatContext>
    </TestProviders>,
  );
  await waitFor(() => expect(callSession.getState().media).not.toBeNull());
  const { media } = callSession.getState();
  act(() => media?.store.setState({ theirs: { microphone: { id: 'theirs' } as MediaStreamTrack } }));
  return { media, audio: () => container.querySelector('audio') };
}

test('a ringing call is silent, and the speaker opens when it is answered', async () => {
  const { audio } = await ring();
  expect(audio()).toBeNull();
  act(() => store.setState({ live: { ...ringing, answering: true } }));
  await waitFor(() => expect(audio()).not.toBeNull());
  act(() => store.setState({ live: ringing }));
  expect(audio()).toBeNull();
});

test('changes to a call take effect at once, before they are drawn', async () => {
  const { media } = await ring();
  act(() => {
    store.setState({ live: { ...ringing, answering: true } });
    // Rendering is not needed for this.
    expect(media?.store.getState().microphone).toBe(true);
  });
});
