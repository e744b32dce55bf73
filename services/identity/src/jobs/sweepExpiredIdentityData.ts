import type { Clock } from '@nolo/kit/clock';
import type { Log } from '@nolo/kit/log';
import type { DeviceLinkStore } from '../domain/deviceLinks.ts';
import type { SecondFactorStore } from '../domain/secondFactorPorts.ts';
import type { MailInvitationStore } from '../domain/mailInvitations.ts';
import type { LastSeenStore } from '../domain/peoplePorts.ts';
import type { SessionStore, UsernameStore, VerificationCodeStore } from '../domain/ports.ts';
import type { SecurityNoticeStore } from '../domain/securityPorts.ts';
import type { ReportStore } from '../domain/reportPorts.ts';
import type { AccessTokenStore } from '../domain/tokenPorts.ts';
import type { IdentityMetrics } from '../metrics.ts';

/** Deletes expired data, which is already refused everywhere, to free its space. */
export function sweepExpiredIdentityData(deps: {
  sessions: SessionStore;
  verificationCodes: VerificationCodeStore;
  notices: SecurityNoticeStore;
  accessTokens: AccessTokenStore;
  secondFactors: SecondFactorStore;
  usernames: UsernameStore;
  lastSeen: Pick<LastSeenStore, 'sweep'>;
  reports: ReportStore;
  mailInvitations: Pick<MailInvitationStore, 'sweep'>;
  deviceLinks: Pick<DeviceLinkStore, 'sweep'>;
  metrics: Pick<IdentityMetrics, 'deviceLinks'>;
  clock: Clock;
  log: Pick<Log, 'info'>;
}): () => Promise<void> {
  return async () => {
    const now = deps.clock.now();
    await deps.verificationCodes.sweep(now);
    await deps.sessions.sweep(now);
    deps.metrics.deviceLinks.inc({ event: 'expired' }, await deps.deviceLinks.sweep(now));
    await deps.notices.sweep(now);
    await deps.accessTokens.sweep(now);
    await deps.usernames.sweep(now);
    await deps.lastSeen.sweep(now);
    await deps.reports.sweep(now);
    await deps.mailInvitations.sweep(now);
    await deps.secondFactors.sweep(now);
    const resealed = await deps.secondFactors.reseal();
    if (resealed > 0) deps.log.info({ resealed }, 'second factors re-encrypted with the first key');
  };
}
