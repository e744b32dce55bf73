/** @jest-environment jsdom */
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { TestProviders } from '../../testing/TestProviders.tsx';
import { CameraDialog } from './CameraDialog.tsx';
import enMedia from '../../../locales/en/media.json' with { type: 'json' };

const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 });
let denied: boolean;
/** Number of times a camera was opened, and number of running cameras. */
let opened: number;
let running: number;

/** Fakes what jsdom lacks: a camera, video playback, and a canvas. */
beforeEach(() => {
  denied = false;
  opened = 0;
  running = 0;
  Object.defineProperty(navigator, 'mediaDevices', {
    configurable: true,
    value: {
      getUserMedia: async () => {
        if (denied) throw new DOMException('Denied', 'NotAllowedError');
        opened += 1;
        running += 1;
        return { getTracks: () => [{ stop: () => (running -= 1) }] };
      },
    },
  });
  Object.defineProperty(HTMLMediaElement.prototype, 'srcObject', { configurable: true, writable: true, value: null });
  HTMLMediaElement.prototype.play = async () => undefined;
  Object.defineProperties(HTMLVideoElement.prototype, {
    videoWidth: { configurable: true, value: 640 },
    videoHeight: { configurable: true, value: 360 },
  });
  HTMLCanvasElement.prototype.getContext = (() => ({ drawImage: () => undefined })) as never;
  HTMLCanvasElement.prototype.toBlob = function toBlob(done, type) {
    done(new Blob([`${this.width}x${this.height}`], { type: type ?? '' }));
  };
});
afterEach(cleanup);

function show() {
  const pictures: File[] = [];
  let closed = 0;
  const dialog = <CameraDialog onPicture={(file) => pictures.push(file)} onClose={() => (closed += 1)} />;
  const { unmount } = render(<TestProviders>{dialog}</TestProviders>);
  return { pictures, closed: () => closed, unmount };
}

const shutter = () => screen.getByRole<HTMLButtonElement>('button', { name: enMedia.cameraTake });

test('a picture is taken at the full size of the camera, which is then turned off', async () => {
  const { pictures, closed, unmount } = show();
  await waitFor(() => expect(shutter().disabled).toBe(false));
  expect(running).toBe(1);
  await user.click(shutter());
  expect(pictures.map(({ name, type, size }) => ({ name, type, size }))).toEqual([
    { name: `${enMedia.cameraName}.jpg`, type: 'image/jpeg', size: '640x360'.length },
  ]);
  expect(closed()).toBe(1);
  unmount();
  expect(running).toBe(0);
});

test('a refused camera disables the shutter, and can be tried again', async () => {
  denied = true;
  const { closed } = show();
  await screen.findByText(enMedia.cameraFailed);
  expect(shutter().disabled).toBe(true);
  denied = false;
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(shutter().disabled).toBe(false));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(closed()).toBe(1);
});

test('a camera that starts after the dialog has closed is turned off at once', async () => {
  const { unmount } = show();
  unmount();
  await waitFor(() => expect([opened, running]).toEqual([1, 0]));
});
