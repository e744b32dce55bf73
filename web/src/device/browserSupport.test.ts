/** @jest-environment jsdom */
import { browserSupport } from './browserSupport.ts';

const devices = (value: unknown) => Object.defineProperty(navigator, 'mediaDevices', { value, configurable: true });
const before = { RTCPeerConnection: globalThis.RTCPeerConnection, MediaRecorder: globalThis.MediaRecorder };
afterEach(() => {
  Object.assign(globalThis, before);
  devices(undefined);
});

test('a browser without WebRTC can neither call nor meet', () => {
  expect(browserSupport.connect()).toBe(true);
  Reflect.deleteProperty(globalThis, 'RTCPeerConnection');
  expect(browserSupport.connect()).toBe(false);
});

test('a page that is not secure has no devices available', () => {
  devices(undefined);
  expect([browserSupport.capture(), browserSupport.shareScreen(), browserSupport.suppressNoise()]).toEqual([
    false,
    false,
    false,
  ]);
  devices({ getUserMedia: () => {}, getSupportedConstraints: () => ({ noiseSuppression: true }) });
  expect([browserSupport.capture(), browserSupport.shareScreen(), browserSupport.suppressNoise()]).toEqual([
    true,
    false,
    true,
  ]);
});

test('features that a browser lacks are unavailable', () => {
  expect([browserSupport.chooseSpeaker(), browserSupport.usePasskeys(), browserSupport.bePushed()]).toEqual([
    false,
    false,
    false,
  ]);
  Reflect.deleteProperty(globalThis, 'MediaRecorder');
  expect(browserSupport.record()).toBe(false);
});
