import { announcementLimits } from '@nolo/rules';
import { parseAnnouncementDraft } from './announcements.ts';

const now = new Date('2026-11-26T20:00:00Z');
const until = new Date('2026-11-27T20:00:00Z');
const draft = { texts: { en: ' On Sunday at six Nolo is away for a while. ' }, severity: 'info', until };

test('an announcement has an English text, and others as available', () => {
  expect(parseAnnouncementDraft(draft, now)).toEqual({
    ...draft,
    texts: { en: 'On Sunday at six Nolo is away for a while.' },
  });
  const both = { ...draft, texts: { en: 'Hello.', de: 'Hallo.' }, severity: 'warning' };
  expect(parseAnnouncementDraft(both, now)).toEqual(both);
});

test.each([
  ['no English', { texts: { de: 'Hallo.' } }],
  ['nothing', { texts: {} }],
  ['blank text', { texts: { en: 'Hello.', de: ' ' } }],
  ['too much', { texts: { en: 'x'.repeat(announcementLimits.length + 1) } }],
  ['an unknown language', { texts: { en: 'Hello.', __proto: 'x' } }],
  ['another severity', { severity: 'panic' }],
  ['no end', { until: undefined }],
  ['an end in the past', { until: now }],
  ['an end too far ahead', { until: new Date(now.getTime() + (announcementLimits.days + 1) * 86_400_000) }],
])('an announcement is rejected with %s', (_what, change) => {
  expect(parseAnnouncementDraft({ ...draft, ...change } as never, now)).toBeUndefined();
});
