import type { Participant } from '@nolo/api';
import { trackKey } from '@nolo/client/rooms/roomState';
import { arrangeStage, type StageViewOptions } from './meetingStage.ts';

const view: StageViewOptions = { layout: 'grid', pinned: null, page: 0, floatSelf: false, portrait: false };

function room(count: number, screens: string[] = [], lastSpeaker: string | null = null) {
  const order = ['me', ...Array.from({ length: count - 1 }, (_, index) => `p${index + 1}`)];
  return {
    selfId: 'me',
    order,
    participants: Object.fromEntries(order.map((id) => [id, { id } as Participant])),
    tracks: Object.fromEntries(screens.map((id) => [trackKey(id, 'screen'), {} as MediaStreamTrack])),
    lastSpeaker,
  };
}

test.each([
  [1, 1, 1],
  [2, 2, 1],
  [4, 2, 2],
  [5, 3, 2],
  [7, 3, 3],
  [9, 3, 3],
  [10, 4, 3],
  [12, 4, 3],
])('%i tiles, including the person’s own, form %i columns and %i rows', (count, columns, rows) => {
  const stage = arrangeStage(room(count), view);
  expect(stage).toMatchObject({ columns, rows, pages: 1, main: [] });
  expect(stage.others).toHaveLength(count);
});

test('more than twelve tiles are paged, and a page that is gone leads to the last', () => {
  const stage = arrangeStage(room(30), { ...view, page: 9 });
  expect(stage).toMatchObject({ pages: 3, page: 2, columns: 4, rows: 3 });
  expect(stage.others.map(({ participantId }) => participantId)).toEqual(['p24', 'p25', 'p26', 'p27', 'p28', 'p29']);
});

test('a portrait stage has more rows than columns', () => {
  expect(arrangeStage(room(2), { ...view, portrait: true })).toMatchObject({ columns: 1, rows: 2 });
  expect(arrangeStage(room(6), { ...view, portrait: true })).toMatchObject({ columns: 2, rows: 3 });
  expect(arrangeStage(room(12), { ...view, portrait: true })).toMatchObject({ columns: 3, rows: 4 });
});

test('a shared screen is large, with the people next to it', () => {
  const stage = arrangeStage(room(3, ['p1']), view);
  expect(stage.main).toMatchObject([{ participantId: 'p1', source: 'screen' }]);
  expect(stage.others.map(({ source }) => source)).toEqual(['camera', 'camera', 'camera']);
});

test('a pinned tile takes precedence over a screen', () => {
  const stage = arrangeStage(room(3, ['p1']), { ...view, pinned: trackKey('p2', 'camera') });
  expect(stage.main).toMatchObject([{ participantId: 'p2', source: 'camera' }]);
  expect(stage.others[0]).toMatchObject({ participantId: 'p1', source: 'screen' });
});

test('the speaker layout shows the last speaker, or the first of the others', () => {
  const speaker = (lastSpeaker: string | null) =>
    arrangeStage(room(4, [], lastSpeaker), { ...view, layout: 'speaker' }).main[0]?.participantId;
  expect(speaker('p3')).toBe('p3');
  expect(speaker(null)).toBe('p1');
  expect(speaker('gone')).toBe('p1');
});

test('the person’s own tile floats above the others on phones, unless they are alone', () => {
  const stage = arrangeStage(room(3), { ...view, floatSelf: true, portrait: true });
  expect(stage.floating?.isSelf).toBe(true);
  expect(stage).toMatchObject({ columns: 1, rows: 2 });
  expect(arrangeStage(room(1), { ...view, floatSelf: true })).toMatchObject({
    floating: null,
    others: [{ isSelf: true }],
  });
});
