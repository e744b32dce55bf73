import { limits } from '@nolo/rules';
import { View } from './View.ts';

const cameraOf = (name: string) => ({ id: `${name}'s camera`, participantId: name, source: 'camera' as const });
const page = Array.from({ length: limits.visibleTiles }, (_, index) => cameraOf(`p${index}`));

test('before it names tiles, a client sees a page of cameras and every shared screen', () => {
  const view = new View();
  expect(page.every((camera) => view.lookAt(camera)?.height === 180)).toBe(true);
  expect(view.lookAt(cameraOf('late'))).toBeUndefined();
  expect(view.lookAt({ id: 's', participantId: 'late', source: 'screen' })?.height).toBe(1080);
  // Cameras on the page stay there, however often they are queried.
  expect(view.lookAt(page[0] ?? cameraOf(''))).toBeDefined();
});

test('a camera that is over leaves its place on the first page to another', () => {
  const view = new View();
  for (const camera of page) view.lookAt(camera);
  view.forget(page[0]?.id ?? '');
  expect(view.lookAt(cameraOf('late'))).toBeDefined();
  expect(view.lookAt(cameraOf('later'))).toBeUndefined();
});

test('from then on it sees what it named last, and nothing else', () => {
  const view = new View();
  view.lookAt(cameraOf('ada'));
  view.setTiles([{ participantId: 'ben', source: 'camera', height: 360, priority: 9 }]);
  expect(view.lookAt(cameraOf('ben'))).toEqual({ height: 360, priority: 9 });
  expect(view.lookAt(cameraOf('ada'))).toBeUndefined();
  expect(view.lookAt({ id: 's', participantId: 'ben', source: 'screen' })).toBeUndefined();
  view.setTiles([]);
  expect(view.lookAt(cameraOf('ben'))).toBeUndefined();
});

test('what is only heard is never looked at', () => {
  const view = new View();
  expect(view.lookAt({ id: 'm', participantId: 'ada', source: 'microphone' })).toBeUndefined();
  expect(view.lookAt({ id: 'a', participantId: 'ada', source: 'screen_audio' })).toBeUndefined();
});
