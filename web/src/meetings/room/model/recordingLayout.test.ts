import type { StageTile } from './meetingStage.ts';
import { fitInBox, cropToBox, placeTiles } from './recordingLayout.ts';

const tile = (id: string, source: StageTile['source'] = 'camera'): StageTile => ({
  key: `${id} ${source}`,
  participantId: id,
  source,
  isSelf: false,
});
const people = (count: number) => Array.from({ length: count }, (_, index) => tile(String(index)));
const inside = { width: 1_280, height: 720 };

test.each([1, 2, 3, 4, 5, 7, 9, 12])('%d people are all in the picture, without overlap', (count) => {
  const placed = placeTiles({ main: [], others: people(count) }, inside.width, inside.height);
  expect(placed).toHaveLength(count);
  for (const [index, one] of placed.entries()) {
    expect(one.x).toBeGreaterThanOrEqual(0);
    expect(one.y).toBeGreaterThanOrEqual(0);
    expect(one.x + one.width).toBeLessThanOrEqual(inside.width);
    expect(one.y + one.height).toBeLessThanOrEqual(inside.height);
    for (const other of placed.slice(index + 1)) {
      const apart =
        one.x + one.width <= other.x ||
        other.x + other.width <= one.x ||
        one.y + one.height <= other.y ||
        other.y + other.height <= one.y;
      expect(apart).toBe(true);
    }
  }
});

test('two people are side by side, and the last row of five is centred', () => {
  const [left, right] = placeTiles({ main: [], others: people(2) }, 1_280, 720);
  expect(left?.y).toBe(right?.y);
  const five = placeTiles({ main: [], others: people(5) }, 1_280, 720);
  const last = five.slice(3);
  expect((last[0]?.x ?? 0) + (last[1]?.x ?? 0) + (last[1]?.width ?? 0)).toBeCloseTo(1_280);
});

test('a shared screen is large, with the participants next to it', () => {
  const [screen, ...others] = placeTiles({ main: [tile('a', 'screen')], others: people(3) }, 1_280, 720);
  expect(screen?.tile.source).toBe('screen');
  expect(screen?.width).toBeGreaterThan(900);
  for (const one of others) expect(one.x).toBeGreaterThan((screen?.x ?? 0) + (screen?.width ?? 0));
});

test('a picture is cropped to its tile, and a screen is shown whole', () => {
  expect(cropToBox({ width: 640, height: 480 }, { width: 320, height: 180 })).toEqual({
    x: 0,
    y: 60,
    width: 640,
    height: 360,
  });
  expect(fitInBox({ width: 1_000, height: 1_000 }, { x: 10, y: 10, width: 400, height: 200 })).toEqual({
    x: 110,
    y: 10,
    width: 200,
    height: 200,
  });
});
