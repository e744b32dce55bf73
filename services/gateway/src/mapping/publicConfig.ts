import { readFileSync } from 'node:fs';
import type { Config } from '@nolo/api';
import type { FollowedBarredHosts } from '@nolo/installation/barredHosts';
import { limits, socialLimits } from '@nolo/rules';
import { featuresOf, type FeatureSources } from './features.ts';

/** Version of this installation. All workspaces share it. */
export const installedVersion = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

/** Caps an operator's value at the version's limit. */
const lesser = (max: number, set: number | undefined): number => Math.min(max, set ?? max);

/** Returns the identity and current capabilities of this installation. */
export function toPublicConfig(context: FeatureSources & { readonly barredHosts: FollowedBarredHosts }): Config {
  const { config, settings } = context;
  const set = settings.current();
  const keptDays = set.messagesKeptDays ?? config.MESSAGES_KEPT_DAYS ?? 0;
  return {
    demoMode: config.demo,
    ...(config.demoCode === undefined ? {} : { demoCode: config.demoCode }),
    ...(config.demo && config.OUTBOX_PAGE_URL !== undefined ? { outboxUrl: config.OUTBOX_PAGE_URL } : {}),
    version: installedVersion,
    limits: {
      ...limits,
      ...socialLimits,
      fileBytes: lesser(limits.fileBytes, set.fileMegabytes && set.fileMegabytes * 2 ** 20),
      groupMembersMax: lesser(limits.groupMembersMax, set.groupMembers),
      meetingParticipantsMax: lesser(limits.meetingParticipantsMax, set.meetingParticipants),
    },
    features: featuresOf(context),
    ...(context.barredHosts.current().size > 0 && { barredHosts: context.barredHosts.version() }),
    registration: set.registration ?? 'open',
    ...(keptDays > 0 && { messagesKeptDays: keptDays }),
    ...(config.MEDIA_FRAMES && { mediaFrames: true }),
  };
}
