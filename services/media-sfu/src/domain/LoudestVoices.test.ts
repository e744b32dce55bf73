import { LoudestVoices, type VoiceLevel } from './LoudestVoices.ts';

/** Creates voices by name, with a clock that advances by the observer's interval. */
function room(names: string[]) {
  const voices = new LoudestVoices();
  let now = 0;
  for (const name of names) voices.add(name, now);
  voices.choose(false, now);
  return {
    voices,
    /** Simulates speech for some intervals of 250 ms and returns who is forwarded at the end. */
    speak(volumes: Record<string, number>, intervals = 1, everyone = false): string[] {
      const levels: VoiceLevel[] = Object.entries(volumes).map(([id, volume]) => ({ id, volume }));
      let chosen: ReadonlySet<string> = new Set();
      for (let interval = 0; interval < intervals; interval += 1) {
        now += 250;
        voices.updateLevels(levels, now);
        chosen = voices.choose(everyone, now);
      }
      return [...chosen].toSorted();
    },
    now: () => now,
  };
}

test('three microphones are all forwarded, whether anyone speaks or not', () => {
  expect(room(['a', 'b', 'c']).speak({})).toEqual(['a', 'b', 'c']);
});

test('only the three loudest of more microphones are forwarded', () => {
  const { speak } = room(['a', 'b', 'c', 'd', 'e', 'f']);
  expect(speak({ d: -20, e: -30, f: -25, a: -70 }, 8)).toEqual(['d', 'e', 'f']);
});

test('a voice that starts while a slot is silent is forwarded at the first measurement', () => {
  const { speak } = room(['a', 'b', 'c', 'd']);
  expect(speak({ d: -20 })).toContain('d');
});

test('three speakers keep their slots against a fourth who is only slightly louder', () => {
  const { speak } = room(['a', 'b', 'c', 'd']);
  const three = { a: -30, b: -30, c: -30 };
  speak(three, 8);
  expect(speak({ ...three, d: -26 }, 20)).toEqual(['a', 'b', 'c']);
  expect(speak({ ...three, d: -15 }, 4)).toContain('d');
});

test('someone who has just taken a slot is not displaced again at once', () => {
  const { speak } = room(['a', 'b', 'c', 'd', 'e']);
  speak({ a: -20, b: -20, c: -40 }, 8);
  expect(speak({ a: -20, b: -20, c: -40, d: -30 }, 2)).toEqual(['a', 'b', 'd']);
  // e is much louder than d, but d has held its place for less than the protected time.
  expect(speak({ a: -20, b: -20, d: -30, e: -10 }, 1)).toEqual(['a', 'b', 'd']);
  expect(speak({ a: -20, b: -20, d: -30, e: -10 }, 6)).toEqual(['a', 'b', 'e']);
});

test('a pause between words costs nobody their slot while nobody else speaks', () => {
  const { speak } = room(['a', 'b', 'c', 'd']);
  speak({ b: -20, c: -20, d: -20 }, 8);
  expect(speak({}, 40)).toEqual(['b', 'c', 'd']);
});

test('inaudible noise displaces nobody', () => {
  const { speak } = room(['a', 'b', 'c', 'd']);
  expect(speak({ d: -75 }, 40)).toEqual(['a', 'b', 'c']);
});

test('a small room forwards everyone; when it grows, the loudest remain', () => {
  const { speak } = room(['a', 'b', 'c', 'd']);
  expect(speak({ d: -20 }, 4, true)).toEqual(['a', 'b', 'c', 'd']);
  expect(speak({ d: -20 }, 1, false)).toHaveLength(3);
  expect(speak({ d: -20 }, 1, false)).toContain('d');
});

test('muting passes the slot to the next', () => {
  const { voices, speak } = room(['a', 'b', 'c', 'd']);
  voices.remove('b');
  expect(speak({})).toEqual(['a', 'c', 'd']);
});

test('speakers are those currently audible, the dominant one first', () => {
  const { voices, speak } = room(['a', 'b', 'c']);
  speak({ a: -20, b: -40, c: -90 }, 4);
  expect(voices.speakers().map(({ id }) => id)).toEqual(['a', 'b']);
  voices.setDominant('b');
  expect(voices.speakers()).toEqual([
    { id: 'b', volume: -40 },
    { id: 'a', volume: -20 },
  ]);
  speak({});
  expect(voices.speakers()).toEqual([]);
});

test('the dominant speaker is never displaced', () => {
  const { voices, speak } = room(['a', 'b', 'c', 'd']);
  speak({ a: -50, b: -20, c: -20 }, 8);
  voices.setDominant('a');
  expect(speak({ a: -50, b: -20, c: -20, d: -10 }, 20)).toContain('a');
});

test('a dominant speaker who fell silent has no priority', () => {
  const { voices, speak } = room(['a', 'b', 'c', 'd']);
  speak({ a: -50 }, 8);
  voices.setDominant('a');
  expect(speak({ b: -20, c: -20, d: -20 }, 8)).toEqual(['b', 'c', 'd']);
});
