/** @jest-environment jsdom */
import type { ServerFrame } from '@nolo/api';
import { announcementsStore, announcementText, shownAnnouncements } from './announcements.ts';

const announcement = {
  id: 'a',
  texts: { en: 'Hello.', de: 'Hallo.' },
  severity: 'info' as const,
  until: '2026-11-27T20:00:00.000Z',
};
const nowMs = Date.parse('2026-11-26T20:00:00.000Z');
const shown = (at = nowMs) => shownAnnouncements(announcementsStore.getState(), at).map(({ id }) => id);
const handleFrame = (frame: object) => announcementsStore.getState().handleFrame(frame as ServerFrame);

test('the latest announcements are shown until they expire, and not again once dismissed', () => {
  handleFrame({ type: 'hello', data: { announcements: [announcement] } });
  expect(shown()).toEqual(['a']);
  expect(shown(Date.parse(announcement.until))).toEqual([]);
  handleFrame({ type: 'presence', data: {} });
  expect(shown()).toEqual(['a']);
  announcementsStore.getState().dismiss('a');
  expect(shown()).toEqual([]);
  handleFrame({ type: 'announcements', data: { announcements: [announcement, { ...announcement, id: 'b' }] } });
  expect(shown()).toEqual(['b']);
  handleFrame({ type: 'hello', data: {} });
  expect(shown()).toEqual([]);
  expect(JSON.parse(localStorage.getItem('nolo.announcementsDismissed') ?? '')).toEqual(['a']);
});

test('an announcement is in the language of the app, or in English if it has no other', () => {
  expect(announcementText(announcement, 'de-CH')).toBe('Hallo.');
  expect(announcementText(announcement, 'ar')).toBe('Hello.');
});
