import { limits, type MediaSource } from '@nolo/rules';
import { selectFirstPageTracks } from './selectFirstPageTracks.ts';

const sent = (participantId: string, ...sources: MediaSource[]) => sources.map((source) => ({ participantId, source }));

test('a page of people includes all their media: first those sharing, then cameras, then voices', () => {
  const audioOnly = sent('heard', 'microphone');
  const seen = Array.from({ length: limits.visibleTiles }, (_, n) => sent(`seen ${n}`, 'microphone', 'camera')).flat();
  const sharing = sent('sharing', 'microphone', 'screen', 'screen_audio');
  const page = selectFirstPageTracks([...audioOnly, ...seen, ...sharing], 'ada');
  const people = new Set(page.map(({ participantId }) => participantId));
  expect(people.size).toBe(limits.visibleTiles);
  expect([people.has('sharing'), people.has('seen 0'), people.has('heard')]).toEqual([true, true, false]);
  expect(page[0]).toEqual({ participantId: 'sharing', source: 'screen' });
  expect(page.filter(({ participantId }) => participantId === 'seen 0')).toHaveLength(2);
});

test('people are not shown their own media from an earlier connection', () => {
  expect(selectFirstPageTracks([...sent('ada', 'camera'), ...sent('ben', 'microphone')], 'ada')).toEqual(
    sent('ben', 'microphone'),
  );
  expect(selectFirstPageTracks([], 'ada')).toEqual([]);
});
