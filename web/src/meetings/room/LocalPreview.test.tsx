/** @jest-environment jsdom */
import type { SourceState } from './media/LocalDevices.ts';
import type { ProblemKind } from './media/ports.ts';
import { findDeviceTrouble } from './LocalPreview.tsx';

const state = (problem: ProblemKind | null): SourceState => ({ status: 'failed', track: null, problem });
const both = { microphone: true, camera: true };

test('what stands in the way of both is said once', () => {
  expect(findDeviceTrouble({ microphone: state('denied'), camera: state('denied') }, both)).toEqual({
    kind: 'denied',
    which: 'Both',
  });
});

test('of two troubles the camera’s comes first', () => {
  expect(findDeviceTrouble({ microphone: state('missing'), camera: state('busy') }, both)).toEqual({
    kind: 'busy',
    which: 'Camera',
  });
});

test('a camera that cannot be blurred is a trouble of its own', () => {
  expect(findDeviceTrouble({ microphone: state('denied'), camera: state('unblurred') }, both)).toEqual({
    kind: 'unblurred',
    which: 'Camera',
  });
});

test('a device that nobody wants is no trouble', () => {
  expect(
    findDeviceTrouble({ microphone: state(null), camera: state('missing') }, { ...both, camera: false }),
  ).toBeNull();
});
