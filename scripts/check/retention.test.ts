import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { limits, mailInvitationLimits } from '@nolo/rules';
import { configSchema as chat } from '../../services/chat/src/config.ts';
import { archiveLifetimeMs } from '../../services/files/src/domain/exports.ts';
import { openMultipartUploadLifetimeMs } from '../../services/files/src/domain/sharedFiles.ts';
import { sessionLifetimeMs } from '../../services/identity/src/domain/sessions.ts';
import { configSchema as meetings } from '../../services/meetings/src/config.ts';
import { pendingConnectionMs } from '../../services/social-scheduler/src/store/pendingConnections.ts';
import { usageMonthsKept } from '../../services/transcriber/src/domain/usage.ts';
import { projectRoot } from '../paths.ts';

const dayMs = 86_400_000;
const page = readFileSync(join(projectRoot, 'docs/operating/configure.md'), 'utf8');
const [, section = ''] = page.split('## How long data is kept');
/** Content of each row, by its first words. */
const rows = new Map(
  [...(section.split('\n## ')[0] ?? '').matchAll(/^\| ([^|]+?) +\| ([^|]+?) +\| ([^|]+?) +\|$/gm)].map(
    ([, what = '', after = '', by = '']) => [what, { after, by }],
  ),
);

const days = (count: unknown) => `${String(count)} days`;
const defaultOf = (shape: Record<string, unknown>, name: string) =>
  (shape[name] as { parse(value: undefined): unknown }).parse(undefined);
const tuned = (shape: Record<string, unknown>, name: string) => ({
  after: days(defaultOf(shape, name)),
  by: `\`${name}\``,
});

test.each<[string, { after: string; by: string }]>([
  ['Ended calls', tuned(meetings.shape, 'CALLS_KEPT_DAYS')],
  ['Ended or cancelled meetings', tuned(meetings.shape, 'MEETINGS_KEPT_DAYS')],
  ['Meeting chats', tuned(chat.shape, 'MEETING_CHATS_KEPT_DAYS')],
  ['Events for other services', tuned(chat.shape, 'EVENTS_KEPT_DAYS')],
  ['Messages of a meeting chat', { after: days(limits.meetingChatDays), by: 'the product' }],
  ['Status updates', { after: `${limits.statusHours} hours`, by: 'the product' }],
  ['Verification codes', { after: `${limits.verificationCodeValidSeconds / 60} minutes`, by: 'the product' }],
  ['Released usernames', { after: days(limits.usernameReservedDays), by: 'the product' }],
  ['Group invitations', { after: days(limits.groupInvitationDays), by: 'the product' }],
  ['Email invitations', { after: days(mailInvitationLimits.days), by: 'the product' }],
  ['Last-seen times', { after: days(limits.lastSeenKeptDays), by: 'the product' }],
  ['Passkey challenges', { after: `${limits.passkeyChallengeSeconds / 60} minutes`, by: 'the product' }],
  ['Links of new devices', { after: `${limits.deviceLinkSeconds / 60} minutes`, by: 'the product' }],
  ['Secrets of disabled two-step verification', { after: days(limits.takeBackDays), by: 'the product' }],
  ['Requests for an account', { after: days(limits.accountWaitDays + limits.accountWaitOpenDays), by: 'the product' }],
  ['Sessions', { after: days(sessionLifetimeMs / dayMs), by: 'the product' }],
  ['Account exports', { after: `${archiveLifetimeMs / 3_600_000} hours`, by: 'the product' }],
  ['Security notices', { after: days(limits.securityNoticeDays), by: 'the product' }],
  ['Expired or revoked personal access tokens', { after: days(limits.accessTokenKeptDays), by: 'the product' }],
  ['Transcription minutes', { after: `${usageMonthsKept} months`, by: 'the product' }],
  ['Unfinished connections', { after: `${pendingConnectionMs / 60_000} minutes`, by: 'the product' }],
  ['Unfinished uploads', { after: days(openMultipartUploadLifetimeMs / dayMs), by: 'the product' }],
])('the operator page states the retention period: %s', (what, { after, by }) => {
  const row = [...rows].find(([title]) => title.startsWith(what))?.[1];
  expect(row?.after.startsWith(after)).toBe(true);
  expect(row?.by).toBe(by);
});

test('every retention setting is in the table', () => {
  const settings = Object.keys({ ...chat.shape, ...meetings.shape }).filter((name) => name.endsWith('_KEPT_DAYS'));
  const documentedSettings = [...rows.values()].map(({ by }) => by);
  for (const name of settings) expect(documentedSettings).toContain(`\`${name}\``);
});
