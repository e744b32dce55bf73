/** @jest-environment jsdom */
import { can } from './abilities.ts';

const devices = (value: unknown) => Object.defineProperty(navigator, 'mediaDevices', { value, configurable: true });
const before = { RTCPeerConnection: globalThis.RTCPeerConnection, MediaRecorder: globalThis.MediaRecorder };
afterEach(() => {
  Object.assign(globalThis, before);
  devices(undefined);
});

test('a browser without WebRTC can neither call nor meet', () => {
  expect(can.connect()).toBe(true);
  Reflect.deleteProperty(globalThis, 'RTCPeerConnection');
  expect(can.connect()).toBe(false);
});

test('a page that is not secure has no devices', () => {
  devices(undefined);
  expect([can.capture(), can.shareScreen(), can.suppressNoise()]).toEqual([false, false, false]);
  devices({ getUserMedia: () => {}, getSupportedConstraints: () => ({ noiseSuppression: true }) });
  expect([can.capture(), can.shareScreen(), can.suppressNoise()]).toEqual([true, false, true]);
});

test('what a browser lacks altogether is not there', () => {
  expect([can.chooseSpeaker(), can.usePasskeys(), can.bePushed()]).toEqual([false, false, false]);
  Reflect.deleteProperty(globalThis, 'MediaRecorder');
  expect(can.record()).toBe(false);
});
