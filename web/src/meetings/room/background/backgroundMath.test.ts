import { toAlpha, computeMaskSize, MaskScheduler, SlownessGuard } from './backgroundMath.ts';

it('looks for the person in a small picture of the same aspect ratio', () => {
  expect(computeMaskSize({ width: 1_280, height: 720 })).toEqual({ width: 256, height: 144 });
  expect(computeMaskSize({ width: 720, height: 1_280 })).toEqual({ width: 144, height: 256 });
  expect(computeMaskSize({ width: 4_000, height: 1 })).toEqual({ width: 256, height: 1 });
  expect(computeMaskSize({ width: 0, height: 0 })).toEqual({ width: 1, height: 1 });
});

it('shows what is surely a person, hides what surely is not, and softens the edges between', () => {
  const sureness = new Float32Array([0, 0.2, 0.5, 0.8, 1]);
  expect([...toAlpha(sureness, 'person', null)]).toEqual([0, 0, 128, 255, 255]);
  expect([...toAlpha(sureness, 'background', null)]).toEqual([255, 255, 128, 0, 0]);
});

it('blends in part of the previous mask, unless that had another size', () => {
  const nobody = new Float32Array([0, 0]);
  const person = new Uint8ClampedArray([255, 100]);
  const [faded, fainter] = toAlpha(nobody, 'person', person);
  expect(faded).toBeGreaterThan(0);
  expect(faded).toBeLessThan(128);
  expect(fainter).toBeLessThan(faded ?? 0);
  expect([...toAlpha(nobody, 'person', new Uint8ClampedArray(3))]).toEqual([0, 0]);
});

describe('the frame rhythm of blurring', () => {
  const runRhythm = (rhythm: MaskScheduler, took: number, count: number) =>
    Array.from({ length: count }, () => {
      const due = rhythm.due();
      if (due) rhythm.took(took);
      return due;
    });

  it('processes every frame while that is fast', () => {
    expect(runRhythm(new MaskScheduler(), 8, 40)).not.toContain(false);
  });

  it('processes every other frame once it is slow, and every frame when it is fast again', () => {
    const rhythm = new MaskScheduler();
    runRhythm(rhythm, 45, 15);
    expect(runRhythm(rhythm, 45, 6)).toEqual([false, true, false, true, false, true]);
    runRhythm(rhythm, 5, 30);
    expect(runRhythm(rhythm, 5, 5)).not.toContain(false);
  });

  it('ignores a single slow frame', () => {
    const rhythm = new MaskScheduler();
    runRhythm(rhythm, 900, 1);
    expect(runRhythm(rhythm, 10, 20)).not.toContain(false);
  });
});

describe('the guard against slow machines', () => {
  /** Returns when the guard reports slowness, in milliseconds since the first picture, or null. */
  const stopsAt = (tookOf: (index: number) => number, everyMs: number, count = 400): number | null => {
    const guard = new SlownessGuard();
    for (let index = 0; index < count; index += 1) {
      if (guard.tooSlow(tookOf(index), 1_000 + index * everyMs)) return index * everyMs;
    }
    return null;
  };

  it('accepts frames that are ready in time', () => {
    expect(stopsAt(() => 60, 33)).toBeNull();
  });

  it('forgives one slow frame in ten, and the first', () => {
    expect(stopsAt((index) => (index % 11 === 0 ? 400 : 20), 33)).toBeNull();
    expect(stopsAt((index) => (index === 0 ? 4_000 : 20), 33)).toBeNull();
  });

  it('stops after some seconds of slow frames, not at once', () => {
    const stopped = stopsAt(() => 90, 100);
    expect(stopped).toBeGreaterThanOrEqual(4_000);
    expect(stopped).toBeLessThan(5_000);
  });

  it('stops a machine that becomes slow later', () => {
    expect(stopsAt((index) => (index < 200 ? 10 : 90), 33)).toBeGreaterThan(200 * 33);
  });

  it('stops a machine that completes few frames at all', () => {
    expect(stopsAt(() => 1_900, 2_000, 20)).toBeLessThan(10_000);
  });

  it('does not judge by the first frames after a rest', () => {
    const guard = new SlownessGuard();
    for (let at = 0; at < 10_000; at += 33) guard.tooSlow(20, at);
    expect([60_000, 60_200, 60_233, 60_266].map((at) => guard.tooSlow(at < 60_201 ? 190 : 20, at))).not.toContain(true);
  });
});
