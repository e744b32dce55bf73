/** @jest-environment jsdom */
import type { SourceState } from './media/LocalDevices.ts';
import type { MediaProblemKind } from '@nolo/client/rooms/ports';
import { findDeviceTrouble } from './LocalPreview.tsx';

const state = (problem: MediaProblemKind | null): SourceState => ({ status: 'failed', track: null, problem });
const both = { microphone: true, camera: true };

test('a problem with both devices is reported once', () => {
  expect(findDeviceTrouble({ microphone: state('denied'), camera: state('denied') }, both)).toEqual({
    kind: 'denied',
    which: 'Both',
  });
});

test('the problem of the camera comes first', () => {
  expect(findDeviceTrouble({ microphone: state('missing'), camera: state('busy') }, both)).toEqual({
    kind: 'busy',
    which: 'Camera',
  });
});

test('a camera that cannot be blurred is a problem of its own', () => {
  expect(findDeviceTrouble({ microphone: state('denied'), camera: state('unblurred') }, both)).toEqual({
    kind: 'unblurred',
    which: 'Camera',
  });
});

test('an unwanted device is not a problem', () => {
  expect(
    findDeviceTrouble({ microphone: state(null), camera: state('missing') }, { ...both, camera: false }),
  ).toBeNull();
});
