import { limits } from '@nolo/rules';
import { ViewedVideos } from './ViewedVideos.ts';

const cameraOf = (name: string) => ({ id: `${name}'s camera`, participantId: name, source: 'camera' as const });
const page = Array.from({ length: limits.visibleTiles }, (_, index) => cameraOf(`p${index}`));

test('a client that has selected no tiles sees a page of cameras and every shared screen', () => {
  const view = new ViewedVideos();
  expect(page.every((camera) => view.findDisplay(camera)?.height === 180)).toBe(true);
  expect(view.findDisplay(cameraOf('late'))).toBeUndefined();
  expect(view.findDisplay({ id: 's', participantId: 'late', source: 'screen' })?.height).toBe(1080);
  // Cameras on the page stay there, however often they are queried.
  expect(view.findDisplay(page[0] ?? cameraOf(''))).toBeDefined();
});

test('a camera that ends leaves its place on the first page to another', () => {
  const view = new ViewedVideos();
  for (const camera of page) view.findDisplay(camera);
  view.forget(page[0]?.id ?? '');
  expect(view.findDisplay(cameraOf('late'))).toBeDefined();
  expect(view.findDisplay(cameraOf('later'))).toBeUndefined();
});

test('a client that has selected tiles sees only its last selection', () => {
  const view = new ViewedVideos();
  view.findDisplay(cameraOf('ada'));
  view.setTiles([{ participantId: 'ben', source: 'camera', height: 360, priority: 9 }]);
  expect(view.findDisplay(cameraOf('ben'))).toEqual({ height: 360, priority: 9 });
  expect(view.findDisplay(cameraOf('ada'))).toBeUndefined();
  expect(view.findDisplay({ id: 's', participantId: 'ben', source: 'screen' })).toBeUndefined();
  view.setTiles([]);
  expect(view.findDisplay(cameraOf('ben'))).toBeUndefined();
});

test('audio is never viewed', () => {
  const view = new ViewedVideos();
  expect(view.findDisplay({ id: 'm', participantId: 'ada', source: 'microphone' })).toBeUndefined();
  expect(view.findDisplay({ id: 'a', participantId: 'ada', source: 'screen_audio' })).toBeUndefined();
});
